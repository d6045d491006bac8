import type { ErrorCode } from '../contract/errors.ts'
import type { BillableOperation, Scope } from '../contract/prices.ts'
import type { Item } from '../contract/schemas/products.ts'

/** What can be asked of the books. Every command is decided exactly once, in one durable batch. */
export type Command = Admit | Refuse | End | Credit

/** Whose call it is, and what its key must allow. */
interface KeyedCommand {
  readonly projectId: string
  readonly keyId: string
  readonly scope: Scope
  readonly limit: { readonly max: number; readonly windowMs: number }
  readonly at: number
}

/** A billable call asks to be let in: it ends as a reservation, a replay or a refusal. */
export interface Admit extends KeyedCommand {
  readonly type: 'admit'
  readonly chargeId: string
  readonly operation: BillableOperation
  readonly credits: number
  readonly pricingVersion: string
  readonly leavesProcess: boolean
  readonly idempotencyDigest: string
  readonly fingerprint: string
  readonly isolationVersion: number
  readonly instanceId: string
  readonly requestId: string
}

/** A faulty call: its key and rate limit are judged first, then it is refused for its fault. */
export interface Refuse extends KeyedCommand {
  readonly type: 'refuse'
  readonly fault: ErrorCode
}

/** A charge ends: by its own call, by recovery, or (from manual_review) by an operator. */
export interface End {
  readonly type: 'end'
  readonly chargeId: string
  readonly projectId: string
  readonly from: 'reserved' | 'manual_review'
  readonly to: 'settled' | 'released' | 'manual_review'
  /** Stored for replays; null frees the Idempotency-Key for the same intent. */
  readonly response: StoredResponse | null
  readonly usage: string | null
  readonly reason: string | null
  readonly shown: readonly Item[]
  readonly decision: { readonly by: string; readonly reason: string } | null
  readonly at: number
}

/** A paid order becomes credits. */
export interface Credit {
  readonly type: 'credit'
  readonly orderId: string
  readonly projectId: string
  readonly lotId: string
  readonly at: number
}

export interface StoredResponse {
  readonly status: number
  /** The error code in the body, if it is an error. */
  readonly code: ErrorCode | null
  readonly body: string
}

export interface RefuseResult {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly retryAfterSeconds?: number
}

export type AdmitResult =
  | { readonly kind: 'reserved' }
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'under_way'; readonly chargeId: string }
  | RefuseResult

export type EndResult =
  | { readonly kind: 'ended' }
  /** Somebody else ended it first; what they stored is the answer. */
  | { readonly kind: 'already'; readonly state: ChargeState; readonly response: StoredResponse | null }
  | { readonly kind: 'unknown' }

export type CreditResult =
  | { readonly kind: 'credited'; readonly order: OrderState; readonly lotId: string }
  | {
      readonly kind: 'refused'
      readonly code: 'ORDER_NOT_FOUND' | 'ORDER_NOT_PAYABLE' | 'ORDER_CONFIRM_CONFLICT' | 'ORDER_CREDIT_CONFLICT'
    }

interface Results {
  readonly admit: AdmitResult
  readonly refuse: RefuseResult
  readonly end: EndResult
  readonly credit: CreditResult
}
export type ResultOf<C extends Command> = Results[C['type']]
export type CommandResult = Results[keyof Results]

export type ChargeState = 'reserved' | 'settled' | 'released' | 'manual_review'

export interface KeyState {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly string[]
  readonly revokedAt: number | null
  readonly expiresAt: number | null
  windowEndsAt: number
  windowUsed: number
  calls: number
  lastUsedAt: number | null
}

export interface Balance {
  readonly projectId: string
  available: number
  reserved: number
  settled: number
  credited: number
  entries: number
  /** Null before the first entry. */
  lastEntryId: number | null
}

export interface ChargeRecord {
  readonly chargeId: string
  readonly projectId: string
  readonly operation: string
  readonly credits: number
  readonly fingerprint: string
  readonly isolationVersion: number
  idempotencyDigest: string | null
  state: ChargeState
  response: StoredResponse | null
}

export interface OrderState {
  readonly orderId: string
  readonly projectId: string
  readonly amountFen: number
  readonly creditAmount: number
  readonly pricingVersion: string
  readonly createdAt: number
  state: 'pending' | 'simulated_paid' | 'credited'
  creditedAt: number | null
}

/** Entries of a project form a chain: each names the one before it, and the balance the last. */
export interface EntryRecord {
  readonly entryId: number
  readonly previousId: number | null
  readonly projectId: string
  readonly seq: number
  readonly kind: 'credit' | 'reserve' | 'settle' | 'release' | 'review'
  readonly amount: number
  readonly available: number
  readonly reserved: number
  readonly chargeId: string | null
  readonly lotId: string | null
  readonly at: number
}
