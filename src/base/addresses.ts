import { BlockList, isIP, SocketAddress } from 'node:net'

/** Addresses and CIDR ranges as one list; undefined if an entry is neither. */
export function networksOf(entries: readonly string[]): BlockList | undefined {
  const networks = new BlockList()
  return entries.every((entry) => addNetwork(networks, entry)) ? networks : undefined
}

/** `address` in the form of `Requester`: an IPv4-mapped IPv6 address counts as IPv4. */
export const includesAddress = (networks: BlockList, address: string): boolean =>
  address !== '' && networks.check(address, isIpv6(address) ? 'ipv6' : 'ipv4')

/** An address without what identifies one machine: `203.0.113.x`, or the /64 network of an IPv6 address. */
export function maskAddress(address: string): string | null {
  if (address === '') return null
  return isIpv6(address) ? ipv6Network(address) : `${address.slice(0, address.lastIndexOf('.'))}.x`
}

export const isIpv6 = (address: string): boolean => address.includes(':')

/** The /64 network of an address in its shortest form. */
export function ipv6Network(address: string): string {
  const [left = '', right] = address.split('::')
  const groups = left === '' ? [] : left.split(':')
  const last = right ? right.split(':') : []
  const zeros = Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0')
  return `${[...groups, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}

const entryPattern = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/

/** False if the entry is not an address or a range. */
export function addNetwork(networks: BlockList, entry: string): boolean {
  const [, address = '', prefix] = entryPattern.exec(entry) ?? []
  const version = isIP(address)
  if (version === 0) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  // Peers in IPv4-mapped form count as IPv4, so an entry in that form would never match.
  if (new SocketAddress({ address, family }).address.startsWith('::ffff:')) return false
  if (prefix === undefined) networks.addAddress(address, family)
  else if (Number(prefix) > (version === 4 ? 32 : 128)) return false
  else networks.addSubnet(address, Number(prefix), family)
  return true
}
