import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { localhostCertificate } from '../providers/localhost-certificate.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How the endpoint answers. */
export type Responder = (response: ServerResponse, request: ReceivedRequest) => void

export interface Receiver {
  readonly origin: string
  readonly port: number
  readonly requests: ReceivedRequest[]
  /** Connections so far: also those without a request. */
  readonly connections: () => number
  respond: Responder
  close(): Promise<void>
}

export const responders = {
  accepted: (response) => void response.writeHead(204).end(),
  failed: (response) => void response.writeHead(500).end('no'),
  redirected: (response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
  never: () => {},
  endless: (response) => {
    const chunk = Buffer.alloc(16_384, 'x')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.writeHead(200).on('drain', more)
    more()
  },
  /** Headers at once, and a body that never ends. */
  slowBody: (response) => void response.writeHead(200).write('x'),
  cutShort: (response) => void response.socket!.destroy(),
} satisfies Record<string, Responder>

/** A customer's endpoint: a real server on loopback. */
export async function startReceiver({ isTls = false } = {}): Promise<Receiver> {
  let connections = 0
  const requests: ReceivedRequest[] = []
  const listener: Parameters<typeof createServer>[1] = async (request, response) => {
    response.on('error', () => {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const received = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    requests.push(received)
    receiver.respond(response, received)
  }
  const server = isTls ? createTlsServer(localhostCertificate, listener) : createServer(listener)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    origin: `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    respond: responders.accepted,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}
