import { lookup } from 'node:dns/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors, Refusal } from '../../src/contract/errors.ts'
import type { Call, Route, RouteResponse } from '../../src/http/route.ts'
import { RawConnection, type RawResponse } from '../../testkit/http/raw-http.ts'
import { codeOf, echo, type Fixture, flawOf, host, ping, post, startFixture } from './fixture.ts'

const get = (
  path: string,
  handle: (call: Call) => Promise<RouteResponse> | RouteResponse,
  operationId = path,
): Route => ({
  operationId,
  method: 'GET',
  path,
  handle,
})
const say = (text: string) => (call: Call) => ({
  status: 200,
  body: { text, isPreview: call.isPreview, params: call.params },
})
const throwing = (error: unknown) => () => {
  throw error
}
const circular: Record<string, unknown> = {}
circular.self = circular

const names = ['authorization', 'content-type', 'origin', 'cookie', 'idempotency-key', 'x-csrf-token']

const routes: Route[] = [
  ping,
  echo,
  get('/v1/echo', say('echo by GET')),
  get('/v1/keys/{keyId}/of/{owner}', say('key')),
  get('/v1/console/orders', say('orders')),
  get('/console', say('console')),
  get('/console/*', say('below the console')),
  get('/docs', say('docs')),
  get('/docs/assets/script.js', say('script')),
  get('/openapi.json', say('openapi')),
  get('/llms.txt', () => ({ status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: '你好\n' })),
  get('/documents', say('not the docs')),
  get('/v1/bytes', () => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: Buffer.from([1, 2, 255]) })),
  get('/v1/page', () => ({
    status: 200,
    headers: { 'Content-Security-Policy': "default-src 'self'", 'CACHE-CONTROL': 'max-age=60', 'Set-Cookie': 'a=b' },
    body: {},
  })),
  get('/v1/headers', (call) => ({ status: 200, body: Object.fromEntries(names.map((n) => [n, call.header(n)])) })),
  get('/v1/requester', (call) => ({ status: 200, body: { requester: call.requester, requestId: call.requestId } })),
  get('/v1/limited', throwing(new Refusal('RATE_LIMITED', { retryAfterSeconds: 6.2 }))),
  get('/v1/explained', throwing(new Refusal('INVALID_LIMIT', { explain: 'It was 9.' }))),
  get('/v1/caused', throwing(new Refusal('ADAPTER_FAILURE', { cause: new Error('the adapter tripped') }))),
  get('/v1/thrown', throwing(new Error('secret detail'))),
  get('/v1/rejected', () => Promise.reject(new TypeError('secret detail'))),
  get('/v1/thrown-string', throwing('secret detail')),
  get('/v1/circular', () => ({ status: 200, body: circular })),
  get('/v1/bad-header', () => ({ status: 200, headers: { 'X-Bad': 'a\r\nb' }, body: {} })),
  get('/v1/bad-status', () => ({ status: 99, body: {} })),
  get('/v1/nothing', () => undefined as unknown as RouteResponse),
  get('/v1/replayed', () => ({ status: 502, code: 'ADAPTER_FAILURE', body: { error: {} } })),
  get('/v1/not-modified', () => ({ status: 304, body: '' })),
]

let fixture: Fixture
let published: Fixture
beforeAll(async () => {
  fixture = await startFixture({ routes })
  published = await startFixture({ routes, isLoopback: false, origin: new URL(`https://${host}`) })
})
afterAll(() => Promise.all([fixture.server.close(), published.server.close()]))

async function ask(method: string, path: string, { target = fixture, lines = '' } = {}): Promise<RawResponse> {
  const connection = await RawConnection.open(target)
  connection.send(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`)
  const response = await connection.next({ isHead: method === 'HEAD' })
  connection.destroy()
  return response!
}
const textOf = ({ body }: RawResponse) => JSON.parse(body).text

describe('methods', () => {
  test('HEAD responds like GET without the body, and the connection stays open', async () => {
    const connection = await RawConnection.open(fixture)
    for (const path of ['/v1/ping', '/llms.txt', '/v1/nowhere', '/v1/thrown']) {
      const asGet = await ask('GET', path)
      connection.send(`HEAD ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      const asHead = await connection.next({ isHead: true })
      expect(asHead?.status).toBe(asGet.status)
      for (const name of ['content-length', 'content-type', 'cache-control']) {
        expect(asHead?.headers.get(name)).toBe(asGet.headers.get(name))
      }
    }
    connection.destroy()
  })

  test('a refused HEAD has no body either', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send('HEAD /v1/ping HTTP/1.1\r\nHost: other.test\r\n\r\n')
    expect((await connection.next({ isHead: true }))?.status).toBe(421)
    expect(await connection.next()).toBeNull()
    connection.destroy()
  })

  test.each([
    ['POST', '/v1/ping', 'GET, HEAD'],
    ['DELETE', '/v1/ping', 'GET, HEAD'],
    ['OPTIONS', '/v1/ping?a=b', 'GET, HEAD'],
    ['TRACE', '/v1/ping', 'GET, HEAD'],
    ['PROPFIND', '/v1/ping', 'GET, HEAD'],
    ['QUERY', '/v1/ping', 'GET, HEAD'],
    ['PUT', '/v1/echo', 'GET, HEAD, POST'],
    ['PATCH', '/gateway/api/echo', 'GET, HEAD, POST'],
    ['PUT', '/v1/keys/a/of/b', 'GET, HEAD'],
    ['PUT', '/console/a/b', 'GET, HEAD'],
  ])('%s %s is METHOD_NOT_ALLOWED and names %s', async (method, path, allow) => {
    const response = await ask(method, path, { lines: 'Content-Length: 0\r\nContent-Type: a/b/c\r\n' })
    expect(codeOf(response)).toBe('METHOD_NOT_ALLOWED')
    expect(flawOf(response)).toBeNull()
    expect(response.headers.get('allow')).toBe(allow)
    expect(response.headers.get('connection')).toBe('keep-alive')
  })

  test('a path that takes only POST allows only POST', async () => {
    const only = await startFixture({ routes: [echo] })
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const response = await ask(method, '/v1/echo', { target: only })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    }
    await only.server.close()
  })

  test.each(['/', '/v1', '/v1/', '/v1/ping/', '/V1/ping', '/v1//ping', '/v1/keys/a', '/consolex'])(
    '%s is NOT_FOUND, whatever the method',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await ask(method, path, { lines: 'Content-Length: 0\r\n' })
        expect(codeOf(response)).toBe('NOT_FOUND')
        expect(flawOf(response)).toBeNull()
        expect(response.headers.has('allow')).toBe(false)
      }
    },
  )

  test.each(['/v1/ping', '/v1/nowhere', '/v1/limited'])(
    'a GET with a body gets words of its own at %s',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const connection = await RawConnection.open(fixture)
        connection.send(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`)
        const response = (await connection.next({ isHead: method === 'HEAD' }))!
        expect(response.status).toBe(400)
        if (method === 'GET') {
          expect(codeOf(response)).toBe('CONTENT_LENGTH_INVALID')
          expect(JSON.parse(response.body).error.message).toBe('A GET request has no body.')
        }
        connection.destroy()
      }
    },
  )

  test('a GET with a body is refused before its method', async () => {
    const only = await startFixture({ routes: [echo] })
    const response = await ask('GET', '/v1/echo', { target: only, lines: 'Content-Length: 2\r\n' })
    expect(codeOf(response)).toBe('CONTENT_LENGTH_INVALID')
    await only.server.close()
  })

  test('the body of a request to an unknown path is read and dropped', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(post('{"a":1}', { path: '/v1/nowhere' }) + post('{"a":1}'))
    expect(codeOf((await connection.next())!)).toBe('NOT_FOUND')
    expect((await connection.next())?.status).toBe(200)
    connection.destroy()
  })
})

describe('parameters', () => {
  test('parameters are decoded', async () => {
    const { body } = await ask('GET', '/v1/keys/key_%61%e4%bd%a0/of/a+b?keyId=x')
    expect(JSON.parse(body).params).toEqual({ keyId: 'key_a你', owner: 'a+b' })
  })

  test('parameters can be long', async () => {
    const { body } = await ask('GET', `/v1/keys/${'k'.repeat(15_000)}/of/b`)
    expect(JSON.parse(body).params.keyId).toHaveLength(15_000)
  })

  test('a wildcard matches everything below', async () => {
    const { body } = await ask('GET', '/console/assets/a.js?v=1')
    expect(JSON.parse(body)).toEqual({ text: 'below the console', isPreview: false, params: { '*': 'assets/a.js' } })
  })
})

describe('preview paths', () => {
  const pairs = [
    ['/gateway/api/keys/a/of/b', 'key'],
    ['/gateway/api/console/orders', 'orders'],
    ['/gateway/console', 'console'],
    ['/gateway/console/assets/a.js', 'below the console'],
    ['/gateway/docs', 'docs'],
    ['/gateway/docs/assets/script.js', 'script'],
    ['/gateway/openapi.json', 'openapi'],
  ] as const

  test.each(pairs)('%s is served on a loopback origin and marked as a preview', async (path, text) => {
    const response = await ask('GET', path)
    expect(textOf(response)).toBe(text)
    expect(JSON.parse(response.body).isPreview).toBe(true)
  })

  test.each([...pairs.map(([path]) => path), '/gateway/llms.txt', '/gateway/api/ping'])(
    '%s is NOT_FOUND on any other origin',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const response = await ask(method, path, { target: published, lines: 'Content-Length: 0\r\n' })
        expect(codeOf(response)).toBe('NOT_FOUND')
      }
    },
  )

  test('nothing else has a preview path, and the public paths are not marked', async () => {
    for (const path of ['/gateway/v1/ping', '/gateway/documents', '/gateway', '/gateway/api', '/api/ping']) {
      expect(codeOf(await ask('GET', path))).toBe('NOT_FOUND')
    }
    expect(JSON.parse((await ask('GET', '/docs')).body).isPreview).toBe(false)
  })
})

describe('responses', () => {
  test('strings and bytes are sent unchanged', async () => {
    expect((await ask('GET', '/llms.txt')).body).toBe('你好\n')
    const bytes = await ask('GET', '/v1/bytes')
    expect(bytes.headers.get('content-type')).toBe('image/png')
    expect(bytes.headers.get('content-length')).toBe('3')
  })

  test('headers of a route override the common ones', async () => {
    const { headers } = await ask('GET', '/v1/page')
    expect(headers.get('content-security-policy')).toBe("default-src 'self'")
    expect(headers.get('cache-control')).toBe('max-age=60')
    expect(headers.get('set-cookie')).toBe('a=b')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a response without content has no length', async () => {
    const { status, headers } = await ask('HEAD', '/v1/not-modified')
    expect(status).toBe(304)
    expect(headers.has('content-length')).toBe(false)
  })

  test('Strict-Transport-Security is sent on an https origin and nowhere else', async () => {
    expect((await ask('GET', '/v1/ping', { target: published })).headers.get('strict-transport-security')).toBe(
      'max-age=31536000',
    )
    expect((await ask('GET', '/v1/ping')).headers.has('strict-transport-security')).toBe(false)
  })

  test('a refusal has the status, text and Retry-After of its code', async () => {
    const limited = await ask('GET', '/v1/limited')
    expect(flawOf(limited)).toBeNull()
    expect(codeOf(limited)).toBe('RATE_LIMITED')
    expect(limited.headers.get('retry-after')).toBe('7')
    const explained = await ask('GET', '/v1/explained')
    expect(JSON.parse(explained.body).error.message).toBe(`${errors.INVALID_LIMIT.meaning} It was 9.`)
    expect(explained.headers.has('retry-after')).toBe(false)
  })

  test('the cause of a refusal is logged and not sent to the caller', async () => {
    const response = await ask('GET', '/v1/caused')
    expect(codeOf(response)).toBe('ADAPTER_FAILURE')
    expect(response.body).not.toContain('tripped')
    expect(fixture.log()).toContain('the adapter tripped')
  })

  test.each([
    '/v1/thrown',
    '/v1/rejected',
    '/v1/thrown-string',
    '/v1/circular',
    '/v1/bad-header',
    '/v1/bad-status',
    '/v1/nothing',
  ])('an internal error at %s is INTERNAL_ERROR without details, and logged with the request id', async (path) => {
    const response = await ask('GET', path)
    expect(flawOf(response)).toBeNull()
    expect(codeOf(response)).toBe('INTERNAL_ERROR')
    expect(JSON.stringify([...response.headers]) + response.body).not.toContain('secret detail')
    const line = fixture
      .log()
      .split('\n')
      .find((text) => text.includes('"request failed"') && text.includes(`"${response.headers.get('x-request-id')}"`))
    expect(line).toBeDefined()
  })

  test('repeated headers are reported as repeated, whatever their values', async () => {
    const lines = names.map((name) => `${name}: a\r\n${name.toUpperCase()}: a\r\n`).join('')
    expect(JSON.parse((await ask('GET', '/v1/headers', { lines })).body)).toEqual(
      Object.fromEntries(names.map((name) => [name, 'repeated'])),
    )
    const once = names.map((name) => `${name.toUpperCase()}:  ${name}, b \r\n`).join('')
    expect(JSON.parse((await ask('GET', '/v1/headers', { lines: once })).body)).toEqual(
      Object.fromEntries(names.map((name) => [name, { value: `${name}, b` }])),
    )
    expect(JSON.parse((await ask('GET', '/v1/headers')).body)).toEqual(
      Object.fromEntries(names.map((name) => [name, 'absent'])),
    )
  })

  test('a route knows its peer and its request id, and the client cannot choose the id', async () => {
    const response = await ask('GET', '/v1/requester', { lines: 'X-Request-Id: mine\r\nX-Forwarded-For: 9.9.9.9\r\n' })
    const { requester, requestId } = JSON.parse(response.body)
    expect(requester).toEqual({ address: '127.0.0.1', network: '127.0.0.1' })
    expect(requestId).toBe(response.headers.get('x-request-id'))
    expect(requestId).not.toBe('mine')
  })

  test('every request is observed once, even a refused one', async () => {
    fixture.observations.length = 0
    await ask('GET', '/v1/ping')
    await ask('GET', '/v1/limited')
    await ask('GET', '/v1/replayed')
    await ask('GET', '/v1/nowhere')
    await ask('GET', '/v1/%2f')
    expect(fixture.observations.map(({ operationId, status, code }) => [operationId, status, code])).toEqual([
      ['ping', 200, null],
      ['/v1/limited', 429, 'RATE_LIMITED'],
      ['/v1/replayed', 502, 'ADAPTER_FAILURE'],
      ['unmatched', 404, 'NOT_FOUND'],
      ['unmatched', 400, 'REQUEST_TARGET_INVALID'],
    ])
    for (const { durationMs } of fixture.observations) expect(durationMs).toBeGreaterThanOrEqual(0)
  })
})

test('localhost is served on each of its addresses', async () => {
  const local = await startFixture({}, 'localhost')
  for (const { address } of await lookup('localhost', { all: true })) {
    const connection = await RawConnection.open({ port: local.port, host: address })
    expect((await connection.send(`GET /v1/ping HTTP/1.1\r\nHost: ${host}\r\n\r\n`).next())?.status).toBe(200)
    connection.destroy()
  }
  await local.server.close()
})

test('an address in use is reported', async () => {
  await expect(startFixture({}, '127.0.0.1', fixture.port)).rejects.toThrow('EADDRINUSE')
})
