import { monotonicMs } from '../../../base/clock.ts'
import { dayOf, dayText } from '../../../base/time.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import { fullPages, placeholders } from '../../../storage/sql-text.ts'
import { readRange } from '../archives/store.ts'
import { canonicalText, hashedEntry, type LedgerRow, ledgerRowColumns, saltedLeaf, saltOf } from './leaves.ts'
import {
  ensureFirstLog,
  insertLeaves,
  type LogRow,
  type NewLeaf,
  type TileCache,
  writeProgress,
  writeTiles,
} from './log-store.ts'
import { isSignedBy, originOf, signCheckpoint } from './note.ts'
import type { CheckpointPublisher } from './publisher.ts'
import type { SigningKeys } from './signing-keys.ts'
import { appendLeaves, rootOf, withTiles } from './tree.ts'

export interface SequencerDeps extends Pick<FeatureContext, 'clock' | 'instanceId'> {
  readonly engine: Pick<Engine, 'read' | 'write'>
  readonly gateway: URL
  readonly keys: SigningKeys
  readonly publisher: CheckpointPublisher
  readonly tiles: TileCache
  readonly onFault: (error: unknown) => void
  /** Called after each check, with the log as it is. */
  readonly onChecked?: () => Promise<void>
  /** Leaves of one commit. */
  readonly batch?: number
}

/** Longer than a commit takes; then another instance takes over. */
const claimMs = 5000
/** Concurrent commits may end in another order than their entry ids: how often every project is compared. */
const compareMs = 4000

/**
 * Appends committed ledger entries to the tree and signs its checkpoint, in one transaction per batch. Instances take turns by a
 * claim; correctness does not depend on it, because a commit succeeds only on the tree size it was computed for.
 */
export function createSequencer(deps: SequencerDeps) {
  const { engine, instanceId, gateway, keys, publisher, tiles, clock, onChecked, batch = 1000 } = deps
  let comparedAt = Number.NEGATIVE_INFINITY

  async function step(): Promise<boolean> {
    const log = await publisher.refresh()
    if (!log || (log.claimedBy !== instanceId && log.claimUntil > clock())) return false
    const isComparing = monotonicMs() - comparedAt >= compareMs
    const found = await engine.read((tx) => newEntries(tx, log, { limit: batch, isComparing }))
    if (isComparing && !found.isMore) comparedAt = monotonicMs()
    const today = dayOf(clock())
    const isNewDay = log.auditDay < today && (log.size > 0 || found.rows.length > 0)
    const signers = await keys.signers()
    const origin = originOf(gateway, log.logNumber)
    const isSigned = log.checkpoint === null ? log.size === 0 : isSignedBy(log.checkpoint, origin, signers)
    if (found.rows.length === 0 && !isNewDay && isSigned) return false

    const { saltKey } = await keys.get()
    const leaves: (NewLeaf & { readonly hash: Buffer })[] = []
    const add = (entryId: number | null, text: string, saltText: string) => {
      const salt = saltOf(saltKey, saltText)
      const body = entryId === null ? text : null
      leaves.push({ index: log.size + leaves.length, entryId, salt, body, hash: saltedLeaf(text, salt) })
    }
    if (isNewDay) {
      const head = canonicalText(await engine.read((tx) => auditHead(tx, dayText(today))))
      add(null, head, `${log.logNumber} ${head}`)
    }
    for (const row of found.rows) add(row.entryId, canonicalText(hashedEntry(row)), entrySaltText(row))
    const size = log.size + leaves.length
    // Before the transaction, because calls wait for it on SQLite. It commits only if the tree is still the one read here.
    const { changed, root } = await engine.read(async (tx) => {
      const read = tiles.reader(tx, log.logNumber)
      const hashes = leaves.map(({ hash }) => hash)
      const changed = await appendLeaves(read, log.size, hashes)
      return { changed, root: await rootOf(withTiles(read, changed), size) }
    })
    const note = signCheckpoint({ origin, size, root }, signers)
    const isAppended = await engine.write(async (tx) => {
      if (log.logNumber === 1 && log.size === 0) await ensureFirstLog(tx)
      const now = clock()
      const taken = await tx.run(advance, [
        ...[log.logNumber, log.size, size, found.lastEntryId, note, now],
        ...[isNewDay ? today : log.auditDay, instanceId, now + claimMs, now],
      ])
      // Another instance was faster, or the log was refused.
      if (taken === 0) return false
      await Promise.all([
        insertLeaves(tx, log.logNumber, leaves),
        writeTiles(tx, log.logNumber, changed),
        writeProgress(tx, log.logNumber, found.progress, today),
      ])
      return true
    })
    if (isAppended) publisher.publish(note)
    return found.isMore
  }

  const loop = createWorkLoop({
    async beginDue() {
      const isMore = await step()
      if (!isMore) await onChecked?.()
      return isMore
    },
    onFault: deps.onFault,
  })
  return { start: loop.start, stop: loop.stop, step }
}

const advance = `UPDATE transparency_logs SET size = $3, last_entry_id = $4, checkpoint = $5, signed_at = $6, audit_day = $7,
    claimed_by = $8, claim_until = $9
  WHERE log_number = $1 AND size = $2 AND refused IS NULL AND (claimed_by = $8 OR claim_until <= $10)`

export const entrySaltText = ({ projectId, seq }: Pick<LedgerRow, 'projectId' | 'seq'>): string => `${projectId}/${seq}`

const auditHead = async (tx: Reader, day: string) => {
  const head = await tx.get<{ count: number; hash: string }>(
    'SELECT entries AS count, last_hash AS hash FROM audit_head WHERE head_id = 1',
  )
  return { type: 'audit.head', day, count: head?.count ?? 0, hash: head?.hash ?? '' }
}

interface NewEntries {
  /** Of each project in the order of its ledger. */
  readonly rows: readonly LedgerRow[]
  /** Entries in the tree afterwards, of the projects that have new ones. */
  readonly progress: ReadonlyMap<string, number>
  readonly lastEntryId: number
  readonly isMore: boolean
}

/**
 * Finds entries that are not in the tree: those with new ids, and, when comparing, those of projects that have more entries than
 * the tree. A project's entries are taken by number, so none is skipped or taken twice.
 */
async function newEntries(
  tx: Reader,
  log: LogRow,
  { limit, isComparing }: { readonly limit: number; readonly isComparing: boolean },
): Promise<NewEntries> {
  const recent = await tx.all<LedgerRow>(
    `SELECT ${ledgerRowColumns} FROM ledger_entries e WHERE e.entry_id > $1 ORDER BY e.entry_id LIMIT $2`,
    [log.lastEntryId, limit],
  )
  const targets = new Map<string, number>()
  const aim = (projectId: string, seq: number) => targets.set(projectId, Math.max(seq, targets.get(projectId) ?? 0))
  for (const { projectId, seq } of recent) aim(projectId, seq)
  if (isComparing) {
    for (const { projectId, entries } of await tx.all<Behind>(selectBehind, [log.logNumber, limit])) {
      aim(projectId, entries)
    }
  }
  const known = Map.groupBy(recent, ({ projectId }) => projectId)
  const rows: LedgerRow[] = []
  const progress = new Map<string, number>()
  let isMore = recent.length === limit
  let isCut = false
  const doneOf = await doneBy(tx, log.logNumber, [...targets.keys()])
  for (const [projectId, target] of targets) {
    const done = doneOf.get(projectId) ?? 0
    if (target <= done) continue
    const most = Math.min(target, done + limit - rows.length)
    if (most < target) isCut = true
    if (most <= done) continue
    const wanted = await entriesBetween(tx, { projectId, from: done + 1, before: most + 1 }, known.get(projectId) ?? [])
    rows.push(...wanted)
    progress.set(projectId, most)
  }
  if (isCut) isMore = true
  // If not all of them fit, the same ids are looked at again.
  const lastEntryId = isCut ? log.lastEntryId : (recent.at(-1)?.entryId ?? log.lastEntryId)
  return { rows, progress, lastEntryId, isMore }
}

interface Behind {
  readonly projectId: string
  readonly entries: number
}

const progressOf = `FROM balances b
    LEFT JOIN transparency_progress p ON p.project_id = b.project_id AND p.log_number = $1
    LEFT JOIN closing_balances k ON k.project_id = b.project_id`

const selectBehind = `SELECT b.project_id AS "projectId", b.entries ${progressOf}
  WHERE b.entries > COALESCE(p.entries, 0) AND b.entries > COALESCE(k.entries, 0) LIMIT $2`

/** How many entries of projects are in the tree; those that were archived before it began count too. */
async function doneBy(tx: Reader, logNumber: number, projectIds: readonly string[]): Promise<Map<string, number>> {
  const done = new Map<string, number>()
  for (const ids of fullPages(projectIds, projectsPerRead)) {
    const rows = await tx.all<{ projectId: string; sequenced: number; archived: number }>(
      `SELECT b.project_id AS "projectId", COALESCE(p.entries, 0) AS sequenced, COALESCE(k.entries, 0) AS archived
      ${progressOf} WHERE b.project_id IN (${placeholders(ids, 2)})`,
      [logNumber, ...ids],
    )
    for (const { projectId, sequenced, archived } of rows) done.set(projectId, Math.max(sequenced, archived))
  }
  return done
}

const projectsPerRead = 64

async function entriesBetween(
  tx: Reader,
  range: { readonly projectId: string; readonly from: number; readonly before: number },
  known: readonly LedgerRow[],
): Promise<readonly LedgerRow[]> {
  const inRange = known.filter(({ seq }) => seq >= range.from && seq < range.before).sort((a, b) => a.seq - b.seq)
  if (inRange.length === range.before - range.from) return inRange
  return readRange<LedgerRow>(tx, `SELECT ${ledgerRowColumns} FROM wanted e ORDER BY e.seq`, range)
}
