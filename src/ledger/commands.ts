import type { BlockList } from 'node:net'
import type { Sealed } from '../base/keyring.ts'
import type { BudgetPeriod } from '../contract/budget-periods.ts'
import type { OperatorErrorCode } from '../contract/error-codes/operators.ts'
import type { ErrorCode, LimitReached } from '../contract/errors.ts'
import type { ChargedOperation, Scope } from '../contract/prices.ts'
import type { Item } from '../contract/schemas/products.ts'
import type { AuditNote } from './audit.ts'
import type { JobChange, JobEnd, NewJob } from './jobs.ts'
import type { EarlierMovement, MovementRecord } from './movements.ts'
import type { Hold, PaymentCredit, RefundResults, Unhold } from './payments.ts'

/** The commands of the ledger. Each one commits with its batch or not at all. */
export type Command = Admit | Use | Refuse | Track | End | Credit | Movement | Hold | Unhold

/** The key of a call, the scope it must have and its rate limit. */
interface KeyedCommand {
  readonly projectId: string
  readonly keyId: string
  readonly scope: Scope
  readonly limit: { readonly max: number; readonly windowMs: number }
  readonly address: string
  readonly at: number
}

/** A new call. */
export interface Admit extends KeyedCommand {
  readonly type: 'admit'
  readonly chargeId: string
  readonly operation: ChargedOperation
  readonly credits: number
  readonly pricingVersion: string
  readonly leavesProcess: boolean
  readonly idempotencyDigest: string
  readonly fingerprint: string
  readonly isolationVersion: number
  readonly instanceId: string
  readonly requestId: string
  /** The job that the charge pays for: its row commits with the reservation. */
  readonly job?: NewJob
  /** The model that it asks for; absent if the operation has none. */
  readonly model?: string | undefined
  /** Whether the store remembers until its delivery that the response is still to be delivered. */
  readonly tracksDelivery?: boolean
}

/** A request that costs nothing: it counts against the rate limit of its key, whatever the key's scopes. */
export type Use = Omit<KeyedCommand, 'scope'> & { readonly type: 'use' }

/** An invalid request: refused for its fault, unless its key or rate limit refuses it first. */
export interface Refuse extends KeyedCommand {
  readonly type: 'refuse'
  readonly fault: ErrorCode
}

/** Records what the provider said about a job whose charge is still reserved. Moves no credits. */
export interface Track {
  readonly type: 'track'
  readonly chargeId: string
  readonly projectId: string
  readonly job: JobChange
  readonly at: number
}

/** Settles, releases or reviews a charge. Sent by its call, by recovery or, for a charge in review, by an operator. */
export interface End {
  readonly type: 'end'
  readonly chargeId: string
  readonly projectId: string
  readonly from: 'reserved' | 'manual_review'
  readonly to: 'settled' | 'released' | 'manual_review'
  /** Stored for replays; null frees the Idempotency-Key for a retry. */
  readonly response: StoredResponse | null
  readonly usage: string | null
  readonly reason: string | null
  /** Items that a search returned, for the pick operations to read. */
  readonly snapshots: readonly Item[]
  /** An operator's decision; its reason is stored with it. */
  readonly decision: AuditNote | null
  /** Request and response, for a key that keeps them. */
  readonly content?: Sealed
  /** The end of the job that the charge pays for: it commits with the charge. */
  readonly job?: JobEnd
  readonly at: number
}

/** Turns a paid order into credits. */
export interface Credit {
  readonly type: 'credit'
  readonly orderId: string
  readonly projectId: string
  readonly lotId: string
  /** The payment that paid the order; without it, the payment was simulated. */
  readonly payment?: PaymentCredit
  readonly at: number
}

/** Credits that an operator grants to a project or withdraws from it. */
export interface Movement {
  readonly type: 'grant' | 'withdraw'
  readonly movementId: string
  readonly projectId: string
  readonly credits: number
  /** Such as the number of a bank transfer; unique per project and type. */
  readonly reference: string
  /** The reference without case, spaces and punctuation. */
  readonly referenceKey: string
  /** Whether the operator knows of an earlier one with the same key. */
  readonly isAgain: boolean
  /** What an operator may move in 24 hours, and what may be moved in a project, without an approval; null for any. */
  readonly limit: number | null
  /** The new credit lot of a grant. */
  readonly lotId: string
  /** The approval that this carries out; null if it needs none. */
  readonly approvalId: string | null
  readonly note: AuditNote
  readonly at: number
}

export interface StoredResponse {
  readonly status: number
  /** The error code in the body; null for a success. */
  readonly code: ErrorCode | null
  readonly body: string
}

export interface RefuseResult {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly retryAfterSeconds?: number
  readonly because?: 'address' | { readonly budget: { readonly credits: number; readonly per: BudgetPeriod } }
  readonly limit?: LimitReached
}

export type AdmitResult =
  /** `logsContent` if its key keeps requests and responses. */
  | { readonly kind: 'reserved'; readonly logsContent?: true }
  | { readonly kind: 'replay'; readonly response: StoredResponse; readonly chargeId: string }
  | { readonly kind: 'under_way'; readonly chargeId: string }
  | RefuseResult

export type UseResult = { readonly kind: 'used' } | RefuseResult

export type TrackResult =
  | { readonly kind: 'tracked' }
  /** The charge has ended, so the job has too. */
  | { readonly kind: 'already' }
  | { readonly kind: 'unknown' }

export type EndResult =
  | { readonly kind: 'ended' }
  /** It was already ended, with this state and response. */
  | { readonly kind: 'already'; readonly state: ChargeState; readonly response: StoredResponse | null }
  | { readonly kind: 'unknown' }

export type CreditResult =
  | { readonly kind: 'credited'; readonly order: OrderState; readonly lotId: string }
  | {
      readonly kind: 'refused'
      readonly code: 'ORDER_NOT_FOUND' | 'ORDER_NOT_PAYABLE' | 'ORDER_CONFIRM_CONFLICT' | 'ORDER_CREDIT_CONFLICT'
    }

export type MovementResult =
  | { readonly kind: 'moved'; readonly movement: MovementRecord; readonly replayed: boolean }
  | { readonly kind: 'pending'; readonly approvalId: string }
  /** With it, more than the limit would be moved in 24 hours. */
  | { readonly kind: 'needs_approval' }
  | { readonly kind: 'refused'; readonly code: OperatorErrorCode; readonly earlier?: EarlierMovement }

interface Results extends RefundResults {
  readonly admit: AdmitResult
  readonly use: UseResult
  readonly refuse: RefuseResult
  readonly track: TrackResult
  readonly end: EndResult
  readonly credit: CreditResult
  readonly grant: MovementResult
  readonly withdraw: MovementResult
}
export type ResultOf<C extends Command> = Results[C['type']]
export type CommandResult = Results[keyof Results]

export type ChargeState = 'reserved' | 'settled' | 'released' | 'manual_review'

export interface KeyState {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly string[]
  /** When it was revoked or its account suspended; null while it may be used. */
  readonly blockedAt: number | null
  readonly expiresAt: number | null
  /** Null allows every requester. */
  readonly allowed: BlockList | null
  /** Null if its rotation chain never had a budget. */
  readonly budgetId: string | null
  /** Whether its callers may know the balance of the project. */
  readonly showsBalance: boolean
  /** Whether what its callers send and receive is kept for a while. */
  readonly logsContent: boolean
  readonly settingsVersion: number
  windowEndsAt: number
  windowUsed: number
  calls: number
  lastUsedAt: number | null
  lastUsedFrom: string | null
}

/** The budget that the keys of a rotation chain share. */
export interface BudgetState {
  readonly budgetId: string
  /** Null if it was removed. */
  readonly credits: number | null
  readonly per: BudgetPeriod
  /** When counting began: at the start of the period, or when the budget was set. Never the same for two periods. */
  periodFrom: number
  /** Credits reserved in this period and not released. */
  spent: number
  /** The first refusal of this period. */
  reachedAt: number | null
  /** The counts of other periods, for a clock that was ahead or late; see `countsOf`. */
  otherCounts: string
}

export interface Balance {
  readonly projectId: string
  available: number
  reserved: number
  settled: number
  /** The credits of all lots, less what operators withdrew. */
  credited: number
  entries: number
  lastEntryId: number | null
  /** Available credits below which the payer is notified; null for the default. */
  readonly lowBalanceCredits: number | null
  /** The first call since the last credit that was refused for lack of credits. */
  emptyAt: number | null
}

export interface ChargeRecord {
  readonly chargeId: string
  readonly projectId: string
  readonly operation: string
  readonly credits: number
  readonly fingerprint: string
  readonly isolationVersion: number
  /** The budget and its period that the charge counts against; null for a key without a budget. */
  readonly budgetId: string | null
  readonly budgetPeriod: number | null
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
  state: 'pending' | 'simulated_paid' | 'credited' | 'cancelled'
  creditedAt: number | null
  /** While its payment is in review: the transaction that an operator decided to credit, empty for none. */
  readonly reviewedTransaction?: string | null
}

/** The entries of a project form a chain: each has the id of the one before it, and the balance has the last id. */
export interface EntryRecord {
  readonly entryId: number
  readonly previousId: number | null
  readonly projectId: string
  readonly seq: number
  readonly kind: 'credit' | 'reserve' | 'settle' | 'release' | 'review' | Movement['type']
  readonly amount: number
  readonly available: number
  readonly reserved: number
  readonly chargeId: string | null
  readonly lotId: string | null
  readonly at: number
}
