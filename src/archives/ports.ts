import type { ArchivedCharge } from './archive-lines.ts'
import type { ClosingBalance } from './closing-balance.ts'
import type { StoredEntry } from './stored-entry.ts'

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
