import { BlockList, isIP, SocketAddress } from 'node:net'

/** IP addresses and CIDR ranges, separated by commas. Throws what `makeFault` builds for the first invalid entry. */
export function parseNetworks(text: string, makeFault: (entry: string) => Error): BlockList {
  const networks = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (!add(networks, entry)) throw makeFault(entry)
  }
  return networks
}

const entryPattern = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/

function add(networks: BlockList, entry: string): boolean {
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
