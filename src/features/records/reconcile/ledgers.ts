import type { EntryRecord } from '../../../ledger/commands.ts'
import { emptyReplay, follows, type Replay, replayNext } from '../../../ledger/replay.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { Difference, Range, Read, ReconcileContext } from './differences.ts'
import { entriesBack, entriesOf, entryPage, lastEntryId } from './rows/entries.ts'
import { closingsIn, type ProjectSums } from './rows/projects.ts'

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
  // A refund holds, withdraws and releases credits of its lot.
  const isRefund = refundKinds.has(entry.kind) && subjectOf(entry) === 'a lot'
  if (!isRefund) expect(`subject of the ${entry.kind}`, subjects[entry.kind] ?? 'a charge', subjectOf(entry))
  // Continue from the entry's own balances, so that one wrong entry is reported once.
  return { replay: { ...replay, available: entry.available, reserved: entry.reserved }, differences }
}

/** What an entry is about; a withdrawal is found through its reference. */
const subjects: Partial<Record<EntryRecord['kind'], string>> = { credit: 'a lot', grant: 'a lot', withdraw: 'nothing' }

const refundKinds: ReadonlySet<string> = new Set(['reserve', 'withdraw', 'release'])

function subjectOf({ chargeId, lotId }: EntryRecord): string {
  if (chargeId !== null && lotId !== null) return 'a charge and a lot'
  if (chargeId === null && lotId === null) return 'nothing'
  return chargeId === null ? 'a lot' : 'a charge'
}

/** The ledgers as replayed before their projects are checked. */
export interface Ledgers {
  readonly replays: Map<string, Replay>
  /** Projects with an entry that did not follow the one before; the snapshot of the check decides whether one is missing. */
  readonly interrupted: Set<string>
}

/**
 * Replays what the ledgers of a range have in common with every later snapshot, because entries never change: it needs no
 * transaction that lasts. An entry may be committed after its page was read; its project then waits for `replayRest`.
 */
export async function replayAhead(read: Read, range: Range, context: ReconcileContext): Promise<Ledgers> {
  // A ledger whose start was archived continues from its closing balance.
  const replays: Map<string, Replay> = await read((tx) => closingsIn(tx, range))
  const interrupted = new Set<string>()
  const untilEntryId = await read(lastEntryId)
  for (let pastEntryId = 0; ; ) {
    const page = await read((tx) => entryPage(tx, range, { pastEntryId, untilEntryId, limit: context.pageRows }))
    let replayed = 0
    for (const entry of page) {
      const { projectId } = entry
      const before = replays.get(projectId) ?? emptyReplay
      if (!follows(before, entry)) interrupted.add(projectId)
      if (interrupted.has(projectId)) continue
      replays.set(projectId, replay(before, [entry], context))
      replayed += 1
    }
    context.count('entries', replayed)
    if (page.length < context.pageRows) return { replays, interrupted }
    pastEntryId = page.at(-1)!.entryId
  }
}

/** Replays the entries of a project that this snapshot has and `replayAhead` has not seen. */
export async function replayRest(
  tx: Reader,
  { projectId, balance, closing }: ProjectSums,
  { replays, interrupted }: Ledgers,
  context: ReconcileContext,
): Promise<Replay> {
  const ahead = replays.get(projectId) ?? emptyReplay
  // More may have been archived since `replayAhead` read it.
  const before = closing && closing.seq > ahead.seq ? closing : ahead
  const pastEntryId = before.entryId ?? 0
  if (!interrupted.has(projectId)) {
    const last = balance?.lastEntryId ?? null
    if (last === before.entryId) return before
    // Followed back from its end, because entries are not indexed by project.
    const chain = last === null ? [] : await entriesBack(tx, { lastEntryId: last, pastEntryId })
    const isWhole = chain.every((entry) => entry.projectId === projectId)
    if (isWhole && chain[0] && follows(before, chain[0])) {
      context.count('entries', chain.length)
      return replay(before, chain, context)
    }
  }
  return replayInOrder(tx, projectId, before, context)
}

async function replayInOrder(tx: Reader, projectId: string, before: Replay, context: ReconcileContext) {
  let state = before
  for (let pastEntryId = before.entryId ?? 0; ; ) {
    const page = await entriesOf(tx, projectId, { pastEntryId, limit: context.pageRows })
    state = replay(state, page, context)
    context.count('entries', page.length)
    if (page.length < context.pageRows) return state
    pastEntryId = page.at(-1)!.entryId
  }
}

function replay(before: Replay, entries: readonly EntryRecord[], { differences }: ReconcileContext): Replay {
  let state = before
  for (const entry of entries) {
    const step = replayEntry(state, entry)
    state = step.replay
    differences.add(step.differences)
  }
  return state
}
