import { useSyncExternalStore } from 'react'
import type { LimitSource } from '../../api/ask.ts'
import { session } from '../../api/session.ts'
import type { OperationId } from '../../api/types.ts'
import type { JsonObject } from './schema.ts'

export interface Draft {
  /** Null while unchanged from the example. */
  readonly body: JsonObject | null
  /** The text of the JSON view; null while the form is shown. */
  readonly text: string | null
  readonly idempotencyKey: string
}

export interface Outcome {
  readonly status: number
  readonly body: unknown
  readonly isReplay: boolean
  readonly requestId: string | null
  readonly tookMs: number
  /** The outcome for the credits of a streamed call. */
  readonly credits?: { readonly kind: 'charged' | 'held' | 'nothing'; readonly amount: number }
  /** The charge to link to, if there is one. */
  readonly chargeId: string | null
  /** On 402: what did not cover the price, and the key of the call. */
  readonly limit: { readonly source: LimitSource; readonly apiKey: string } | null
}

export interface Run {
  readonly isRunning: boolean
  /** What has arrived of a streamed response. */
  readonly partial?: string
  readonly outcome?: Outcome
  readonly error?: unknown
}

interface Memory {
  readonly apiKey: string
  readonly isStreaming: boolean
  readonly drafts: Partial<Readonly<Record<OperationId, Draft>>>
  readonly runs: Partial<Readonly<Record<OperationId, Run>>>
}

const nothing: Memory = { apiKey: '', isStreaming: false, drafts: {}, runs: {} }
let memory = nothing
let ownerId = accountId()
const listeners = new Set<() => void>()

/** Playground state for this tab and user. In memory only, because it contains the key. */
export const tabMemory = {
  read: (): Memory => memory,
  owner: (): string | null => ownerId,
  change(change: Partial<Memory>): void {
    memory = { ...memory, ...change }
    for (const listener of listeners) listener()
  },
}

function accountId(): string | null {
  const current = session.current()
  return current.phase === 'in' ? current.me.account.accountId : null
}

session.subscribe(() => {
  if (accountId() === ownerId) return
  ownerId = accountId()
  tabMemory.change(nothing)
})

export const useTabMemory = (): Memory =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, tabMemory.read)
