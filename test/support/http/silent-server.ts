import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Accepts connections and never answers the TLS greeting, so that a connection never comes about. */
export async function startSilentServer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((wire) => void wire.on('error', () => {}).resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
