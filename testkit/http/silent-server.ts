import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export interface SilentServer {
  readonly url: string
  /** Resolves at the first connection. */
  readonly connected: Promise<void>
  /** Resolves when the other side has ended every connection. */
  close(): Promise<void>
}

/** Accepts connections and never answers the TLS greeting, so that no connection is ever established. */
export async function startSilentServer(): Promise<SilentServer> {
  const { promise: connected, resolve } = Promise.withResolvers<void>()
  const server = createServer((wire) => {
    wire.on('error', () => {}).resume()
    resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connected,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
