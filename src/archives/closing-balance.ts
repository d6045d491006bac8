import { emptyReplay, follows, type Replay, replayNext } from '../ledger/replay.ts'
import type { StoredEntry } from './stored-entry.ts'

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
export type CutEnd = 'read' | 'young' | 'open' | 'wrong'

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
