import type { Reader, Value, Writer } from '../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { hashBytes, type ReadTile, type Tile, tileWidth } from './tree.ts'

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

export const ensureFirstLog = (tx: Writer): Promise<number> =>
  logs.insert(tx, firstLog, 'ON CONFLICT (log_number) DO NOTHING')

export const findLog = (tx: Reader, logNumber: number): Promise<LogRow | undefined> =>
  logs.get(tx, 'WHERE log_number = $1', [logNumber])

/** Records that the log contradicts a published checkpoint; keeps the first such record. */
export const refuseLog = (tx: Writer, logNumber: number, checkpoint: string): Promise<number> =>
  tx.run('UPDATE transparency_logs SET refused = $2 WHERE log_number = $1 AND refused IS NULL', [logNumber, checkpoint])

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

export interface NewLeaf {
  readonly index: number
  readonly entryId: number | null
  readonly salt: string
  readonly body: string | null
}

export async function insertLeaves(tx: Writer, logNumber: number, leaves: readonly NewLeaf[]): Promise<void> {
  await insertRows(
    tx,
    'INSERT INTO transparency_leaves (log_number, leaf_index, entry_id, salt, body) VALUES',
    leaves.map(({ index, entryId, salt, body }) => [logNumber, index, entryId, salt, body]),
  )
}

export async function writeTiles(tx: Writer, logNumber: number, tiles: readonly Tile[]): Promise<void> {
  await insertRows(
    tx,
    'INSERT INTO transparency_tiles (log_number, level, tile_index, hashes) VALUES',
    tiles.map(({ level, index, hashes }) => [logNumber, level, index, Buffer.from(hashes).toString('base64')]),
    'ON CONFLICT (log_number, level, tile_index) DO UPDATE SET hashes = excluded.hashes',
  )
}

export async function writeProgress(
  tx: Writer,
  logNumber: number,
  entries: ReadonlyMap<string, number>,
  /** A project that is new in the tree gets its first checkpoint on the next day. */
  today: number,
): Promise<void> {
  await insertRows(
    tx,
    'INSERT INTO transparency_progress (log_number, project_id, entries, told_day) VALUES',
    [...entries].map(([projectId, count]) => [logNumber, projectId, count, today]),
    'ON CONFLICT (log_number, project_id) DO UPDATE SET entries = excluded.entries',
  )
}

const rowsPerStatement = 200

async function insertRows(tx: Writer, insert: string, rows: readonly Value[][], conflict = ''): Promise<void> {
  const statements: Promise<number>[] = []
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const page = rows.slice(start, start + rowsPerStatement)
    let next = 1
    const tuples = page.map((row) => `(${row.map(() => `$${next++}`).join(', ')})`)
    statements.push(tx.run(`${insert} ${tuples.join(', ')} ${conflict}`, page.flat()))
  }
  await Promise.all(statements)
}

export interface FoundLeaf {
  readonly index: number
  readonly salt: string
}

/** The places of entries in a log, by entry id; without those that are not in it. */
export async function findLeaves(
  tx: Reader,
  logNumber: number,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, FoundLeaf>> {
  const found = new Map<number, FoundLeaf>()
  for (let start = 0; start < entryIds.length; start += rowsPerStatement) {
    const page = entryIds.slice(start, start + rowsPerStatement)
    const rows = await tx.all<FoundLeaf & { readonly entryId: number }>(
      `SELECT entry_id AS "entryId", leaf_index AS "index", salt FROM transparency_leaves
      WHERE log_number = $1 AND entry_id IN (${page.map((_, index) => `$${index + 2}`).join(', ')})`,
      [logNumber, ...page],
    )
    for (const { entryId, index, salt } of rows) found.set(entryId, { index, salt })
  }
  return found
}
