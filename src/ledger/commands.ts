import type { ErrorCode } from '../contract/errors.ts'
import type { BillableOperation, Scope } from '../contract/prices.ts'
import type { Item } from '../contract/schemas/products.ts'

/** What can be asked of the books. Every command is decided exactly once, in one durable batch. */
export type Command = Admit | End | Credit

/** One billable call asks to be let in: it ends as a reservation, a replay or a refusal. */
export interface Admit {
  readonly type: 'admit'
  readonly chargeId: string
  readonly projectId: string
  readonly keyId: string
  readonly scope: Scope
  readonly limit: { readonly max: number; readonly windowMs: number }
  /** A fault already found in the request; it is answered only after the key and its limit were judged. */
  readonly fault: ErrorCode | null
  readonly operation: BillableOperation
  readonly credits: number
  readonly pricingVersion: string
  readonly leavesProcess: boolean
  readonly idempotencyDigest: string
  readonly fingerprint: string
  readonly isolationVersion: number
  readonly instanceId: string
  readonly requestId: string
  readonly at: number
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
  readonly body: string
}

export type AdmitResult =
  | { readonly kind: 'reserved' }
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'under_way'; readonly chargeId: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly retryAfterSeconds?: number }

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

export type ResultOf<C extends Command> = C extends Admit ? AdmitResult : C extends End ? EndResult : CreditResult
export type Result = AdmitResult | EndResult | CreditResult

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

export interface Charge {
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
export interface Entry {
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
