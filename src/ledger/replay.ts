import type { EntryRecord } from './commands.ts'

/** The state of a project's ledger after the entries replayed so far. */
export interface Replay {
  /** Null before the first entry. */
  readonly entryId: number | null
  readonly seq: number
  readonly available: number
  readonly reserved: number
  readonly settled: number
  readonly credited: number
  /** Credits that operators granted and withdrew. */
  readonly granted: number
  readonly withdrawn: number
}

export const emptyReplay: Replay = {
  entryId: null,
  seq: 0,
  available: 0,
  reserved: 0,
  settled: 0,
  credited: 0,
  granted: 0,
  withdrawn: 0,
}

/** The state after one more entry, by its kind and amount alone. */
export function replayNext(before: Replay, { entryId, seq, kind, amount, lotId }: EntryRecord): Replay {
  // Of a refund, whose credits were held before.
  const effect = kind === 'withdraw' && lotId !== null ? refunded : effects[kind]
  return {
    entryId,
    seq,
    available: before.available + effect.available * amount,
    reserved: before.reserved + effect.reserved * amount,
    settled: before.settled + effect.settled * amount,
    credited: before.credited + effect.credited * amount,
    granted: before.granted + (kind === 'grant' ? amount : 0),
    withdrawn: before.withdrawn + (kind === 'withdraw' ? amount : 0),
  }
}

/** Whether an entry is the next one of its ledger. */
export const follows = (before: Replay, entry: EntryRecord): boolean =>
  entry.seq === before.seq + 1 && entry.previousId === before.entryId

type EntryEffect = Readonly<Record<'available' | 'reserved' | 'settled' | 'credited', -1 | 0 | 1>>

const effects: Readonly<Record<EntryRecord['kind'], EntryEffect>> = {
  credit: { available: 1, reserved: 0, settled: 0, credited: 1 },
  reserve: { available: -1, reserved: 1, settled: 0, credited: 0 },
  settle: { available: 0, reserved: -1, settled: 1, credited: 0 },
  release: { available: 1, reserved: -1, settled: 0, credited: 0 },
  review: { available: 0, reserved: 0, settled: 0, credited: 0 },
  grant: { available: 1, reserved: 0, settled: 0, credited: 1 },
  withdraw: { available: -1, reserved: 0, settled: 0, credited: -1 },
}

const refunded: EntryEffect = { available: 0, reserved: -1, settled: 0, credited: -1 }
