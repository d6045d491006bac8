import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import type { Route, RouteResponse } from '../../src/http/route.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import type { Gateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { sharedGateway } from '../../testkit/gateway/shared-gateway.ts'
import { type Fixture, host, startFixture } from './fixture.ts'

const rows = { items: Array.from({ length: 100 }, (_, i) => ({ chargeId: `chg_${i}`, credits: 3 })) }
const route = (path: string, response: () => RouteResponse, mayCompress = true): Route => ({
  operationId: path,
  method: 'GET',
  path,
  handle: response,
  mayCompress,
})
const routes = [
  route('/v1/list', () => ({ status: 200, body: rows })),
  route('/v1/file', () => ({ status: 200, headers: { 'Content-Type': 'text/csv' }, body: 'a,b\n'.repeat(1000) })),
  route('/v1/short', () => ({ status: 200, body: { short: true } })),
  route('/v1/secret', () => ({ status: 200, body: rows }), false),
  route('/v1/refused', () => {
    throw new Refusal('NOT_FOUND')
  }),
]

describe('responses of routes that allow it', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture({ routes })
  })
  afterAll(() => fixture.server.close())

  async function get(path: string, acceptEncoding?: string, method: 'GET' | 'HEAD' = 'GET') {
    const reply = await request(`http://127.0.0.1:${fixture.port}${path}`, {
      method,
      headers: { host, ...(acceptEncoding && { 'accept-encoding': acceptEncoding }) },
    })
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) }
  }

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)(
    'responses of routes that allow it go out as %s to clients that accept it, and decode to the same JSON',
    async (coding, decode) => {
      const { headers, bytes } = await get('/v1/list', coding)
      expect(headers).toMatchObject({
        'content-encoding': coding,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(bytes.length),
        'cache-control': 'no-store',
        vary: 'accept-encoding',
      })
      expect(JSON.parse(decode(bytes).toString())).toEqual(rows)
      expect(bytes.length).toBeLessThan(JSON.stringify(rows).length / 3)
    },
  )

  test('responses of routes that allow it keep the type of a file', async () => {
    const { headers, bytes } = await get('/v1/file', 'br')
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/csv' })
    expect(brotliDecompressSync(bytes).toString()).toBe('a,b\n'.repeat(1000))
  })

  test('responses of routes that allow it go out plain to other clients, and say that this varies', async () => {
    const { headers, bytes } = await get('/v1/list')
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(JSON.parse(bytes.toString())).toEqual(rows)
  })

  test('responses of routes that allow it have the same head for HEAD', async () => {
    const [full, head] = [await get('/v1/list', 'br'), await get('/v1/list', 'br', 'HEAD')]
    expect(head.bytes.length).toBe(0)
    for (const name of ['content-length', 'content-encoding', 'content-type', 'vary'])
      expect(head.headers[name]).toBe(full.headers[name])
  })

  test.each(['/v1/short', '/v1/secret', '/v1/refused'])('%s is never compressed', async (path) => {
    const { headers } = await get(path, 'br, gzip')
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('vary')
  })

  test('a burst is answered whole: what is over the bound goes out plain', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => get('/v1/list', 'br')))
    for (const { status, headers, bytes } of replies) {
      const text = headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes
      expect({ status, body: JSON.parse(text.toString()) }).toEqual({ status: 200, body: rows })
    }
  })
})

describe('the gateway', () => {
  let gateway: Gateway
  let customer: PayingCustomer
  beforeAll(async () => {
    gateway = await sharedGateway()
    customer = await PayingCustomer.join(gateway)
    for (let key = 0; key < 10; key++) await customer.browser.createKey(['models:invoke'])
  })
  afterAll(() => gateway.stop())

  const asking = () => ({ 'accept-encoding': 'br, gzip', cookie: customer.browser.cookie! })

  test('the gateway compresses what the console lists', async () => {
    for (const path of ['/v1/console/keys', '/v1/pricing']) {
      const { statusCode, headers, body } = await request(`http://127.0.0.1:${gateway.app.public.port}${path}`, {
        headers: { host: 'localhost:8787', ...asking() },
      })
      await body.dump()
      expect({ path, statusCode, coding: headers['content-encoding'] }).toEqual({ path, statusCode: 200, coding: 'br' })
    }
  })

  test('the gateway never compresses a response that holds a token or a key, nor a billed one', async () => {
    const other = new Browser(gateway)
    const registered = await other.register()
    const bodyOf = async (path: string) => gateway.send('GET', path, asking())
    const billed = await gateway.send(
      'POST',
      '/v1/models/chat',
      { 'accept-encoding': 'br', authorization: `Bearer ${customer.apiKey}`, 'idempotency-key': 'long' },
      JSON.stringify({ prompt: 'many words '.repeat(400) }),
    )
    expect(billed.status).toBe(200)
    for (const { headers } of [registered, await bodyOf('/v1/me'), billed]) {
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers).not.toHaveProperty('vary')
    }
  })
})
