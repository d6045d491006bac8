import { networkInterfaces } from 'node:os'
import { singleHeader } from '../guards.ts'
import type { Call } from '../route.ts'

export interface OperatorHosts {
  /** Every Host that is the listener's own; a foreign one is 421, so that no other name can be bound to this address. */
  readonly accepted: ReadonlySet<string>
  /** Adds the names of the address that the listener is bound to. */
  readonly bind: (address: { host: string; port: number }) => void
  /** The origin of a page that the request's Host serves. */
  readonly originOf: (call: Pick<Call, 'header'>) => string
}

/** Behind a proxy the listener also has the host of `proxied`, with its scheme. */
export function createOperatorHosts(proxied: URL | null): OperatorHosts {
  const accepted = new Set<string>(proxied ? [proxied.host] : [])
  return {
    accepted,
    bind({ host, port }) {
      for (const name of namesOf(host)) {
        accepted.add(`${name}:${port}`)
        if (port === 80) accepted.add(name)
      }
    },
    originOf(call) {
      const host = singleHeader(call as Call, 'host') ?? ''
      return host === proxied?.host ? proxied.origin : `http://${host}`
    },
  }
}

const loopbackNames = ['127.0.0.1', '[::1]', 'localhost']

export const isLoopbackAddress = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

function namesOf(host: string): string[] {
  if (host === '0.0.0.0' || host === '::') return [...loopbackNames, ...ownAddresses()]
  const own = inUrl(host)
  return isLoopbackAddress(host) ? [...loopbackNames, own] : [own]
}

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => inUrl(address)))

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)
