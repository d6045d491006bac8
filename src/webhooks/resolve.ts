import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLocalhost } from './target.ts'

/** The addresses of a name. Rejects if it has none. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks the name servers directly. `dns.lookup` would share its two threads with the connections to providers, and a name whose
 * servers never answer would hold them up.
 */
export const resolveName: ResolveName = async (name, signal) => {
  if (isIP(name) !== 0) return [name]
  if (isLocalhost(name)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 2500, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
