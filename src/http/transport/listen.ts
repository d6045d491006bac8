import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Listens on the address. `localhost` means both 127.0.0.1 and ::1 where available, because clients differ in which one
 * they try.
 */
export async function listen(
  first: Server,
  another: () => Server,
  { host, port }: ListenAddress,
): Promise<ListenAddress> {
  const hosts = host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  const bound = await listenOn(first, { host: hosts[0] ?? host, port })
  for (const other of hosts.slice(1)) {
    // Best effort: a machine may resolve ::1 without having it.
    await listenOn(another(), { host: other, port: bound.port }).catch(() => {})
  }
  return { host, port: bound.port }
}

async function listenOn(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  server.listen({ host, port })
  // Rejects on an error event.
  await once(server, 'listening')
  return server.address() as AddressInfo
}
