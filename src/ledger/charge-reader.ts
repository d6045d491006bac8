import type { ChargeState, StoredResponse } from './commands.ts'

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
  /** Reserved charges with ids after `after`, in id order; without those that pay for a job, which outlives its instance. */
  reserved(after: string, limit: number): Promise<ReservedCharge[]>
}
