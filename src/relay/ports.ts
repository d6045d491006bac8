import type { BillableOperation } from '../contract/prices.ts'
import type { ReasonCode } from '../contract/reasons.ts'
import type { ChargeState, StoredResponse } from '../ledger/commands.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BusinessOperations } from '../operations/operation.ts'
import type { TraceStep } from './traced-steps.ts'

export interface RelayDeps {
  readonly ledger: Ledger
  readonly charges: ChargeReader
  readonly operations: BusinessOperations
  readonly instanceId: string
  readonly callsPerKey: { readonly max: number; readonly windowSeconds: number }
  readonly clock: () => number
  /** How long a duplicate waits for the first call with its Idempotency-Key. */
  readonly duplicateWaitMs: number
  /** If false, other instances may consider this one dead, so it admits no calls. */
  readonly isLeaseHeld: () => boolean
  /** Called for every charge that goes to review, with what an operator needs to look into it. */
  readonly onUncertain: (call: UncertainCall) => void
  /** Called for every charge that its call settled. */
  readonly onSettled?: (operation: BillableOperation) => void
  /** Called when a search has added snapshots to a project. */
  readonly onSnapshotsAdded: (projectId: string) => void
  /** Runs each step in a span, if tracing is on. */
  readonly trace?: TraceStep | undefined
  /**
   * Called when the store fails to record an outcome, which is then retried; with a `ChargeLost` if it has no such charge,
   * which no retry can mend.
   */
  readonly onFault: (error: unknown, context: { chargeId: string }) => void
}

export interface FoundCharge {
  readonly state: ChargeState
  readonly response: StoredResponse | null
}

export interface ReservedCharge {
  readonly chargeId: string
  readonly projectId: string
  readonly operation: string
  readonly credits: number
  readonly instanceId: string
  readonly leavesProcess: boolean
  readonly reservedAt: number
}

export interface ChargeReader {
  find(chargeId: string): Promise<FoundCharge | undefined>
  /** By charge id, without those that do not exist. */
  findAll(chargeIds: readonly string[]): Promise<ReadonlyMap<string, FoundCharge>>
  /** Reserved charges with ids after `after`, in id order; without those of media jobs, which outlive their instance. */
  reserved(after: string, limit: number): Promise<ReservedCharge[]>
}

/** Tells the other instances that this one is alive. They recover its charges once its lease has expired. */
export interface InstanceLease {
  readonly instanceId: string
  /** Resolves when the lease is held. */
  start(): Promise<void>
  /** Gives up the lease, so that others need not wait for it to expire. */
  stop(): Promise<void>
  /** False as soon as the lease may have expired; no call may be admitted then. */
  isHeld(): boolean
  /**
   * True once this instance has held its own lease for a full period without a gap. Whatever kept it from renewing, such as
   * a suspended machine or a database that was away, may have kept the others from it too; they need that time to renew.
   */
  canRecoverOthers(): boolean
  /** The instances that hold a lease, including this one. */
  liveInstances(): Promise<string[]>
}

export interface UncertainCall {
  readonly chargeId: string
  readonly reason: ReasonCode
  readonly detail?: string
}
