import type { ChargeState, StoredResponse } from '../ledger/commands.ts'

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
  /** Reserved charges in the order of their ids, past `after`. */
  reserved(after: string, limit: number): Promise<ReservedCharge[]>
}

/** This instance's claim on the store, by which the others know that its calls are still under way. */
export interface InstanceLease {
  readonly instanceId: string
  /** Resolves once the claim is in force. */
  start(): Promise<void>
  /** Gives the claim up, so that others need not wait for it to run out. */
  stop(): Promise<void>
  /** False as soon as the claim may have run out: nothing new must be admitted then. */
  isHeld(): boolean
  /**
   * False for the time of one claim after this instance's own had run out: whatever paused this one, such as a suspended
   * machine, may have paused the others too, and they need the time to come back.
   */
  canJudgeOthers(): boolean
  /** The instances whose claims are in force, this one included. */
  liveInstances(): Promise<string[]>
}
