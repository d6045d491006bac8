import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { resolveName, type SendDeps, sendWebhook } from '../../../../src/features/notifications/webhooks/send.ts'
import { localhostCertificate } from '../../../../testkit/providers/localhost-certificate.ts'
import { type Receiver, type Responder, responders, startReceiver } from '../../../../testkit/webhooks/receiver.ts'

const body = '{"id":"evt_1"}'
const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' }

describe('an attempt', () => {
  let receiver: Receiver
  let secure: Receiver
  beforeAll(async () => {
    ;[receiver, secure] = await Promise.all([startReceiver(), startReceiver({ isTls: true })])
  })
  afterEach(() => {
    receiver.respond = responders.accepted
    receiver.requests.length = 0
  })
  afterAll(() => Promise.all([receiver.close(), secure.close()]))

  const resolvesTo =
    (...addresses: string[]): SendDeps['resolve'] =>
    async () =>
      addresses
  const send = (url: string, deps: Partial<SendDeps> = {}) =>
    sendWebhook({ url, headers, body }, { allowsLoopback: true, resolve: resolvesTo('127.0.0.1'), ...deps })
  const named = () => `http://hooks.example.com:${receiver.port}/in?x=1`

  test('an attempt posts the body with the Host of the URL to the address that was judged', async () => {
    expect(await send(named())).toEqual({
      fault: null,
      answerStatus: 204,
      answerMs: expect.any(Number),
      answerBody: null,
    })
    expect(receiver.requests).toMatchObject([
      { method: 'POST', url: '/in?x=1', body, headers: { ...headers, host: `hooks.example.com:${receiver.port}` } },
    ])
  })

  test('an attempt asks for the address once, so that a name cannot get another one before the connection', async () => {
    const asked: string[] = []
    const resolve: SendDeps['resolve'] = async (name) => [asked.push(name) === 1 ? '127.0.0.1' : '169.254.169.254']
    expect((await send(named(), { resolve })).fault).toBeNull()
    expect(asked).toEqual(['hooks.example.com'])
    // The next delivery judges the new response.
    expect((await send(named(), { resolve })).fault).toBe('address_refused')
    expect(receiver.requests).toHaveLength(1)
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['a private address among public ones', ['93.184.215.14', '192.168.0.1']],
    ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
    ['an address with NAT64', ['64:ff9b::7f00:1']],
    ['a 6to4 address', ['2002:7f00:1::']],
    ['metadata', ['169.254.169.254']],
    ['this machine by its other name', ['0.0.0.0']],
    ['nonsense', ['not an address']],
  ])('an attempt does not connect to a name with %s', async (_, addresses) => {
    const before = receiver.connections()
    expect(await send(named(), { resolve: resolvesTo(...addresses) })).toEqual({
      fault: 'address_refused',
      answerStatus: null,
      answerMs: null,
      answerBody: null,
    })
    expect(receiver.connections()).toBe(before)
  })

  test('an attempt does not connect to loopback on a public origin, whatever name leads there', async () => {
    const before = secure.connections()
    const url = `https://hooks.example.com:${secure.port}/`
    expect((await send(url, { allowsLoopback: false, ca: localhostCertificate.cert })).fault).toBe('address_refused')
    expect((await send(`https://127.0.0.1:${secure.port}/`, { allowsLoopback: false })).fault).toBe('address_refused')
    expect(secure.connections()).toBe(before)
  })

  test('an attempt of a name without an address fails, and so does one whose servers never answer', async () => {
    const missing = async () => Promise.reject(new Error('ENOTFOUND'))
    expect((await send(named(), { resolve: missing })).fault).toBe('name_not_found')
    const silent = () => new Promise<never>(() => {})
    expect((await send(named(), { resolve: silent, timeoutMs: 50 })).fault).toBe('timed_out')
  })

  test.each<[string, Responder, object]>([
    ['an error', responders.failed, { fault: 'status', answerStatus: 500 }],
    ['a redirect, which is not followed', responders.redirected, { fault: 'redirected', answerStatus: 307 }],
    ['silence', responders.never, { fault: 'timed_out', answerStatus: null }],
    ['a cut connection', responders.cutShort, { fault: 'unreachable', answerStatus: null }],
    ['an endless body', responders.endless, { fault: null, answerStatus: 200 }],
    ['a body that stops', responders.slowBody, { fault: null, answerStatus: 200 }],
  ])('an attempt ends after %s', async (_, respond, expected) => {
    receiver.respond = respond
    expect(await send(named(), { timeoutMs: 500 })).toMatchObject(expected)
    expect(receiver.requests).toHaveLength(1)
  })

  test('an attempt stops reading an endless body', async () => {
    let written = 0
    receiver.respond = (response) => {
      responders.endless(response)
      response.on('close', () => {
        written = response.socket?.bytesWritten ?? 0
      })
    }
    expect((await send(named())).fault).toBeNull()
    await expect.poll(() => written).toBeGreaterThan(0)
    // What the buffers of the two sockets hold comes on top.
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  test('an attempt keeps the start of the response as text, without control characters', async () => {
    const said = (body: string | Buffer) => {
      receiver.respond = (response) => void response.writeHead(422).end(body)
      return send(named())
    }
    expect(await said('{"error":"no such shop"}')).toMatchObject({
      fault: 'status',
      answerStatus: 422,
      answerBody: '{"error":"no such shop"}',
    })
    expect((await said('')).answerBody).toBeNull()
    expect((await said('a\u0000b\u202Ec\n')).answerBody).toBe('a\uFFFDb\uFFFDc\n')
    expect((await said('x'.repeat(1024))).answerBody).toBe('x'.repeat(1024))
    expect((await said('x'.repeat(5000))).answerBody).toBe(`${'x'.repeat(1024)}…`)
    receiver.respond = responders.slowBody
    expect((await send(named(), { timeoutMs: 300 })).answerBody).toBe('x')
  })

  test('an attempt needs a certificate of the name in the URL', async () => {
    const ca = localhostCertificate.cert
    expect((await send(`https://localhost:${secure.port}/`, { ca })).fault).toBeNull()
    expect((await send(`https://127.0.0.1:${secure.port}/`, { ca })).fault).toBeNull()
    expect((await send(`https://hooks.example.com:${secure.port}/`, { ca })).fault).toBe('tls_failed')
    expect((await send(`https://localhost:${secure.port}/`)).fault).toBe('tls_failed')
    expect(secure.requests).toHaveLength(2)
    expect(secure.requests[0]!.headers.host).toBe(`localhost:${secure.port}`)
  })

  test('an attempt of an endpoint that refuses connections fails', async () => {
    const gone = await startReceiver()
    await gone.close()
    expect((await send(`${gone.origin}/`)).fault).toBe('unreachable')
  })
})

test('addresses and localhost are found without a name server', async () => {
  const { signal } = new AbortController()
  expect(await resolveName('93.184.215.14', signal)).toEqual(['93.184.215.14'])
  expect(await resolveName('::1', signal)).toEqual(['::1'])
  expect(await resolveName('hooks.localhost', signal)).toEqual(['127.0.0.1', '::1'])
})
