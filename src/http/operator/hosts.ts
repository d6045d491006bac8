import { singleHeader } from '../guards.ts'
import type { Call } from '../route.ts'

export interface OperatorHosts {
  /** Whether a Host is the listener's own; a foreign one is 421, so that no other name can be bound to this address. */
  readonly accepts: (host: string, localAddress: string | undefined) => boolean
  /** Adds the names of the address that the listener is bound to. */
  readonly bind: (address: { host: string; port: number }) => void
  /** The origin of a page that the request's Host serves. */
  readonly originOf: (call: Pick<Call, 'header'>) => string
}

/** Behind a proxy the listener also has the host of `proxied`, with its scheme. */
export function createOperatorHosts(proxied: URL | null): OperatorHosts {
  const accepted = new Set<string>(proxied ? [proxied.host] : [])
  /** Of a listener on all addresses. */
  let anyAddressPort: number | null = null
  return {
    accepts: (host, localAddress) =>
      accepted.has(host) ||
      (anyAddressPort !== null &&
        localAddress !== undefined &&
        hostsOf(inUrl(localAddress.replace(/^::ffff:/, '')), anyAddressPort).includes(host)),
    bind({ host, port }) {
      if (host === '0.0.0.0' || host === '::') anyAddressPort = port
      for (const name of namesOf(host)) for (const own of hostsOf(name, port)) accepted.add(own)
    },
    originOf(call) {
      const host = singleHeader(call as Call, 'host') ?? ''
      return host === proxied?.host ? proxied.origin : `http://${host}`
    },
  }
}

const loopbackNames = ['127.0.0.1', '[::1]', 'localhost']

const isLoopbackAddress = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

function namesOf(host: string): string[] {
  if (host === '0.0.0.0' || host === '::') return loopbackNames
  const own = inUrl(host)
  return isLoopbackAddress(host) ? [...loopbackNames, own] : [own]
}

/** As clients write it: without the default port of HTTP. */
const hostsOf = (name: string, port: number) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`])

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)
