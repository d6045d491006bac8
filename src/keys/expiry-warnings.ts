import { keyExpiring } from './key-events.ts'
import { stateOf } from './keys.ts'
import { nextExpiryWarning } from './next-expiry-warning.ts'
import type { DueWarning, KeyStore } from './ports.ts'

/** Tells the owners of keys that expire soon, at most `limit` of them. Returns how many warnings were due. */
export function createExpiryWarnings({ store, clock }: { store: KeyStore; clock: () => number }) {
  /** In a transaction of its own, so that no batch waits for the locks of several keys. */
  const warn = ({ projectId, keyId, expiresAt, dueAt }: DueWarning, now: number) =>
    store.write(async (tx) => {
      // Of two instances one moves it on. Whoever changes the expiry moves it too, to a later time than now.
      if (!(await tx.moveExpiryWarning(keyId, { from: dueAt, to: nextExpiryWarning(expiresAt, now) }))) return
      const key = await tx.find(projectId, keyId)
      if (key && stateOf(key, now) === 'active') await tx.addEvent(keyExpiring(key, expiresAt, now))
    })

  return async (limit: number): Promise<number> => {
    const now = clock()
    const due = await store.read((tx) => tx.expiryWarnings(now, limit))
    for (const warning of due) await warn(warning, now)
    return due.length
  }
}
