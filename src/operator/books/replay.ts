import type { EntryRecord } from '../../ledger/commands.ts'
import type { Difference } from './differences.ts'

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

/** Whether an entry is the next one of its ledger. */
export const follows = (before: Replay, entry: EntryRecord): boolean =>
  entry.seq === before.seq + 1 && entry.previousId === before.entryId

/** I6: replays one entry and checks its number, its link to the previous one and its running balances. */
export function replayEntry(before: Replay, entry: EntryRecord): { replay: Replay; differences: Difference[] } {
  const effect = effects[entry.kind]
  const replay = {
    entryId: entry.entryId,
    seq: entry.seq,
    available: before.available + effect.available * entry.amount,
    reserved: before.reserved + effect.reserved * entry.amount,
    settled: before.settled + effect.settled * entry.amount,
    credited: before.credited + effect.credited * entry.amount,
    granted: before.granted + (entry.kind === 'grant' ? entry.amount : 0),
    withdrawn: before.withdrawn + (entry.kind === 'withdraw' ? entry.amount : 0),
  }
  const differences: Difference[] = []
  const expect = (what: string, expected: string | number, found: string | number) => {
    if (expected === found) return
    differences.push({
      invariant: 'I6',
      projectId: entry.projectId,
      at: `entry ${entry.seq}`,
      what,
      expected,
      found,
    })
  }
  expect('number of the entry', before.seq + 1, entry.seq)
  // After a gap in the numbers, the link cannot match either.
  if (entry.seq === before.seq + 1) expect('the entry before it', before.entryId ?? 'none', entry.previousId ?? 'none')
  expect('running available', replay.available, entry.available)
  expect('running reserved', replay.reserved, entry.reserved)
  expect(`subject of the ${entry.kind}`, subjects[entry.kind] ?? 'a charge', subjectOf(entry))
  // Continue from the entry's own balances, so that one wrong entry is reported once.
  return { replay: { ...replay, available: entry.available, reserved: entry.reserved }, differences }
}

/** What an entry is about; a withdrawal is found through its reference. */
const subjects: Partial<Record<EntryRecord['kind'], string>> = { credit: 'a lot', grant: 'a lot', withdraw: 'nothing' }

function subjectOf({ chargeId, lotId }: EntryRecord): string {
  if (chargeId !== null && lotId !== null) return 'a charge and a lot'
  if (chargeId === null && lotId === null) return 'nothing'
  return chargeId === null ? 'a lot' : 'a charge'
}
