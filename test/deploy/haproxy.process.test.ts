import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Haproxy, startHaproxy } from '../../testkit/deploy/haproxy.ts'
import { tools } from '../../testkit/installed-tools.ts'
import { localhostCertificate } from '../../testkit/providers/localhost-certificate.ts'

describe.runIf(tools.haproxy)('haproxy.cfg in front of gateways that die with the request', () => {
  const received: string[] = []
  const servers: Server[] = []
  // One connection for each request: HAProxy closes later ones of a connection without a response.
  const agent = new Agent({ connect: { ca: localhostCertificate.cert }, pipelining: 0 })
  let proxy: Haproxy

  async function listen(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const dyingGateway = () =>
    createServer(({ url, method }, response) => {
      // What the proxy is asked until it is ready.
      if (url === '/v1/pricing') return response.end()
      received.push(`${method} ${url}`)
      response.destroy()
    })

  beforeAll(async () => {
    const operatorPort = await listen(createServer((_, response) => response.end()))
    const ports = [await listen(dyingGateway()), await listen(dyingGateway())]
    proxy = await startHaproxy(
      tools.haproxy!,
      ports.map((port) => ({ port, operatorPort })),
    )
  })
  afterAll(async () => {
    await agent.destroy()
    await proxy?.close()
    for (const server of servers) server.close()
  })

  const times = async (method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string> = {}) => {
    received.length = 0
    const sent = { method, headers, dispatcher: agent, ...(method === 'POST' && { body: '{}' }) }
    const { statusCode, body } = await request(`https://127.0.0.1:${proxy.port}${path}`, sent)
    await body.dump()
    expect([statusCode, new Set(received)]).toEqual([502, new Set([`${method} ${path}`])])
    return received.length
  }

  test('a request without an Idempotency-Key is sent once', async () => {
    for (const path of ['/v1/chat/completions', '/mcp', '/v1/models/chat']) expect(await times('POST', path)).toBe(1)
    expect(await times('DELETE', '/v1/console/webhooks/whk_1')).toBe(1)
  })

  test('a client that can speak HTTP/2 is not offered it', async () => {
    const { cert: ca } = localhostCertificate
    const socket = connect({ host: '127.0.0.1', port: proxy.port, ca, ALPNProtocols: ['h2', 'http/1.1'] })
    await once(socket, 'secureConnect')
    expect(socket.alpnProtocol).toBe('http/1.1')
    socket.destroy()
  })

  test('a call with an Idempotency-Key and a read are sent again', async () => {
    expect(await times('POST', '/v1/models/chat', { 'idempotency-key': 'one' })).toBeGreaterThan(1)
    expect(await times('GET', '/v1/me')).toBeGreaterThan(1)
  })
})
