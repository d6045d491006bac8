import { randomBytes } from '../../../base/randomness.ts'
import { isoOf } from '../../../base/time.ts'
import type { Writer } from '../../../storage/engine.ts'
import { canonicalText, saltedLeaf } from './leaves.ts'
import {
  currentLog,
  ensureFirstLog,
  findLog,
  insertContradiction,
  insertLog,
  insertOwnLeaf,
  refuseLog,
  upsertTiles,
} from './log-store.ts'
import { contradictedBy, contradiction, type Published } from './publisher.ts'
import { appendLeaves } from './tree.ts'
import { storedTile } from './tree-step.ts'

export interface Fork {
  readonly before: number
  readonly after: number
  /** Everything that was published and the ended log contradicts, the newest first. */
  readonly checkpoints: readonly string[]
}

interface ForkGiven {
  readonly kept: Published | null
  readonly reason: string
  readonly at: number
}

/**
 * Ends a log that contradicts what was published, and begins another over all entries of the store. The first leaf of the new one
 * says so. Null if nothing contradicts the log.
 */
export async function forkLog(tx: Writer, { kept, reason, at }: ForkGiven): Promise<Fork | null> {
  const log = await currentLog(tx)
  if (kept && (await contradiction(tx, log, kept))) await insertContradiction(tx, kept.logNumber, kept.note)
  const [ended, ...others] = await contradictedBy(tx, log)
  if (!ended) return null
  if (log.logNumber === 1) await ensureFirstLog(tx)
  // A copy from before an earlier fork does not have the log that ended.
  if (!(await findLog(tx, ended.logNumber))) {
    await insertLog(tx, { logNumber: ended.logNumber, startedAt: at, size: 0, refused: ended.note })
  }
  await refuseLog(tx, ended.logNumber, ended.note)
  const after = Math.max(log.logNumber, ended.logNumber) + 1
  const previous = { previous: ended.note, ...(others.length > 0 && { others: others.map(({ note }) => note) }) }
  const body = canonicalText({ type: 'transparency.fork', ...previous, reason, at: isoOf(at) })
  const salt = randomBytes(16).toString('base64')
  await insertLog(tx, { logNumber: after, startedAt: at, size: 1, refused: null })
  const { tiles } = appendLeaves([], 0, saltedLeaf(body, salt))
  for (const { sql, params } of [
    insertOwnLeaf(after, { index: 0, salt, body }),
    ...upsertTiles(after, tiles.map(storedTile)),
  ]) {
    await tx.run(sql, params)
  }
  return { before: ended.logNumber, after, checkpoints: [ended, ...others].map(({ note }) => note) }
}
