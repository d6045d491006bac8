import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorBody, errors, Refusal } from '../../src/contract/errors.ts'
import { withRetryHints } from '../../src/http/retry-hints.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { goodPost, host, startFixture } from './fixture.ts'

const charge = { projectId: 'prj_1', chargeId: 'chg_1' }

const answered = (code: ErrorCode, { isKeyUsed, hasCharge = false }: { isKeyUsed?: boolean; hasCharge?: boolean }) => {
  const response = {
    status: errors[code].status,
    code,
    body: errorBody(code),
    ...(isKeyUsed !== undefined && { isKeyUsed }),
  }
  const { headers = {} } = withRetryHints(response, { charge: hasCharge ? charge : null })
  return [headers['x-should-retry'], headers['retry-hint'], headers['retry-after'] ?? null]
}

describe('the hints of an error', () => {
  test.each<[ErrorCode, Parameters<typeof answered>[1], [string, string, string | null]]>([
    ['RATE_LIMITED', {}, ['true', 'same-key', '1']],
    ['PROVIDER_UNAVAILABLE', { isKeyUsed: false }, ['true', 'same-key', '5']],
    ['PROVIDER_UNAVAILABLE', { isKeyUsed: true }, ['true', 'new-key', '5']],
    ['PROVIDER_DISABLED', { isKeyUsed: false }, ['false', 'never', null]],
    ['PROVIDER_REDIRECT_FORBIDDEN', { isKeyUsed: true }, ['false', 'never', null]],
    ['PROVIDER_REQUEST_REJECTED', { isKeyUsed: true }, ['false', 'new-key', null]],
    ['INSUFFICIENT_PAID_CREDITS', {}, ['false', 'never', null]],
    ['INVALID_PROMPT', {}, ['false', 'never', null]],
    ['IDEMPOTENCY_CONFLICT', {}, ['false', 'new-key', null]],
    ['INTERNAL_ERROR', {}, ['true', 'same-key', '1']],
    ['INTERNAL_ERROR', { hasCharge: true }, ['true', 'same-key', '1']],
  ])('%s with %j', (code, of, expected) => expect(answered(code, of)).toEqual(expected))

  test('the hints of an error keep a Retry-After that is known better, and leave successes alone', () => {
    const limited = { status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '7' }, body: {} } as const
    expect(withRetryHints(limited, null).headers).toMatchObject({ 'retry-after': '7', 'x-should-retry': 'true' })
    const success = { status: 200, body: {} }
    expect(withRetryHints(success, { charge: null })).toBe(success)
    expect(withRetryHints(success, { charge }).headers).toEqual({ 'x-charge-id': 'chg_1' })
  })

  test('the hints of an error are on what a handler throws, and on what the transport refuses', async () => {
    const { server, port } = await startFixture({
      routes: [
        {
          operationId: 'paid',
          method: 'POST',
          path: '/v1/echo',
          finish: withRetryHints,
          handle(call) {
            call.noteCharge(charge)
            if (call.header('x-broken') === 'absent') throw new Refusal('PROVIDER_CIRCUIT_OPEN')
            throw new Error('broken on purpose')
          },
        },
      ],
    })
    const hintsOf = async (request: string) => {
      const connection = await RawConnection.open({ port })
      const { status, headers } = (await connection.send(request).next())!
      connection.destroy()
      return [status, headers.get('x-should-retry'), headers.get('retry-hint'), headers.get('x-charge-id')]
    }
    expect(await hintsOf(goodPost)).toEqual([503, 'true', 'same-key', 'chg_1'])
    const broken = goodPost.replace('Content-Type', 'X-Broken: 1\r\nContent-Type')
    expect(await hintsOf(broken)).toEqual([500, 'true', 'same-key', 'chg_1'])
    expect(await hintsOf(goodPost.replace(host, 'elsewhere.test'))).toEqual([421, 'false', 'never', undefined])
    await server.close()
  })
})
