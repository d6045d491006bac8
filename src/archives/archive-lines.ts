import { reportingZone } from '../contract/console/reporting-zone.ts'
import type { ChargeState, EntryRecord } from '../ledger/commands.ts'
import type { StoredEntry } from './stored-entry.ts'

/** A line of an archive file. The names are those of the API; docs/archives.md explains them. */
export type ArchiveLine = ({ readonly type: 'entry' } & ArchivedEntry) | ({ readonly type: 'charge' } & ArchivedCharge)

export interface ArchivedEntry {
  readonly projectId: string
  readonly seq: number
  readonly entryId: number
  readonly previousEntryId: number | null
  readonly kind: EntryRecord['kind']
  readonly amount: number
  readonly available: number
  readonly reserved: number
  readonly chargeId: string | null
  readonly operation: string | null
  readonly creditLotId: string | null
  readonly orderId: string | null
  readonly reference: string | null
  readonly enteredAt: string
}

export interface ArchivedCharge {
  readonly chargeId: string
  readonly projectId: string
  readonly keyId: string
  readonly operation: string
  readonly credits: number
  readonly pricingVersion: string
  readonly state: ChargeState
  readonly requestId: string
  readonly reservedAt: string
  readonly endedAt: string
  readonly reason: string | null
  readonly usage: unknown
  /** Null if the Idempotency-Key was free again. */
  readonly idempotencyDigest: string | null
  readonly fingerprint: string
  readonly isolationVersion: number
  readonly leavesProcess: boolean
  readonly instanceId: string
  readonly budgetId: string | null
  readonly budgetPeriod: number | null
  readonly decision: ArchivedDecision | null
  readonly mediaJob: ArchivedJob | null
}

export interface ArchivedDecision {
  readonly decision: string
  readonly reason: string
  readonly decidedBy: string
  readonly decidedAt: string
}

export interface ArchivedJob {
  readonly jobId: string
  readonly provider: string
  readonly providerId: string | null
  readonly prompt: string
  readonly seconds: number
  readonly size: string
  readonly testOnly: boolean
  readonly status: string
  readonly errorCode: string | null
  readonly createdAt: string
  readonly finishedAt: string
  readonly contentType: string | null
  readonly contentBytes: number | null
  readonly contentSha256: string | null
}

export const entryLine = (entry: StoredEntry): ArchiveLine => ({
  type: 'entry',
  projectId: entry.projectId,
  seq: entry.seq,
  entryId: entry.entryId,
  previousEntryId: entry.previousId,
  kind: entry.kind,
  amount: entry.amount,
  available: entry.available,
  reserved: entry.reserved,
  chargeId: entry.chargeId,
  operation: entry.operation,
  creditLotId: entry.lotId,
  orderId: entry.orderId,
  reference: entry.reference,
  enteredAt: isoTime(entry.at),
})

export const chargeLine = (charge: ArchivedCharge): ArchiveLine => ({ type: 'charge', ...charge })

/** The entry as it was in the store. */
export const entryOf = (line: ArchivedEntry): EntryRecord => ({
  entryId: line.entryId,
  previousId: line.previousEntryId,
  projectId: line.projectId,
  seq: line.seq,
  kind: line.kind,
  amount: line.amount,
  available: line.available,
  reserved: line.reserved,
  chargeId: line.chargeId,
  lotId: line.creditLotId,
  at: Date.parse(line.enteredAt),
})

export const isoTime = (at: number): string => new Date(at).toISOString()

/** The month of a time, such as 2026-01, in the time zone of the reports. */
export const monthOf = (at: number): string => isoTime(at + reportingZone.offsetMs).slice(0, 7)

export const archiveFileName = (month: string, part: number): string =>
  part === 1 ? `${month}.jsonl.gz` : `${month}.part-${part}.jsonl.gz`
