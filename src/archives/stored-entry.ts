import type { ChargeState, EntryRecord } from '../ledger/commands.ts'

/** A ledger entry with what it was for. */
export interface StoredEntry extends EntryRecord {
  readonly operation: string | null
  readonly orderId: string | null
  /** External reference of a grant or withdrawal. */
  readonly reference: string | null
  /** Null if it has no charge, or if its charge is missing. */
  readonly chargeState: ChargeState | null
}
