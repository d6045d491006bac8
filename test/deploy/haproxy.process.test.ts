import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../src/contract/errors.ts'
import { type Haproxy, startHaproxy } from '../../testkit/deploy/haproxy.ts'
import { servedOperations } from '../../testkit/gateway/served-operations.ts'
import { tools } from '../../testkit/installed-tools.ts'
import { localhostCertificate } from '../../testkit/providers/localhost-certificate.ts'

/** Gateways that share one check, which says that they are ready until `becomeUnready`. */
async function startGateways(...listeners: RequestListener[]) {
  const servers: Server[] = []
  async function listen(listener: RequestListener): Promise<number> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  let isReady = true
  const operatorPort = await listen((_, response) => response.writeHead(isReady ? 200 : 503).end())
  const gateways: { readonly port: number; readonly operatorPort: number }[] = []
  for (const listener of listeners) gateways.push({ port: await listen(listener), operatorPort })
  const kill = (server: Server) => {
    server.close()
    server.closeAllConnections()
  }
  return {
    gateways,
    killFirst: () => kill(servers[1]!),
    becomeUnready() {
      isReady = false
    },
    close: () => servers.forEach(kill),
  }
}
type Gateways = Awaited<ReturnType<typeof startGateways>>

// One connection for each request: HAProxy closes later ones of a connection without a response.
const agent = new Agent({ connect: { ca: localhostCertificate.cert }, pipelining: 0 })
afterAll(() => agent.destroy())

async function send(proxy: Haproxy, path: string, method: 'GET' | 'POST', headers: Record<string, string> = {}) {
  const sent = { method, headers, dispatcher: agent, ...(method === 'POST' && { body: '{}' }) }
  const response = await request(`https://127.0.0.1:${proxy.port}${path}`, sent)
  return { status: response.statusCode, headers: response.headers, body: await response.body.text() }
}

function faultIn({ headers, body }: Pick<Awaited<ReturnType<typeof send>>, 'headers' | 'body'>) {
  expect(headers['content-type']).toBe('application/json')
  const { code, message } = JSON.parse(body).error
  expect([errors[code as keyof typeof errors]?.status, typeof message]).toEqual([expect.any(Number), 'string'])
  return code
}

describe.runIf(tools.haproxy)('haproxy.cfg in front of gateways that die with the request', () => {
  const received: string[] = []
  let fakes: Gateways
  let proxy: Haproxy
  const dies: RequestListener = ({ url, method }, response) => {
    // What the proxy is asked until it is ready.
    if (url === '/v1/pricing' && method === 'GET') return response.end()
    received.push(`${method} ${url}`)
    response.destroy()
  }
  beforeAll(async () => {
    fakes = await startGateways(dies, dies)
    proxy = await startHaproxy(tools.haproxy!, fakes.gateways)
  })
  afterAll(async () => {
    await proxy?.close()
    fakes?.close()
  })

  const times = async (method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}) => {
    received.length = 0
    const response = await send(proxy, path, method, headers)
    expect([response.status, faultIn(response)]).toEqual([502, 'INTERNAL_ERROR'])
    expect(new Set(received)).toEqual(new Set([`${method} ${path}`]))
    return received.length
  }

  test('a write without an Idempotency-Key is sent once', async () => {
    for (const path of ['/v1/chat/completions', '/mcp', '/v1/models/chat', '/v1/console/keys'])
      expect(await times('POST', path)).toBe(1)
  })

  test('a write with an Idempotency-Key is sent again if the operation honours it, and only then', async () => {
    const writes = servedOperations.filter(({ method }) => method === 'POST')
    const sentAgain: string[] = []
    for (const path of [...writes.map(({ path }) => path), '/mcp', '/v1/payments/callbacks/{method}']) {
      const target = path.replaceAll(/\{\w+\}/g, 'some_1')
      if ((await times('POST', target, { 'idempotency-key': 'one' })) > 1) sentAgain.push(path)
    }
    const honouring = writes.filter(({ takesIdempotencyKey }) => takesIdempotencyKey).map(({ path }) => path)
    expect(sentAgain).toEqual(honouring)
  })

  test('a read is sent again', async () => {
    expect(await times('GET', '/v1/me')).toBeGreaterThan(1)
  })

  test('a client that can speak HTTP/2 is not offered it', async () => {
    const { cert: ca } = localhostCertificate
    const socket = connect({ host: '127.0.0.1', port: proxy.port, ca, ALPNProtocols: ['h2', 'http/1.1'] })
    await once(socket, 'secureConnect')
    expect(socket.alpnProtocol).toBe('http/1.1')
    socket.destroy()
  })
})

describe.runIf(tools.haproxy)('haproxy.cfg in front of gateways that serve', () => {
  let fakes: Gateways
  const proxies: Haproxy[] = []
  /** The gateway that dies with each request. */
  let dying = ''
  beforeAll(async () => {
    const named =
      (name: string): RequestListener =>
      (_, response) =>
        name === dying ? response.destroy() : response.end(name)
    fakes = await startGateways(named('a'), named('b'), named('c'))
    for (let machine = 0; machine < 2; machine += 1) proxies.push(await startHaproxy(tools.haproxy!, fakes.gateways))
  })
  afterAll(async () => {
    for (const proxy of proxies) await proxy.close()
    fakes?.close()
  })

  const gatewayOf = async (headers: Record<string, string>, proxy = proxies[0]!) => {
    const { status, body } = await send(proxy, '/v1/models/chat', 'POST', headers)
    expect(status).toBe(200)
    return body
  }
  const callers = ['authorization', 'x-api-key'].flatMap((name) =>
    Array.from({ length: 10 }, (_, i) => ({ [name]: `Bearer gk_live_${i}` })),
  )
  const gatewaysOf = async (headers: readonly Record<string, string>[], proxy?: Haproxy) => {
    const names: string[] = []
    for (const one of headers) names.push(await gatewayOf(one, proxy))
    return names
  }

  test('each key has one gateway, which every HAProxy chooses, and callers without a key have that of their address', async () => {
    const names = await gatewaysOf(callers)
    for (const half of [names.slice(0, 10), names.slice(10)]) expect(new Set(half)).toEqual(new Set(['a', 'b', 'c']))
    expect(await gatewaysOf(callers)).toEqual(names)
    expect(await gatewaysOf(callers, proxies[1])).toEqual(names)
    const both = callers.slice(0, 10).map((one, i) => ({ ...one, 'x-api-key': String(i) }))
    expect(await gatewaysOf(both)).toEqual(names.slice(0, 10))
    expect(new Set(await gatewaysOf([{}, {}, {}, {}, {}, {}])).size).toBe(1)
  })

  test('the keys of a gateway that is gone are served by another one without an error, and no other key moves', async () => {
    const calls = callers.map((one) => ({ ...one, 'idempotency-key': 'one' }))
    const before = await gatewaysOf(calls)
    const diesWithRequests = () => {
      dying = 'a'
    }
    for (const lose of [diesWithRequests, fakes.killFirst]) {
      lose()
      const after = await gatewaysOf(calls)
      expect(after).not.toContain('a')
      expect(after).toEqual(before.map((name, i) => (name === 'a' ? after[i] : name)))
    }
  })

  test('while no gateway is ready, callers get a 503 in JSON that says when to come back', async () => {
    fakes.becomeUnready()
    const ask = () => send(proxies[0]!, '/v1/models/chat', 'POST')
    await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(503)
    const response = await ask()
    expect([faultIn(response), response.headers['retry-after']]).toEqual(['INTERNAL_ERROR', '2'])
  })
})
