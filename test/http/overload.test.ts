import { BlockList } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { withRetryHints } from '../../src/http/retry-hints.ts'
import type { Route } from '../../src/http/route.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { codeOf, type Fixture, flawOf, goodGet, ping, post, startFixture } from './fixture.ts'

let fixture: Fixture
afterEach(() => fixture.server.close())

/** Takes so long that a long queue behind it waits too long. */
const busy: Route = {
  ...ping,
  operationId: 'busy',
  path: '/v1/busy',
  handle: () => {
    for (const end = performance.now() + 5; performance.now() < end; );
    return { status: 200, body: {} }
  },
}
const paid: Route = {
  operationId: 'paid',
  method: 'POST',
  path: '/v1/paid',
  overloadCode: 'PROVIDER_CAPACITY_EXHAUSTED',
  finish: withRetryHints,
  handle: () => ({ status: 200, body: {} }),
}

describe('an overloaded server', () => {
  test('an overloaded server sheds requests that waited too long in a long queue, with the code of the operation, and counts them', async () => {
    // A busy machine may need more than the usual deadline to reach the last connection.
    fixture = await startFixture({ routes: [busy, paid], shedAfterMs: 1, bodyDeadlineMs: 60_000 })
    const connections = await Promise.all(Array.from({ length: 900 }, () => RawConnection.open(fixture)))
    // The event loop accepts one connection per turn: only kept connections deliver requests together.
    for (const connection of connections) await connection.send(goodGet).next()
    fixture.observations.length = 0
    const requests = [goodGet.replace('/v1/ping', '/v1/busy'), post('{}', { path: '/v1/paid' }), goodGet]
    for (const [i, connection] of connections.entries()) connection.send(requests[i % 3]!)
    const responses = await Promise.all(connections.map(async (connection) => (await connection.next())!))
    for (const connection of connections) connection.destroy()

    const shed = responses.filter(({ status }) => status === 429 || status === 503)
    expect(shed.length).toBeGreaterThan(0)
    for (const response of shed) {
      expect(flawOf(response)).toBeNull()
      expect(response.headers.get('retry-after')).toBe('1')
      expect(response.headers.get('connection')).toBe('keep-alive')
      const isPaid = codeOf(response) === 'PROVIDER_CAPACITY_EXHAUSTED'
      expect(response.headers.get('retry-hint')).toBe(isPaid ? 'same-key' : undefined)
    }
    const shedCodes = shed.map(codeOf)
    expect(new Set(shedCodes)).toEqual(new Set(['RATE_LIMITED', 'PROVIDER_CAPACITY_EXHAUSTED']))
    expect(responses.filter((_, i) => i % 3 === 1).map(({ status }) => status)).not.toContain(429)
    expect(fixture.observations.filter(({ isShed }) => isShed)).toHaveLength(shed.length)
    const begun = (fixture.runs.get('busy') ?? 0) + (fixture.runs.get('paid') ?? 0)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(begun)
  })
})

describe('connections', () => {
  test.each([{ maxConnections: 3 }, { maxConnectionsPerRequester: 3 }])(
    'connections beyond %j are closed at once, and a freed place is used again',
    async (limits) => {
      let refused = 0
      fixture = await startFixture({ ...limits, onConnectionRefused: () => void refused++ })
      const kept = await Promise.all([1, 2, 3].map(() => RawConnection.open(fixture)))
      for (const connection of kept) expect((await connection.send(goodGet).next())?.status).toBe(200)
      const extra = await RawConnection.open(fixture)
      expect(await extra.rest()).toEqual([])
      expect(refused).toBe(1)

      kept.pop()!.destroy()
      let response = null
      while (response === null) {
        const connection = await RawConnection.open(fixture)
        response = await connection.send(goodGet).next()
        connection.destroy()
      }
      expect(response.status).toBe(200)
      for (const connection of kept) connection.destroy()
    },
  )

  test('connections of a trusted proxy have only the total limit', async () => {
    const trustedProxies = new BlockList()
    trustedProxies.addAddress('127.0.0.2')
    fixture = await startFixture({ maxConnectionsPerRequester: 1, maxConnections: 3, trustedProxies })
    const open = () => RawConnection.open({ ...fixture, from: '127.0.0.2' })
    const kept = await Promise.all([1, 2, 3].map(open))
    for (const connection of kept) expect((await connection.send(goodGet).next())?.status).toBe(200)
    expect(await (await open()).rest()).toEqual([])
    for (const connection of kept) connection.destroy()
  })

  test('connections of other addresses are not affected by one address that uses up its limit', async () => {
    fixture = await startFixture({ maxConnectionsPerRequester: 1 }, '127.0.0.1')
    const first = await RawConnection.open({ ...fixture, from: '127.0.0.2' })
    expect((await first.send(goodGet).next())?.status).toBe(200)
    const other = await RawConnection.open({ ...fixture, from: '127.0.0.3' })
    expect((await other.send(goodGet).next())?.status).toBe(200)
    first.destroy()
    other.destroy()
  })
})
