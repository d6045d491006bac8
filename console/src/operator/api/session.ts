import { type Permission, permits } from '../../../../src/operator-kit/roles.ts'
import { ask } from '../../api/ask.ts'
import { createSessionStore, useStore } from '../../api/session-store.ts'
import { operatorApi, token } from './client.ts'
import type { SignedInOperator } from './types.ts'

const store = createSessionStore<SignedInOperator>({
  channel: 'gateway-operator',
  token,
  readMe: () => ask(() => operatorApi.GET('/me')),
})

export const operatorSession = {
  ...store,
  signOut: () => store.endWith(() => operatorApi.POST('/sign-out', { body: {} }), 'signed-out'),
}

export const useOperatorSession = () => useStore(store)

/** The signed-in operator; only for pages behind the sign-in. */
export function useOperator(): SignedInOperator {
  const current = useOperatorSession()
  if (current.phase !== 'in') throw new Error('no operator is signed in')
  return current.me
}

/** Whether the operator's role permits it. Hides what is not permitted; the gateway enforces it. */
export function useMay(permission: Permission): boolean {
  return permits(useOperator().role, permission)
}

/** What the operator has to do first, learned from the gateway's refusals; null if nothing. */
type FirstStep = 'password' | 'totp' | null

let due: FirstStep = null
const listeners = new Set<() => void>()

export const firstStep = {
  current: () => due,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  become(next: FirstStep): void {
    due = next
    for (const listener of listeners) listener()
  },
}

export const useFirstStep = (): FirstStep => useStore(firstStep)
