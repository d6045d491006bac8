import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** Whether an address is one of the public internet. Everything that IANA reserves for another purpose is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  // IPv4-mapped, NAT64, unique local, link-local and multicast addresses are all outside 2000::/3. A zone makes it local.
  return isIPv6(address) && !address.includes('%') && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** 127.0.0.0/8 or ::1. A list of both would also contain IPv4-mapped addresses. */
const isLoopbackAddress = (address: string): boolean =>
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

/** What a webhook may be sent to. On a loopback origin, also by http and to this machine, for trying it out. */
export interface TargetRules {
  readonly allowsLoopback: boolean
}

const maxUrlLength = 2048

/** The URL in its normal form; null if what can be seen in it is not allowed. Names are judged again once they are resolved. */
export function parseTarget(text: string, rules: TargetRules): URL | null {
  // What browsers would remove or treat as a slash is refused, so that every parser reads the same URL.
  if (text.length > maxUrlLength || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isProtocolAllowed = url.protocol === 'https:' || (rules.allowsLoopback && url.protocol === 'http:')
  // An empty fragment or password leaves no trace in the parsed URL.
  if (!isProtocolAllowed || text.includes('#') || authorityOf(text).includes('@')) return null
  return isPortAllowed(url) && isHostAllowed(hostOf(url), rules) && url.href.length <= maxUrlLength ? url : null
}

export const mayConnect = (address: string, { allowsLoopback }: TargetRules): boolean =>
  isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))

/** The name or address without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const authorityOf = (text: string) => text.replace(/^[a-z]+:\/*/i, '').split(/[/?]/, 1)[0]!

/** No port below 1024 but that of https: those are of mail, SSH, databases and the like. */
function isPortAllowed({ port, protocol }: URL): boolean {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return number === 443 || number > 1023
}

/** `URL` has turned decimal, octal and hexadecimal IPv4 addresses into the usual form. */
function isHostAllowed(host: string, rules: TargetRules): boolean {
  if (isIP(host) !== 0) return mayConnect(host, rules)
  const name = host.replace(/\.$/, '').toLowerCase()
  if (isLocalhost(name)) return rules.allowsLoopback
  return name.includes('.') && !/\.(local|internal|home\.arpa)$/.test(name)
}

export const isLocalhost = (name: string): boolean => /^(.+\.)?localhost$/.test(name)
