import { entryText, type LedgerRow, ledgerRowColumns, saltedLeaf } from '../transparency/leaves.ts'
import { currentLog, type LogRow, leafIn, runsBetween, TileMissing, tileReader } from '../transparency/log-store.ts'
import { contradictedBy, contradiction, type Published, publishedOf } from '../transparency/publisher.ts'
import { readEntries } from '../transparency/receipts/store.ts'
import { fullRoot, hashBytes, rootOf, tileWidth } from '../transparency/tree.ts'
import type { LeafRun } from '../transparency/tree-step.ts'
import type { Difference, Read, ReconcileContext } from './differences.ts'

type Found = Pick<Difference, 'at' | 'what' | 'expected' | 'found'>

const leavesPerRead = 4 * tileWidth

/**
 * I10: every entry is in the tree once, the tree has nothing else, and the published checkpoints are its prefixes. Archived entries
 * are in the tree, but not in the store: of them the tree keeps the hashes.
 */
export async function reconcileTransparency(
  read: Read,
  { differences, pageRows }: ReconcileContext,
  kept: Published | null,
): Promise<void> {
  const add = (found: readonly Found[]) =>
    differences.add(found.map((one): Difference => ({ invariant: 'I10', projectId: 'none', ...one })))
  const log = await read(currentLog)
  if (log.size > 0 || kept) add(await read((tx) => checkpointFaults(tx, log, kept)))
  let missing = 0
  for (let from = 0; from < log.size; from += leavesPerRead) {
    const part = await read((tx) => leafFaults(tx, log, from, Math.min(from + leavesPerRead, log.size)))
    missing += part.missing
    add(part.faults)
  }
  add(await read((tx) => endFaults(tx, log, missing)))
  for (let after = 0; ; ) {
    const page = await read((tx) => unplacedAfter(tx, log, after, pageRows))
    differences.add(
      page.unplaced.map(({ projectId, seq }): Difference => {
        return {
          invariant: 'I10',
          projectId,
          at: `entry ${seq}`,
          what: 'leaf in the tree',
          expected: 'one',
          found: 'none',
        }
      }),
    )
    if (page.last === null) break
    after = page.last
  }
}

type Tx = Parameters<typeof currentLog>[0]

async function checkpointFaults(tx: Tx, log: LogRow, kept: Published | null): Promise<Found[]> {
  const faults: Found[] = []
  const add = (what: string, expected: string, found: string) =>
    faults.push({ at: `log ${log.logNumber}`, what, expected, found })
  const refused = log.refused === null ? [] : await contradictedBy(tx, log)
  for (const { size } of refused) add('tree that was published', `${size} leaves`, `${log.size} leaves, or others`)
  const keptFault = kept && (await contradiction(tx, log, kept))
  if (keptFault && refused.length === 0) add('checkpoint that this machine kept', `${kept.size} leaves`, keptFault)
  for (const [what, note] of [
    ['root of the checkpoint', log.checkpoint],
    ['root of the cosigned checkpoint', log.cosigned],
  ] as const) {
    const signed = publishedOf(note)
    if (!signed) continue
    try {
      const root = await rootOf(tileReader(tx, log.logNumber), signed.size)
      if (!root.equals(signed.root)) add(what, signed.root.toString('base64'), root.toString('base64'))
    } catch (error) {
      if (!(error instanceof TileMissing)) throw error
      add('tiles', 'whole', error.message)
    }
  }
  return faults
}

/** A leaf as the store has it: its content is null if its entry is not there. */
interface StoredLeaf {
  readonly text: string | null
  readonly salt: string
  readonly name: string
}

interface LeafRow extends Omit<LedgerRow, 'entryId'> {
  readonly index: number
  readonly leafEntryId: number | null
  readonly entryId: number | null
  readonly salt: string
  readonly body: string | null
}

async function leavesBetween(tx: Tx, log: LogRow, from: number, to: number): Promise<Map<number, StoredLeaf>> {
  const leaves = new Map<number, StoredLeaf>()
  const rows = await tx.all<LeafRow>(
    `SELECT l.leaf_index AS "index", l.entry_id AS "leafEntryId", l.salt, l.body, ${ledgerRowColumns}
    FROM transparency_leaves l LEFT JOIN ledger_entries e ON e.entry_id = l.entry_id
    WHERE l.log_number = $1 AND l.leaf_index >= $2 AND l.leaf_index < $3 ORDER BY l.leaf_index`,
    [log.logNumber, from, to],
  )
  for (const row of rows) {
    const text = row.body ?? (row.entryId === null ? null : entryText(row as LedgerRow))
    leaves.set(row.index, { text, salt: row.salt, name: `entry ${row.leafEntryId ?? 'none'}` })
  }
  const runs = await runsBetween(tx, log.logNumber, from, to)
  for (const [projectId, own] of Map.groupBy(runs, (run) => run.projectId)) {
    const parts = own.map((run) => seqsBetween(run, from, to))
    const bySeq = await entriesOf(tx, projectId, parts)
    for (const [place, run] of own.entries()) {
      const { first, last } = parts[place]!
      for (let seq = first; seq <= last; seq += 1) {
        const { index, salt } = leafIn(run, seq)
        const row = bySeq.get(seq)
        leaves.set(index, { text: row ? entryText(row) : null, salt, name: `entry ${seq} of ${projectId}` })
      }
    }
  }
  return leaves
}

/** The entries of a run whose leaves are in a range. */
const seqsBetween = (run: LeafRun, from: number, to: number) => ({
  first: Math.max(run.from, run.from + from - run.firstIndex),
  last: Math.min(run.to, run.from + to - 1 - run.firstIndex),
})

/** Runs of a project that follow each other are read at once: a busy second adds one for each project. */
async function entriesOf(tx: Tx, projectId: string, parts: readonly { first: number; last: number }[]) {
  const stretches: { first: number; last: number }[] = []
  for (const { first, last } of parts) {
    const before = stretches.at(-1)
    if (before && first === before.last + 1) before.last = last
    else stretches.push({ first, last })
  }
  const bySeq = new Map<number, LedgerRow>()
  for (const { first, last } of stretches)
    for (const row of await readEntries(tx, projectId, first, last + 1)) bySeq.set(row.seq, row)
  return bySeq
}

/** Hashes the leaves of a range again, from the ledger, and compares them with the tiles and these with the tiles above. */
async function leafFaults(tx: Tx, log: LogRow, from: number, to: number) {
  const leaves = await leavesBetween(tx, log, from, to)
  const read = tileReader(tx, log.logNumber)
  const faults: Found[] = []
  let missing = 0
  for (let start = from; start < to; start += tileWidth) {
    const width = Math.min(tileWidth, to - start)
    const tileIndex = start / tileWidth
    try {
      const tile = await read(0, tileIndex, width)
      for (let place = 0; place < width; place += 1) {
        const leaf = leaves.get(start + place)
        const stored = Buffer.from(tile.subarray(place * hashBytes, (place + 1) * hashBytes))
        if (leaf?.text === null) missing += 1
        else if (!leaf || !saltedLeaf(leaf.text, leaf.salt).equals(stored)) {
          const found = leaf ? `another content (${leaf.name})` : 'none'
          faults.push({
            at: `leaf ${start + place}`,
            what: 'leaf of this hash',
            expected: stored.toString('base64'),
            found,
          })
        }
      }
      if (width === tileWidth) faults.push(...(await parentFault(tx, log, tileIndex, tile)))
    } catch (error) {
      if (!(error instanceof TileMissing)) throw error
      faults.push({ at: `tile 0/${tileIndex}`, what: 'hashes', expected: width, found: error.message })
    }
  }
  return { faults, missing }
}

/** A full tile's root is a hash of the tile above it. */
async function parentFault(tx: Tx, log: LogRow, index: number, tile: Uint8Array): Promise<Found[]> {
  const root = fullRoot(tile.subarray(0, tileWidth * hashBytes))
  const offset = index % tileWidth
  const above = await tileReader(tx, log.logNumber)(1, Math.floor(index / tileWidth), offset + 1)
  const stored = Buffer.from(above.subarray(offset * hashBytes, (offset + 1) * hashBytes))
  if (stored.equals(root)) return []
  const [expected, found] = [root.toString('base64'), stored.toString('base64')]
  return [{ at: `tile 0/${index}`, what: 'root in the tile above', expected, found }]
}

/** The tree ends where its log says, no project has fewer entries than the tree, and only archived entries are not in the store. */
async function endFaults(tx: Tx, log: LogRow, missing: number): Promise<Found[]> {
  const faults: Found[] = []
  const { size } = await currentLog(tx)
  const beyond = await tx.get<{ count: number }>(
    `SELECT (SELECT COUNT(*) FROM transparency_leaves WHERE log_number = $1 AND leaf_index >= $2)
      + (SELECT COUNT(*) FROM transparency_runs WHERE log_number = $1 AND first_index + to_seq - from_seq >= $2) AS count`,
    [log.logNumber, size],
  )
  if (beyond!.count > 0) faults.push({ at: 'tree', what: 'leaves after its end', expected: 0, found: beyond!.count })
  const archived = await tx.get<{ count: number }>('SELECT COALESCE(SUM(entries), 0) AS count FROM closing_balances')
  if (missing > archived!.count) {
    faults.push({
      at: 'tree',
      what: 'leaves whose entry is not in the store',
      expected: archived!.count,
      found: missing,
    })
  }
  const short = await tx.all<{ projectId: string; placed: number; entries: number }>(
    `SELECT p.project_id AS "projectId", p.entries AS placed, b.entries FROM transparency_progress p
      JOIN balances b ON b.project_id = p.project_id
    WHERE p.log_number = $1 AND p.entries > b.entries LIMIT 100`,
    [log.logNumber],
  )
  for (const { projectId, placed, entries } of short) {
    faults.push({ at: projectId, what: 'entries that are in the tree', expected: placed, found: entries })
  }
  return faults
}

interface Unplaced {
  readonly entryId: number
  readonly projectId: string
  readonly seq: number
  readonly isPlaced: number
}

/** Entries that should be in the tree by now and are not. */
async function unplacedAfter(tx: Tx, log: LogRow, after: number, limit: number) {
  const rows = await tx.all<Unplaced>(
    `SELECT e.entry_id AS "entryId", e.project_id AS "projectId", e.seq,
      CASE WHEN l.entry_id IS NULL AND e.seq <= COALESCE(p.entries, 0) AND COALESCE((SELECT r.to_seq FROM transparency_runs r
        WHERE r.log_number = $1 AND r.project_id = e.project_id AND r.from_seq <= e.seq ORDER BY r.from_seq DESC LIMIT 1), 0) < e.seq
        THEN 0 ELSE 1 END AS "isPlaced"
    FROM ledger_entries e
      LEFT JOIN transparency_progress p ON p.project_id = e.project_id AND p.log_number = $1
      LEFT JOIN transparency_leaves l ON l.entry_id = e.entry_id AND l.log_number = $1
    WHERE e.entry_id > $2 ORDER BY e.entry_id LIMIT $3`,
    [log.logNumber, after, limit],
  )
  const last = rows.length < limit ? null : rows.at(-1)!.entryId
  return { unplaced: rows.filter(({ isPlaced }) => isPlaced === 0), last }
}
