import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** What becomes of a request: `twice` is sent two times, the others concern its response. */
export type Mishap = 'none' | 'drop' | 'cut' | 'delay' | 'twice'

export interface BadProxy {
  readonly url: string
  /** How often each mishap happened. */
  readonly counts: Record<Mishap, number>
  close(): Promise<void>
}

/** A proxy in front of a gateway on this machine. Without `mishapOf` it passes everything on. */
export async function startBadProxy(
  port: number,
  mishapOf: (index: number) => Mishap = () => 'none',
): Promise<BadProxy> {
  const agent = new Agent({ connections: 64 })
  const counts: Record<Mishap, number> = { none: 0, drop: 0, cut: 0, delay: 0, twice: 0 }
  let requests = 0

  async function forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = headers
    const response = await request(`http://127.0.0.1:${port}${url}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: { ...(kept as Record<string, string>), host: 'localhost:8787' },
      ...(body.length > 0 && { body }),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: Buffer.from(await response.body.arrayBuffer()),
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const mishap = mishapOf(requests++)
    counts[mishap] += 1
    const responses = await Promise.all([
      forward(incoming, body),
      ...(mishap === 'twice' ? [forward(incoming, body)] : []),
    ])
    const { status, headers, bytes } = responses[0]!
    if (mishap === 'drop') return void response.destroy()
    if (mishap === 'delay') await delay(50)
    const { connection: _, 'keep-alive': __, ...kept } = headers
    response.writeHead(status, kept)
    if (mishap !== 'cut') return void response.end(bytes)
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
    await delay(1)
    response.destroy()
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async close() {
      server.closeAllConnections()
      server.close()
      await agent.destroy()
    },
  }
}
