import { useSyncExternalStore } from 'react'
import type { TokenKeeper } from './ask.ts'
import { isRefused } from './ask.ts'

type SessionState<Me> =
  | { readonly phase: 'unknown' }
  /** The session could not be read. */
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'out'; readonly reason: 'none' | 'expired' | 'signed-out' | 'everywhere' }
  | { readonly phase: 'in'; readonly me: Me }

interface SessionStoreOptions<Me> {
  /** Notifies other tabs that a session began or ended or that the account changed; carries no data. */
  readonly channel: string
  readonly token: TokenKeeper
  /** Reads who is signed in, together with the CSRF token for the next write. */
  readonly readMe: () => Promise<Me>
  readonly onOut?: () => void
}

export function createSessionStore<Me extends { csrfToken: string }>(options: SessionStoreOptions<Me>) {
  const { channel, token, readMe, onOut } = options
  let state: SessionState<Me> = { phase: 'unknown' }
  const listeners = new Set<() => void>()
  const otherTabs = new BroadcastChannel(channel)

  function become(next: SessionState<Me>): void {
    if (next.phase === 'out') onOut?.()
    state = next
    for (const listener of listeners) listener()
  }

  const store = {
    current: (): SessionState<Me> => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async refresh(): Promise<void> {
      await token.renew().catch((error) => {
        if (isRefused(error, 'GATEWAY_AUTH_REQUIRED')) return store.expired()
        if (state.phase !== 'in') become({ phase: 'failed', error })
      })
    },

    async started({ csrfToken }: { csrfToken: string }): Promise<void> {
      token.keep(csrfToken)
      await store.refresh()
      otherTabs.postMessage('signed-in')
    },

    /** The account changed: every tab reads it again. */
    async changed(): Promise<void> {
      await store.refresh()
      otherTabs.postMessage('changed')
    },

    expired(): void {
      if (state.phase !== 'out') become({ phase: 'out', reason: state.phase === 'in' ? 'expired' : 'none' })
    },

    async endWith(send: Parameters<TokenKeeper['askToWrite']>[0], reason: 'signed-out' | 'everywhere'): Promise<void> {
      await token.askToWrite(send).catch((error) => {
        // Already ended, which is the goal.
        if (!isRefused(error, 'GATEWAY_AUTH_REQUIRED')) throw error
      })
      token.keep('')
      otherTabs.postMessage('signed-out')
      become({ phase: 'out', reason })
    },
  }

  token.readWith(async () => {
    const me = await readMe()
    token.keep(me.csrfToken)
    become({ phase: 'in', me })
  })
  otherTabs.onmessage = ({ data }) => {
    if (data !== 'signed-out') void store.refresh()
    else if (state.phase === 'in') become({ phase: 'out', reason: 'signed-out' })
  }
  return store
}

export const useStore = <T>(store: { subscribe: (listener: () => void) => () => void; current: () => T }): T =>
  useSyncExternalStore(store.subscribe, store.current)
