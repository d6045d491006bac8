import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Whether an address is one of the public internet. Everything that IANA reserves for another purpose is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  // IPv4-mapped, NAT64, unique local, link-local and multicast addresses are all outside 2000::/3. A zone makes it local.
  return isIPv6(address) && !address.includes('%') && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** 127.0.0.0/8 or ::1. A list of both would also contain IPv4-mapped addresses. */
export const isLoopbackAddress = (address: string): boolean =>
  isIPv4(address) ? address.startsWith('127.') : address === '::1'

const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** IANA's registries of special-purpose addresses. Cloud metadata is link-local, but for two addresses. */
const special = new BlockList()
const specialRanges: readonly [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  // Shared address space; also the metadata of Alibaba Cloud, 100.100.100.200.
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  // Link-local, with the metadata of most clouds.
  ['169.254.0.0', 16, 'ipv4'],
  // The metadata of Azure has a public address.
  ['168.63.129.16', 32, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3, 'ipv4'],
  // Teredo, benchmarking and other protocols of the IETF.
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  // 6to4 contains an IPv4 address.
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
]
for (const range of specialRanges) special.addSubnet(...range)
