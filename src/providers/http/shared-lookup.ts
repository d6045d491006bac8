import type { LookupFunction } from 'node:net'

type LookupCallback = Parameters<LookupFunction>[2]

/**
 * Connections that ask for one name at the same time share one lookup. Each takes one of the two threads that Node has for lookups
 * until the name servers respond, and the process cannot exit before the last one is done.
 */
export function shareLookups(lookup: LookupFunction): LookupFunction {
  const waiting = new Map<string, LookupCallback[]>()
  return (hostname, options, callback) => {
    const asked = JSON.stringify([hostname, options.family, options.hints, options.all])
    const others = waiting.get(asked)
    if (others) return void others.push(callback)
    const callbacks = [callback]
    waiting.set(asked, callbacks)
    lookup(hostname, options, (...found) => {
      waiting.delete(asked)
      for (const callback of callbacks) callback(...found)
    })
  }
}
