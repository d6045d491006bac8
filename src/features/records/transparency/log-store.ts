import type { Reader, ScriptStatement, Value, Writer } from '../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import type { EngineKind } from '../../../storage/schema/sql-dialects.ts'
import { claimEnded, databaseMs, fullPages, placeholders } from '../../../storage/sql-text.ts'
import { type LedgerRow, saltLength } from './leaves.ts'
import { hashBytes, type ReadTile, tileWidth } from './tree.ts'
import { type EntryRange, type LeafRun, runLength, type StoredTile } from './tree-step.ts'

const logs = rowMapper('transparency_logs', {
  logNumber: integer(),
  startedAt: integer(),
  size: integer(),
  /** Entries up to this id were scanned; some of them may have been committed later. */
  lastEntryId: integer(),
  /** The last one that was signed; null before the first. */
  checkpoint: orNull(text()),
  signedAt: integer(),
  /** The day whose audit head is in the tree. */
  auditDay: integer(),
  /** The newest one with a cosignature of a witness. */
  cosigned: orNull(text()),
  /** A published checkpoint that this log contradicts: nothing is signed any more. */
  refused: orNull(text()),
  claimedBy: orNull(text()),
  claimUntil: integer(),
})

export type LogRow = RowOf<typeof logs.columns>

/** The log that grows: the newest. */
export const currentLog = async (tx: Reader): Promise<LogRow> =>
  (await logs.get(tx, 'ORDER BY log_number DESC LIMIT 1')) ?? firstLog

/** Until something is appended to it, it has no row. */
const firstLog: LogRow = {
  ...{ logNumber: 1, startedAt: 0, size: 0, lastEntryId: 0, checkpoint: null, signedAt: 0, auditDay: 0 },
  ...{ cosigned: null, refused: null, claimedBy: null, claimUntil: 0 },
}

export const insertFirstLog: ScriptStatement = {
  sql: `INSERT INTO transparency_logs (log_number, started_at, size, last_entry_id, signed_at, audit_day, claim_until)
    VALUES (1, 0, 0, 0, 0, 0, 0) ON CONFLICT (log_number) DO NOTHING`,
  params: [],
}

export const ensureFirstLog = (tx: Writer): Promise<number> => tx.run(insertFirstLog.sql)

/** Longer than a commit takes; then another instance takes over. */
export const claimMs = 5000

/** By the database's clock: the tree must not stop for as long as the clock of a gateway that died was ahead. */
export const newClaimUntil = (kind: EngineKind): string => `${databaseMs[kind]} + ${claimMs}`
export const isClaimEnded = (kind: EngineKind): string => claimEnded(kind, 'claim_until', claimMs)

/** Whether another instance appends to a log, or did until so long ago. */
export async function isClaimedByAnother(
  tx: Reader,
  kind: EngineKind,
  { instanceId, log, graceMs = 0 }: { readonly instanceId: string; readonly log: LogRow; readonly graceMs?: number },
): Promise<boolean> {
  if (log.claimedBy === null || log.claimedBy === instanceId) return false
  const { now } = (await tx.get<{ now: number }>(`SELECT ${databaseMs[kind]} AS now`))!
  return log.claimUntil + graceMs > now && log.claimUntil <= now + claimMs
}

export const findLog = (tx: Reader, logNumber: number): Promise<LogRow | undefined> =>
  logs.get(tx, 'WHERE log_number = $1', [logNumber])

/** Records that the log contradicts a published checkpoint; keeps the first such record. */
export const refuseLog = (tx: Writer, logNumber: number, checkpoint: string): Promise<number> =>
  tx.run('UPDATE transparency_logs SET refused = $2 WHERE log_number = $1 AND refused IS NULL', [logNumber, checkpoint])

const maxContradictions = 100

/** Keeps a published checkpoint that is not one of the stored log of its number. */
export const insertContradiction = (tx: Writer, logNumber: number, checkpoint: string): Promise<number> =>
  tx.run(
    `INSERT INTO transparency_contradictions (log_number, checkpoint)
    SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT)
    WHERE (SELECT COUNT(*) FROM transparency_contradictions WHERE log_number = $1) < ${maxContradictions}
    ON CONFLICT (log_number, checkpoint) DO NOTHING`,
    [logNumber, checkpoint],
  )

/** The checkpoints that logs from one number up to another contradict. */
export async function contradictionsOf(tx: Reader, from: number, to = Number.MAX_SAFE_INTEGER): Promise<string[]> {
  const rows = await tx.all<{ checkpoint: string }>(
    `SELECT checkpoint FROM transparency_contradictions WHERE log_number >= $1 AND log_number <= $2
    ORDER BY log_number, checkpoint`,
    [from, to],
  )
  return rows.map(({ checkpoint }) => checkpoint)
}

/** Keeps the newest cosigned checkpoint; the signed one gets the lines too, unless the log has grown since. */
export async function writeCosigned(
  tx: Writer,
  logNumber: number,
  cosigned: string,
  checkpoint: { readonly before: string; readonly after: string } | null,
): Promise<void> {
  await tx.run('UPDATE transparency_logs SET cosigned = $2 WHERE log_number = $1 AND refused IS NULL', [
    logNumber,
    cosigned,
  ])
  if (!checkpoint) return
  await tx.run(
    'UPDATE transparency_logs SET checkpoint = $3 WHERE log_number = $1 AND checkpoint = $2 AND refused IS NULL',
    [logNumber, checkpoint.before, checkpoint.after],
  )
}

export const insertLog = (tx: Writer, log: Pick<LogRow, 'logNumber' | 'startedAt' | 'size' | 'refused'>) =>
  logs.insert(tx, {
    ...log,
    lastEntryId: 0,
    checkpoint: null,
    cosigned: null,
    signedAt: 0,
    auditDay: 0,
    claimedBy: null,
    claimUntil: 0,
  })

/** A tile is missing or too short: it was removed from outside. */
export class TileMissing extends Error {
  override readonly name = 'TileMissing'
}

/** Full tiles never change, so the last ones stay in memory: 4 MB at most. */
export function createTileCache(most = 512) {
  const tiles = new Map<string, Uint8Array>()
  return {
    reader: (tx: Reader, logNumber: number): ReadTile => {
      const read = tileReader(tx, logNumber)
      return async (level, index, width) => {
        const place = `${logNumber}/${level}/${index}`
        const known = tiles.get(place)
        if (known) return known
        const hashes = await read(level, index, width)
        if (hashes.length === tileWidth * hashBytes) {
          if (tiles.size >= most) tiles.delete(tiles.keys().next().value!)
          tiles.set(place, hashes)
        }
        return hashes
      }
    },
  }
}

export type TileCache = ReturnType<typeof createTileCache>

export const tileReader =
  (tx: Reader, logNumber: number): ReadTile =>
  async (level, index, width) => {
    const row = await tx.get<{ hashes: string }>(
      'SELECT hashes FROM transparency_tiles WHERE log_number = $1 AND level = $2 AND tile_index = $3',
      [logNumber, level, index],
    )
    const hashes = Buffer.from(row?.hashes ?? '', 'base64')
    if (hashes.length < width * hashBytes)
      throw new TileMissing(`tile ${level}/${index} of log ${logNumber} is cut off`)
    return hashes
  }

/** A leaf with a text of its own. */
export interface OwnLeaf {
  readonly index: number
  readonly salt: string
  readonly body: string
}

export const insertOwnLeaf = (logNumber: number, { index, salt, body }: OwnLeaf): ScriptStatement => ({
  sql: 'INSERT INTO transparency_leaves (log_number, leaf_index, salt, body) VALUES ($1, $2, $3, $4)',
  params: [logNumber, index, salt, body],
})

export const insertRuns = (logNumber: number, runs: readonly LeafRun[]): ScriptStatement[] =>
  insertRows(
    'INSERT INTO transparency_runs (log_number, first_index, project_id, from_seq, to_seq, salts) VALUES',
    runs.map(({ firstIndex, projectId, from, to, salts }) => [logNumber, firstIndex, projectId, from, to, salts]),
  )

export const upsertTiles = (logNumber: number, tiles: readonly StoredTile[]): ScriptStatement[] =>
  insertRows(
    'INSERT INTO transparency_tiles (log_number, level, tile_index, hashes) VALUES',
    tiles.map(({ level, index, hashes }) => [logNumber, level, index, hashes]),
    'ON CONFLICT (log_number, level, tile_index) DO UPDATE SET hashes = excluded.hashes',
  )

export const upsertProgress = (
  logNumber: number,
  ranges: readonly EntryRange[],
  /** A project that is new in the tree gets its first checkpoint on the next day. */
  today: number,
): ScriptStatement[] =>
  insertRows(
    'INSERT INTO transparency_progress (log_number, project_id, entries, told_day) VALUES',
    ranges.map(({ projectId, to }) => [logNumber, projectId, to, today]),
    'ON CONFLICT (log_number, project_id) DO UPDATE SET entries = excluded.entries',
  )

const rowsPerStatement = 50

function insertRows(insert: string, rows: readonly Value[][], conflict = ''): ScriptStatement[] {
  const statements: ScriptStatement[] = []
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const page = rows.slice(start, start + rowsPerStatement)
    let next = 1
    const tuples = page.map((row) => `(${row.map(() => `$${next++}`).join(', ')})`)
    statements.push({ sql: `${insert} ${tuples.join(', ')} ${conflict}`, params: page.flat() })
  }
  return statements
}

export interface FoundLeaf {
  readonly index: number
  readonly salt: string
}

/** The places of entries in a log, by entry id; without those that are not in it. */
export async function findLeaves(
  tx: Reader,
  logNumber: number,
  entries: readonly Pick<LedgerRow, 'entryId' | 'projectId' | 'seq'>[],
): Promise<ReadonlyMap<number, FoundLeaf>> {
  const found = new Map<number, FoundLeaf>()
  for (const [projectId, own] of Map.groupBy(entries, (entry) => entry.projectId)) {
    for (const group of closeTogether(own)) {
      const range = { projectId, from: group[0]!.seq, to: group.at(-1)!.seq }
      const runs = await runsOf(tx, logNumber, range)
      for (const { entryId, seq } of group) {
        const run = runs.findLast(({ from, to }) => from <= seq && seq <= to)
        if (run) found.set(entryId, leafIn(run, seq))
      }
    }
  }
  const others = entries.map(({ entryId }) => entryId).filter((entryId) => !found.has(entryId))
  for (const page of fullPages(others, rowsPerStatement)) {
    const rows = await tx.all<FoundLeaf & { readonly entryId: number }>(
      `SELECT entry_id AS "entryId", leaf_index AS "index", salt FROM transparency_leaves
      WHERE log_number = $1 AND entry_id IN (${placeholders(page, 2)})`,
      [logNumber, ...page],
    )
    for (const { entryId, index, salt } of rows) found.set(entryId, { index, salt })
  }
  return found
}

export const leafIn = ({ from, firstIndex, salts }: LeafRun, seq: number): FoundLeaf => ({
  index: firstIndex + seq - from,
  salt: salts.slice((seq - from) * saltLength, (seq - from + 1) * saltLength),
})

/** In the order of their numbers, cut where runs would lie between two. */
function closeTogether<E extends { readonly seq: number }>(entries: readonly E[]): E[][] {
  const groups: E[][] = []
  for (const entry of [...entries].sort((a, b) => a.seq - b.seq)) {
    const group = groups.at(-1)
    if (group && entry.seq - group.at(-1)!.seq <= runLength) group.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** The runs that have leaves of a range. */
const runsOf = (tx: Reader, logNumber: number, { projectId, from, to }: EntryRange): Promise<LeafRun[]> =>
  tx.all<LeafRun>(
    `SELECT ${runColumns} FROM transparency_runs
    WHERE log_number = $1 AND project_id = $2 AND from_seq > $3 AND from_seq <= $4 AND to_seq >= $5 ORDER BY from_seq`,
    [logNumber, projectId, from - runLength, to, from],
  )

/** The runs that have leaves between two indexes, in order. */
export const runsBetween = (tx: Reader, logNumber: number, from: number, before: number): Promise<LeafRun[]> =>
  tx.all<LeafRun>(
    `SELECT ${runColumns} FROM transparency_runs
    WHERE log_number = $1 AND first_index > $2 AND first_index < $3 AND first_index + to_seq - from_seq >= $4
    ORDER BY first_index`,
    [logNumber, from - runLength, before, from],
  )

const runColumns = `first_index AS "firstIndex", project_id AS "projectId", from_seq AS "from", to_seq AS "to", salts`
