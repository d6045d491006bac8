import type { ArchiveDirectory } from '../archives/directory.ts'
import { type ClosingBalance, entryOf, nothingArchived } from '../archives/records.ts'
import { archiveFiles } from '../archives/store.ts'
import type { Difference, Range, Read, ReconcileContext } from './differences.ts'
import { replayEntry } from './ledgers.ts'
import { closingsIn, nextRangeEnd } from './rows/projects.ts'

export interface ArchiveCheck {
  readonly files: number
  /** Recorded files that were not found. Each is a difference; the rows of the store are checked all the same. */
  readonly missing: readonly string[]
  /** Archived entries that were replayed; 0 if a file is missing or damaged. */
  readonly entries: number
}

type Files = Pick<ArchiveDirectory, 'stateOf' | 'lines'>

/** I6: the archive files are as they were recorded, and each ledger in them adds up to its closing balance. */
export async function reconcileArchives(
  read: Read,
  context: ReconcileContext,
  directory: Files | undefined,
): Promise<ArchiveCheck> {
  const recorded = await read(archiveFiles)
  if (!directory) return { files: recorded.length, missing: [], entries: 0 }
  const missing: string[] = []
  let isWhole = true
  for (const file of recorded) {
    const state = await directory.stateOf(file)
    if (state === 'intact') continue
    isWhole = false
    if (state === 'missing') missing.push(file.fileName)
    const { fileName, host, bytes, sha256 } = file
    context.differences.add([
      state === 'missing'
        ? fileDifference(fileName, 'archive file', `written by ${host}`, 'missing')
        : fileDifference(fileName, `SHA-256 of its first ${bytes} bytes`, sha256, 'another'),
    ])
  }
  const entries = isWhole && recorded.length > 0 ? await replayFiles(read, context, directory) : 0
  return { files: recorded.length, missing, entries }
}

const fileDifference = (at: string, what: string, expected: string, found: string): Difference => ({
  invariant: 'I6',
  projectId: 'none',
  at,
  what,
  expected,
  found,
})

/** Range by range, to bound memory; the files are read once per range. */
async function replayFiles(read: Read, context: ReconcileContext, directory: Files): Promise<number> {
  let after = ''
  let entries = 0
  for (;;) {
    const until = await read((tx) => nextRangeEnd(tx, after, context.replaysAtOnce))
    if (until === undefined) return entries
    entries += await replayRange(read, { after, until }, context, directory)
    after = until
  }
}

async function replayRange(read: Read, range: Range, context: ReconcileContext, directory: Files): Promise<number> {
  // On one snapshot: the recorded length of a file and the closing balances belong together.
  const { files, closings } = await read(async (tx) => ({
    files: await archiveFiles(tx),
    closings: await closingsIn(tx, range),
  }))
  // A page may have been added since they were checked, perhaps on another machine.
  for (const file of files) if ((await directory.stateOf(file)) !== 'intact') return 0
  const replays = new Map<string, ClosingBalance>()
  let entries = 0
  for (const file of files) {
    for await (const line of directory.lines(file)) {
      if (line.projectId <= range.after || line.projectId > range.until) continue
      const before = replays.get(line.projectId) ?? nothingArchived
      if (line.type === 'charge') {
        replays.set(line.projectId, { ...before, charges: before.charges + 1 })
        continue
      }
      const entry = entryOf(line)
      const { replay, differences } = replayEntry(before, entry)
      context.differences.add(differences)
      replays.set(line.projectId, {
        ...replay,
        charges: before.charges,
        // Refunds name the lot of their payment too.
        lots: before.lots + (entry.kind === 'credit' || entry.kind === 'grant' ? 1 : 0),
        archivedUntil: Math.max(before.archivedUntil, entry.at),
      })
      entries += 1
    }
  }
  for (const projectId of new Set([...closings.keys(), ...replays.keys()]))
    context.differences.add(
      closingDifferences(
        projectId,
        replays.get(projectId) ?? nothingArchived,
        closings.get(projectId) ?? nothingArchived,
      ),
    )
  return entries
}

const compared = [
  ['seq', 'number of entries'],
  ['entryId', 'last entry'],
  ['available', 'available'],
  ['reserved', 'reserved'],
  ['settled', 'settled'],
  ['credited', 'credited'],
  ['granted', 'granted'],
  ['withdrawn', 'withdrawn'],
  ['charges', 'charges'],
  ['lots', 'entries of lots'],
  ['archivedUntil', 'time of the latest entry'],
] as const

function closingDifferences(projectId: string, archived: ClosingBalance, closing: ClosingBalance): Difference[] {
  return compared
    .filter(([field]) => archived[field] !== closing[field])
    .map(([field, what]) => ({
      invariant: 'I6',
      projectId,
      at: 'closing balance',
      what: `${what} against the archive files`,
      expected: archived[field] ?? 'none',
      found: closing[field] ?? 'none',
    }))
}
