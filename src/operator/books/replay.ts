import type { EntryRecord } from '../../ledger/commands.ts'
import { type Replay, replayNext } from '../../ledger/replay.ts'
import type { Difference } from './differences.ts'

/** I6: replays one entry and checks its number, its link to the previous one and its running balances. */
export function replayEntry(before: Replay, entry: EntryRecord): { replay: Replay; differences: Difference[] } {
  const replay = replayNext(before, entry)
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
