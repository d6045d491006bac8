import { type BlockList, isIP, SocketAddress } from 'node:net'
import { includesAddress, ipv6Network, isIpv6 } from '../base/addresses.ts'

/** Who sent a request: the peer of the connection, or whom a trusted proxy names. */
export interface Requester {
  /** An IPv4 or IPv6 address in its shortest form; an IPv4-mapped IPv6 address in its IPv4 form. */
  readonly address: string
  /** What rate limits count: the address, or the /64 network of an IPv6 address, which one client usually has to itself. */
  readonly network: string
}

export interface Peer {
  readonly requester: Requester
  readonly isTrusted: boolean
}

/** A longer chain of proxies counts as the peer. Clients can lengthen the header only on its left, which is read last. */
export const maxForwardedHops = 32

/** The only place that decides who a requester is. */
export function findRequester(peer: Peer, forwardedFor: readonly string[], trusted: BlockList): Requester {
  if (!peer.isTrusted || forwardedFor.length === 0) return peer.requester
  const list = forwardedFor.join(',')
  let end = list.length
  for (let hop = 0; hop < maxForwardedHops; hop += 1) {
    const comma = list.lastIndexOf(',', end - 1)
    const address = normalAddress(list.slice(comma + 1, end).trim())
    if (address === undefined) return peer.requester
    if (comma === -1 || !includesAddress(trusted, address)) return requesterAt(address)
    end = comma
  }
  return peer.requester
}

export function findPeer(remoteAddress: string | undefined, trusted: BlockList): Peer {
  // A link-local peer has a zone, such as fe80::1%eth0. A socket that is already closed has no address.
  const address = normalAddress((remoteAddress ?? '').replace(/%.*$/, ''))
  if (address === undefined) return { requester: { address: '', network: '' }, isTrusted: false }
  return { requester: requesterAt(address), isTrusted: includesAddress(trusted, address) }
}

/** The values of all X-Forwarded-For headers in their order: together they are one list. */
export function forwardedForOf(rawHeaders: readonly string[]): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === headerName.length && rawHeaders[i]!.toLowerCase() === headerName)
      values.push(rawHeaders[i + 1]!)
  }
  return values
}

const headerName = 'x-forwarded-for'

function requesterAt(address: string): Requester {
  return { address, network: isIpv6(address) ? ipv6Network(address) : address }
}

/** One spelling per address, so that no other one gets limits of its own. */
function normalAddress(text: string): string | undefined {
  const version = isIP(text)
  if (version === 4) return text
  if (version === 0 || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.replace(/^::ffff:(?=.*\.)/, '')
}
