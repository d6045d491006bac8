import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Listens on the address; `localhost` means both of its addresses where the machine has both,
 * because clients differ in which one they try.
 */
export async function listen(
  first: Server,
  another: () => Server,
  { host, port }: ListenAddress,
): Promise<ListenAddress> {
  const hosts = host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  const bound = await listenOn(first, { host: hosts[0] ?? host, port })
  for (const other of hosts.slice(1)) {
    // Only the first address is promised: a machine may name ::1 and not have it.
    await listenOn(another(), { host: other, port: bound.port }).catch(() => {})
  }
  return { host, port: bound.port }
}

async function listenOn(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  server.listen({ host, port })
  // Rejects when the server reports an error first.
  await once(server, 'listening')
  return server.address() as AddressInfo
}
