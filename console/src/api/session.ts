import { useSyncExternalStore } from 'react'
import { forgetEarlyReads } from './early-reads.ts'
import { ask, askToWrite, gateway, keepCsrfToken, readTokenWith, renewToken } from './gateway.ts'
import { isRefused } from './refusal.ts'
import type { Me } from './types.ts'

export type SessionState =
  | { readonly phase: 'unknown' }
  /** Whether somebody is signed in could not be found out. */
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'out'; readonly reason: 'none' | 'expired' | 'signed-out' | 'everywhere' }
  | { readonly phase: 'in'; readonly me: Me }

let state: SessionState = { phase: 'unknown' }
const listeners = new Set<() => void>()
// Other tabs learn at once that a sign-in began or ended, or that the account changed; nothing but that is told.
const otherTabs = new BroadcastChannel('gateway-console')

function become(next: SessionState): void {
  if (next.phase === 'out') forgetEarlyReads()
  state = next
  for (const tell of listeners) tell()
}

/** Who is signed in on this page. */
export const session = {
  current: (): SessionState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },

  /** Reads the account; with it comes the token that the next write has to carry. */
  async refresh(): Promise<void> {
    await renewToken().catch((error) => {
      if (isRefused(error, 'GATEWAY_AUTH_REQUIRED')) return session.expired()
      if (state.phase !== 'in') become({ phase: 'failed', error })
    })
  },

  async started({ csrfToken }: { csrfToken: string }): Promise<void> {
    keepCsrfToken(csrfToken)
    await session.refresh()
    otherTabs.postMessage('signed-in')
  },

  /** The account was changed here: every tab reads it again. */
  async changed(): Promise<void> {
    await session.refresh()
    otherTabs.postMessage('changed')
  },

  expired(): void {
    if (state.phase !== 'out') become({ phase: 'out', reason: state.phase === 'in' ? 'expired' : 'none' })
  },

  async signOut(): Promise<void> {
    await endWith(() => gateway.POST('/auth/logout', { body: {} }))
    become({ phase: 'out', reason: 'signed-out' })
  },

  async signOutEverywhere(): Promise<void> {
    await endWith(() => gateway.POST('/console/sessions/end-all', { body: {} }))
    become({ phase: 'out', reason: 'everywhere' })
  },
}

async function endWith(send: Parameters<typeof askToWrite>[0]): Promise<void> {
  await askToWrite(send).catch((error) => {
    // It was over before: that is what was asked for.
    if (!isRefused(error, 'GATEWAY_AUTH_REQUIRED')) throw error
  })
  keepCsrfToken('')
  otherTabs.postMessage('signed-out')
}

readTokenWith(async () => {
  const me = await ask(() => gateway.GET('/me'))
  keepCsrfToken(me.csrfToken)
  become({ phase: 'in', me })
})
otherTabs.onmessage = ({ data }) => {
  if (data !== 'signed-out') void session.refresh()
  else if (state.phase === 'in') become({ phase: 'out', reason: 'signed-out' })
}

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.current)

/** The account, on pages that only a signed-in person sees. */
export function useMe(): Me {
  const current = useSession()
  if (current.phase !== 'in') throw new Error('nobody is signed in')
  return current.me
}
