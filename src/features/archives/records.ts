import { isoOf, reportingZone } from '../../base/time.ts'
import type { ChargeState, EntryRecord } from '../../ledger/commands.ts'
import { emptyReplay, follows, type Replay, replayNext } from '../../ledger/replay.ts'

/** A ledger entry with what it was for. */
export interface StoredEntry extends EntryRecord {
  readonly operation: string | null
  readonly orderId: string | null
  /** External reference of a grant or withdrawal. */
  readonly reference: string | null
  /** Null if it has no charge, or if its charge is missing. */
  readonly chargeState: ChargeState | null
}

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
  enteredAt: isoOf(entry.at),
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

/** The month of a time, such as 2026-01, in the time zone of the reports. */
export const monthOf = (at: number): string => isoOf(at + reportingZone.offsetMs).slice(0, 7)

export const archiveFileName = (month: string, part: number): string =>
  part === 1 ? `${month}.jsonl.gz` : `${month}.part-${part}.jsonl.gz`

/** A project's ledger as it stood after its last archived entry. */
export interface ClosingBalance extends Replay {
  /** Archived charges, and archived entries of credit lots. */
  readonly charges: number
  readonly lots: number
  /** The latest time of an archived entry. */
  readonly archivedUntil: number
}

export const nothingArchived: ClosingBalance = { ...emptyReplay, charges: 0, lots: 0, archivedUntil: 0 }

/** Why a cut ended where it did: no more entries were read, the next is too young, belongs to an open charge, or is wrong. */
type CutEnd = 'read' | 'young' | 'open' | 'wrong'

export interface Cut {
  readonly entries: readonly StoredEntry[]
  /** The charges that ended in these entries. */
  readonly chargeIds: readonly string[]
  readonly closing: ClosingBalance
  readonly end: CutEnd
}

/**
 * The longest start of the entries that may be archived. It stops before the first entry of a charge that is open, because
 * recovery and reviews find open charges through the ledger, and before an entry that does not add up: archiving must not
 * remove the evidence.
 */
export function cutLedger(before: ClosingBalance, entries: readonly StoredEntry[], olderThan: number): Cut {
  let closing = before
  const taken: StoredEntry[] = []
  const chargeIds: string[] = []
  const ended = (end: CutEnd): Cut => ({ entries: taken, chargeIds, closing, end })
  for (const entry of entries) {
    if (entry.at >= olderThan) return ended('young')
    if (!isRight(closing, entry)) return ended('wrong')
    if (entry.chargeState === 'reserved' || entry.chargeState === 'manual_review') return ended('open')
    const isEnd = entry.kind === 'settle' || entry.kind === 'release'
    if (isEnd) chargeIds.push(entry.chargeId!)
    closing = {
      ...replayNext(closing, entry),
      charges: closing.charges + (isEnd ? 1 : 0),
      lots: closing.lots + (entry.lotId === null ? 0 : 1),
      archivedUntil: Math.max(closing.archivedUntil, entry.at),
    }
    taken.push(entry)
  }
  return ended('read')
}

function isRight(before: ClosingBalance, entry: StoredEntry): boolean {
  const { available, reserved } = replayNext(before, entry)
  const hasSubject = entry.chargeId === null || entry.chargeState !== null
  return follows(before, entry) && available === entry.available && reserved === entry.reserved && hasSubject
}

/** A project that may have something to archive. */
export interface ArchiveCandidate {
  readonly projectId: string
  /** The number of its last entry, which is never archived. */
  readonly lastSeq: number
  readonly closing: ClosingBalance | null
}

/** What is recorded of the content of an archive file. */
export interface FileMark {
  readonly bytes: number
  readonly sha256: string
}

export interface ArchiveFile extends FileMark {
  readonly fileName: string
  /** Such as 2026-01, in the time zone of the reports. */
  readonly month: string
  readonly part: number
  readonly entries: number
  readonly charges: number
  readonly host: string
}

/** An archive file that a page was added to. */
export interface FileChange {
  /** As it was recorded; null for a new file. */
  readonly before: ArchiveFile | null
  readonly after: ArchiveFile
}

/** What one page takes from one ledger. */
export interface ArchivedSlice {
  readonly projectId: string
  readonly before: ClosingBalance | null
  readonly after: ClosingBalance
  readonly entryIds: readonly number[]
  readonly charges: readonly ArchivedCharge[]
}

export interface ArchivePage {
  readonly slices: readonly ArchivedSlice[]
  readonly files: readonly FileChange[]
}

export interface ArchiveClaim {
  readonly holder: string
  readonly at: number
  readonly until: number
}

/** What the store knows about the time. */
export interface StoreTimes {
  readonly databaseMs: number
  /** Null while no ledger has an entry. */
  readonly newestEntryMs: number | null
}

export interface ArchiveStore {
  readonly times: () => Promise<StoreTimes>
  /** Takes or renews the claim; false if somebody else holds it. */
  readonly claim: (claim: ArchiveClaim) => Promise<boolean>
  readonly unclaim: (holder: string) => Promise<void>
  /** Projects after the one named that were created before a time and have more than one entry in the store. */
  readonly candidates: (after: string, createdBefore: number, limit: number) => Promise<ArchiveCandidate[]>
  /** The first entries of a ledger after `closing`; only the first one if that is too young. Never the last of the ledger. */
  readonly firstEntries: (
    candidate: ArchiveCandidate,
    options: { readonly olderThan: number; readonly limit: number },
  ) => Promise<StoredEntry[]>
  readonly charges: (chargeIds: readonly string[]) => Promise<ArchivedCharge[]>
  /** All archive files, by month and part. */
  readonly files: () => Promise<ArchiveFile[]>
  /**
   * Removes the rows of a page and records where they went, in one transaction. Throws `ArchiveConflict` if anything is not
   * as it was read.
   */
  readonly commit: (page: ArchivePage, claim: ArchiveClaim) => Promise<void>
  /** Forgets Idempotency-Keys of charges that were archived before a time; returns how many. */
  readonly pruneKeys: (archivedBefore: number, limit: number) => Promise<number>
}

/** The store changed under a page, which was not committed: somebody else archives too. */
export class ArchiveConflict extends Error {
  override readonly name = 'ArchiveConflict'
}
