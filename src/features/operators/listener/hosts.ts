import { singleHeader } from '../../../http/guards.ts'
import type { Call } from '../../../http/route.ts'

export type OperatorHosts = ReturnType<typeof createOperatorHosts>

/** Behind a proxy the listener also has the host of `proxied`, with its scheme. */
export function createOperatorHosts(proxied: URL | null) {
  const accepted = new Set<string>(proxied ? [proxied.host] : [])
  /** Of a listener on all addresses. */
  let anyAddressPort: number | null = null
  return {
    /** Whether a Host is the listener's own; a foreign one is 421, so that no other name can be bound to this address. */
    accepts: (host: string, localAddress: string | undefined): boolean =>
      accepted.has(host) ||
      (anyAddressPort !== null &&
        localAddress !== undefined &&
        hostsOf(inUrl(localAddress.replace(/^::ffff:/, '')), anyAddressPort).includes(host)),
    /** Adds the names of the address that the listener is bound to. */
    bind({ host, port }: { host: string; port: number }): void {
      if (host === '0.0.0.0' || host === '::') anyAddressPort = port
      for (const name of namesOf(host)) for (const own of hostsOf(name, port)) accepted.add(own)
    },
    /** The origin of a page that the request's Host serves. */
    originOf(call: Pick<Call, 'header'>): string {
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
