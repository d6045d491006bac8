import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './address-rules.ts'

/** What a webhook may be sent to. On a loopback origin, also by http and to this machine, for trying it out. */
export interface TargetRules {
  readonly allowsLoopback: boolean
}

export const maxUrlLength = 2048

/** The URL in its normal form; null if what can be seen in it is not allowed. Names are judged again once they are resolved. */
export function parseTarget(text: string, rules: TargetRules): URL | null {
  // What browsers would remove or treat as a slash is refused, so that everybody reads the same URL.
  if (text.length > maxUrlLength || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isProtocolAllowed = url.protocol === 'https:' || (rules.allowsLoopback && url.protocol === 'http:')
  // An empty fragment or password leaves no trace in the parsed URL.
  if (!isProtocolAllowed || text.includes('#') || authorityOf(text).includes('@')) return null
  return isPortAllowed(url) && isHostAllowed(hostOf(url), rules) && url.href.length <= maxUrlLength ? url : null
}

/** Whether a connection may be made to this address. */
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
