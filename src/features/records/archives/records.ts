import { isoOf, reportingZone } from '../../../base/time.ts'
import type { ChargeState, EntryRecord } from '../../../ledger/commands.ts'
import { emptyReplay, follows, type Replay, replayNext } from '../../../ledger/replay.ts'
import { chargeColumns } from '../../../storage/charge-columns.ts'
import { flag, integer, type MappedColumn, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'

export interface StoredEntry extends EntryRecord {
  readonly operation: string | null
  readonly orderId: string | null
  readonly reference: string | null
  /** Null if it has no charge, or if its charge is missing. */
  readonly chargeState: ChargeState | null
  /** Of the refund whose credits it holds; null if it holds none. */
  readonly refundState: string | null
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

const time: MappedColumn<string> = { decode: (at: number) => isoOf(at) }

export const decisionRows = rowMapper('review_decisions', {
  chargeId: text(),
  decision: text(),
  reason: text(),
  decidedBy: text(),
  decidedAt: time,
})

export const jobRows = rowMapper('media_jobs', {
  chargeId: text(),
  jobId: text(),
  provider: text(),
  providerId: orNull(text()),
  prompt: text(),
  seconds: integer(),
  size: text(),
  testOnly: flag(),
  status: text(),
  errorCode: orNull(text()),
  createdAt: time,
  finishedAt: time,
  contentType: orNull(text()),
  contentBytes: orNull(integer()),
  contentSha256: orNull(text()),
})

/** Every column of a charge. Fields that are newer than a charge are null, or absent if an older version archived it. */
export const chargeRows = rowMapper('charges', {
  ...chargeColumns,
  reservedAt: time,
  endedAt: time,
  usage: orNull<unknown>({ decode: (stored: string) => JSON.parse(stored) }),
})

export type ArchivedCharge = RowOf<typeof chargeRows.columns> & {
  readonly decision: Omit<RowOf<typeof decisionRows.columns>, 'chargeId'> | null
  readonly mediaJob: Omit<RowOf<typeof jobRows.columns>, 'chargeId'> | null
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

export const closingRows = rowMapper('closing_balances', {
  projectId: text(),
  entryId: integer('last_entry_id'),
  seq: integer('entries'),
  available: integer(),
  reserved: integer(),
  settled: integer(),
  credited: integer(),
  granted: integer(),
  withdrawn: integer(),
  /** Archived charges, and archived entries of credit lots. */
  charges: integer(),
  lots: integer(),
  /** The latest time of an archived entry. */
  archivedUntil: integer(),
})

export type ProjectClosing = RowOf<typeof closingRows.columns>

export interface ClosingBalance extends Replay, Pick<ProjectClosing, 'charges' | 'lots' | 'archivedUntil'> {}

export const nothingArchived: ClosingBalance = { ...emptyReplay, charges: 0, lots: 0, archivedUntil: 0 }

/** Why a cut ended where it did: no more entries were read, the next is too young, belongs to an open charge, or is wrong. */
type CutEnd = 'read' | 'young' | 'open' | 'wrong'

export interface Cut {
  readonly entries: readonly StoredEntry[]
  readonly chargeIds: readonly string[]
  readonly closing: ClosingBalance
  readonly end: CutEnd
}

/**
 * The longest start of the entries that may be archived. It stops before the first entry of a charge or refund that is open,
 * because recovery and reviews find open charges through the ledger, and before an entry that does not add up: archiving must
 * not remove the evidence.
 */
export function cutLedger(before: ClosingBalance, entries: readonly StoredEntry[], olderThan: number): Cut {
  let closing = before
  const taken: StoredEntry[] = []
  const chargeIds: string[] = []
  const ended = (end: CutEnd): Cut => ({ entries: taken, chargeIds, closing, end })
  for (const entry of entries) {
    if (entry.at >= olderThan) return ended('young')
    if (!isRight(closing, entry)) return ended('wrong')
    if (isOpen(entry)) return ended('open')
    const isEnd = (entry.kind === 'settle' || entry.kind === 'release') && entry.chargeId !== null
    if (isEnd) chargeIds.push(entry.chargeId!)
    closing = {
      ...replayNext(closing, entry),
      charges: closing.charges + (isEnd ? 1 : 0),
      lots: closing.lots + (entry.kind === 'credit' || entry.kind === 'grant' ? 1 : 0),
      archivedUntil: Math.max(closing.archivedUntil, entry.at),
    }
    taken.push(entry)
  }
  return ended('read')
}

const isOpen = ({ chargeState, refundState }: StoredEntry): boolean =>
  chargeState === 'reserved' ||
  chargeState === 'manual_review' ||
  (refundState !== null && refundState !== 'refunded' && refundState !== 'returned')

function isRight(before: ClosingBalance, entry: StoredEntry): boolean {
  const { available, reserved } = replayNext(before, entry)
  const hasSubject = entry.chargeId === null || entry.chargeState !== null
  return follows(before, entry) && available === entry.available && reserved === entry.reserved && hasSubject
}

/** A project that may have something to archive. */
export interface ArchiveCandidate {
  readonly projectId: string
  /** Its last entry, or the first that is not in the public tree: neither is archived. */
  readonly lastSeq: number
  readonly closing: ClosingBalance | null
}

/** What is recorded of the content of an archive file. */
export interface FileMark {
  readonly bytes: number
  readonly sha256: string
}

export const fileRows = rowMapper('archive_files', {
  fileName: text(),
  /** Such as 2026-01, in the time zone of the reports. */
  month: text(),
  part: integer(),
  bytes: integer(),
  sha256: text(),
  entries: integer(),
  charges: integer(),
  host: text(),
  createdAt: integer(),
  changedAt: integer(),
})

export type ArchiveFile = Omit<RowOf<typeof fileRows.columns>, 'createdAt' | 'changedAt'>

export interface PageMark {
  readonly start: number
  readonly bytes: number
}

export interface PageSlice {
  readonly projectId: string
  readonly firstSeq: number
  readonly lastSeq: number
  readonly latestAt: number
}

export interface FileChange {
  /** As it was recorded; null for a new file. */
  readonly before: ArchiveFile | null
  readonly after: ArchiveFile
  readonly page: PageMark
  readonly subjects: readonly string[]
  readonly slices: readonly PageSlice[]
}

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
}

/** The store changed while a page was written, so it was not committed: another program is archiving. */
export class ArchiveConflict extends Error {
  override readonly name = 'ArchiveConflict'
}
