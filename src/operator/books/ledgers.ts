import type { EntryRecord } from '../../ledger/commands.ts'
import { emptyReplay, follows, type Replay } from '../../ledger/replay.ts'
import type { Reader } from '../../storage/engine.ts'
import type { Range, Read } from '../../storage/reconcile/range.ts'
import { entriesBack, entriesOf, entryPage, lastEntryId } from '../../storage/reconcile/reconcile-entries.ts'
import { closingsIn, type ProjectBooks } from '../../storage/reconcile/reconcile-projects.ts'
import type { ReconcileContext } from './differences.ts'
import { replayEntry } from './replay.ts'

/** How far the ledgers were replayed before their projects are checked. */
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
  // A ledger whose start was archived goes on from its closing balance.
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
  { projectId, balance, closing }: ProjectBooks,
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

async function replayInOrder(
  tx: Reader,
  projectId: string,
  before: Replay,
  context: ReconcileContext,
): Promise<Replay> {
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
