import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testkit/gateway/gateway.ts'
import {
  addOperator,
  expectInOperatorContract,
  OperatorBrowser,
  signedInOperator,
} from '../../../testkit/gateway/operator-browser.ts'
import { RawConnection } from '../../../testkit/http/raw-http.ts'

describe('the operator listener on loopback', () => {
  let gateway: Gateway
  let browser: OperatorBrowser
  let port: number
  beforeAll(async () => {
    gateway = await startGateway()
    port = gateway.app.operator!.port
    browser = await signedInOperator(gateway, 'mei', 'admin')
  })
  afterAll(() => gateway.stop())

  test.each(['/healthz', '/readyz', '/metrics', '/metrics?name=gateway_reviews_open'])(
    'the operator listener on loopback serves %s under any Host, because probes and scrapers have names of their own for it',
    async (path) => {
      for (const host of ['gateway-a:8788', 'localhost:8788', '10.20.0.11:8788', 'gateway-a']) {
        expect((await new OperatorBrowser(gateway).get(path, { host })).status).toBe(200)
      }
    },
  )

  test.each(['/openapi.json', '/api/me', '/', '/sms.json', '/sign-in', '/healthz/', '//healthz', '/nothing'])(
    'a foreign Host gets 421 at %s, so that no other name can be bound to it',
    async (path) => {
      for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, 'localhost']) {
        const response = await browser.get(path, { host })
        expect(response).toMatchObject({ status: 421, body: { error: { code: 'HOST_NOT_ALLOWED' } } })
      }
    },
  )

  test.each(['127.0.0.1', '[::1]', 'localhost'])(
    'the operator listener on loopback serves %s with its port',
    async (name) => {
      const host = `${name}:${port}`
      expect((await browser.get('/healthz', { host })).status).toBe(200)
      expect((await browser.get('/api/me', { host })).status).toBe(200)
      const origin = `http://${host}`
      expect((await browser.post('/api/accounts/find', { id: 'x' }, { host, origin })).status).toBe(200)
    },
  )

  test('a write needs the exact Origin and the CSRF token of its session', async () => {
    const find = (headers: Record<string, string>) => browser.post('/api/accounts/find', { id: 'x' }, headers)
    for (const origin of ['http://evil.example', `https://127.0.0.1:${port}`, `http://localhost:${port}`, 'null']) {
      const response = await find({ origin })
      expect(response).toMatchObject({ status: 403, body: { error: { code: 'ORIGIN_INVALID' } } })
      expectInOperatorContract('operator.accounts.find', response)
    }
    const other = await signedInOperator(gateway, 'other', 'admin')
    for (const token of ['', 'x', other.csrfToken!]) {
      const response = await find({ 'x-csrf-token': token })
      expect(response).toMatchObject({ status: 403, body: { error: { code: 'CSRF_INVALID' } } })
      expectInOperatorContract('operator.accounts.find', response)
    }
    const signIn = await browser.post('/api/sign-in', { name: 'a', password: 'b' }, { origin: 'http://evil.example' })
    expect(signIn).toMatchObject({ status: 403, body: { error: { code: 'ORIGIN_INVALID' } } })
  })

  test('every path below /api needs a sign-in, known or not', async () => {
    const stranger = new OperatorBrowser(gateway)
    for (const path of ['/api/me', '/api/overview', '/api/nothing', '/api/', '/api/audit.csv']) {
      const response = await stranger.get(path)
      expect(response).toMatchObject({ status: 401, body: { error: { code: 'GATEWAY_AUTH_REQUIRED' } } })
    }
    expect((await browser.get('/api/nothing')).status).toBe(404)
    const forged = await stranger.get('/api/me', { cookie: `gateway_operator=${'x'.repeat(43)}` })
    expect(forged.status).toBe(401)
    const twice = await stranger.get('/api/me', { cookie: `${browser.cookie}; ${browser.cookie}` })
    expect(twice.status).toBe(401)
  })

  test('a wrong method below /api gets 405 with the methods that exist, for who is signed in', async () => {
    const stranger = new OperatorBrowser(gateway)
    for (const [method, path, allow] of [
      ['GET', '/api/sign-in', 'POST'],
      ['HEAD', '/api/sign-in', 'POST'],
      ['POST', '/api/me', 'GET, HEAD'],
      ['DELETE', '/api/me', 'GET, HEAD'],
      ['PUT', '/api/me/password', 'POST'],
    ] as const) {
      const response = await browser.send(path, { method })
      expect(response, `${method} ${path}`).toMatchObject({ status: 405, headers: { allow } })
      const refused = await stranger.send(path, { method })
      expect(refused.status, `${method} ${path}`).toBe(401)
      expect(refused.headers).not.toHaveProperty('allow')
    }
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expect((await browser.send('/api/nothing', { method })).status).toBe(404)
      expect((await stranger.send('/api/nothing', { method })).status).toBe(401)
    }
  })

  test('bodies are bounded and must be JSON objects in the contract', async () => {
    const large = await browser.post('/api/accounts/find', { id: 'x'.repeat(70_000) })
    expect(large).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
    const both = await browser.post('/api/accounts/find', { id: 'x', phone: '13800000000' })
    expect(both).toMatchObject({ status: 400, body: { error: { code: 'QUERY_INVALID' } } })
    const kinds = await browser.post('/api/sign-in', { name: 'mei', password: 'x', token: 'x' })
    expect(kinds).toMatchObject({ status: 400, body: { error: { code: 'INVALID_JSON' } } })
    const extra = await browser.post('/api/accounts/find', { id: 'x', more: 1 })
    expect(extra).toMatchObject({ status: 400, body: { error: { code: 'UNKNOWN_FIELDS' } } })
  })

  test('responses may not be framed, cached or loaded by another page', async () => {
    const { headers } = await browser.get('/api/me')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })

  test('the public listener serves none of it', async () => {
    for (const path of ['/api/me', '/api/overview', '/metrics', '/healthz']) {
      expect((await gateway.send('GET', path, { cookie: browser.cookie! })).status).toBe(404)
    }
    expect((await gateway.send('GET', '/openapi.json')).text).not.toContain('/api/sign-in')
  })

  test('its document describes its operations', async () => {
    const document = (await new OperatorBrowser(gateway).get('/openapi.json')).body
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.servers).toMatchObject([{ url: `http://127.0.0.1:${port}` }])
    expect(document.components.securitySchemes.session).toMatchObject({ in: 'cookie', name: 'gateway_operator' })
    expect(document.paths['/api/sign-in'].post.responses['429']).toBeDefined()
  })
})

describe('the operator listener on all addresses', () => {
  test('the operator listener on all addresses serves the address that was connected to, which takes no list of interfaces', async () => {
    const gateway = await startGateway({ environment: { GATEWAY_OPERATOR_LISTEN: '0.0.0.0:0' } })
    onTestFinished(() => gateway.stop())
    const { port } = gateway.app.operator!
    // Not an address of any interface, but of this machine.
    const at = async (host: string) => {
      const connection = await RawConnection.open({ port, host: '127.0.0.2' })
      connection.send(`GET /api/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      return (await connection.next())?.status
    }
    expect(await at(`127.0.0.2:${port}`)).toBe(401)
    expect(await at(`localhost:${port}`)).toBe(401)
    expect(await at(`10.20.0.11:${port}`)).toBe(421)
    expect(await at(`127.0.0.2:${port + 1}`)).toBe(421)
  })
})

describe('the operator listener behind a proxy with TLS', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({
      environment: {
        GATEWAY_ORIGIN: 'https://gateway.example',
        GATEWAY_LISTEN: '127.0.0.1:0',
        GATEWAY_OPERATOR_ORIGIN: 'https://operator.example',
      },
    })
  })
  afterAll(() => gateway.stop())

  test('the operator listener behind a proxy with TLS serves the host of GATEWAY_OPERATOR_ORIGIN, and its cookie is Secure', async () => {
    const { password } = await addOperator(gateway, 'mei', 'viewer')
    const browser = new OperatorBrowser(gateway)
    const headers = { host: 'operator.example', origin: 'https://operator.example' }
    const plain = await browser.post(
      '/api/sign-in',
      { name: 'mei', password },
      { ...headers, origin: 'http://operator.example' },
    )
    expect(plain).toMatchObject({ status: 403, body: { error: { code: 'ORIGIN_INVALID' } } })
    const response = await browser.post('/api/sign-in', { name: 'mei', password }, headers)
    expect(response.status).toBe(200)
    expect(String(response.headers['set-cookie'])).toMatch(/; Secure$/)
    expect(response.headers['strict-transport-security']).toBeDefined()
    expect((await browser.get('/healthz')).status).toBe(200)
    expect((await browser.get('/api/me', { host: 'gateway.example' })).status).toBe(421)
  })

  test('a public origin has no inbox, not even for a signed-in operator', async () => {
    const signedIn = await signedInOperator(gateway, 'reader', 'viewer')
    for (const path of ['/inbox', '/sms.json', '/email.json', '/inbox.json'])
      expect((await signedIn.get(path)).status).toBe(404)
  })
})
