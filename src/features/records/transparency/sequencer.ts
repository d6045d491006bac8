import { monotonicMs } from '../../../base/clock.ts'
import { sometimes } from '../../../base/sometimes.ts'
import { dayOf, dayText } from '../../../base/time.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import { type Engine, type Reader, type ScriptStatement, writeScript } from '../../../storage/engine.ts'
import type { EngineKind } from '../../../storage/schema/sql-dialects.ts'
import { fullPages, placeholders } from '../../../storage/sql-text.ts'
import { readRange } from '../archives/store.ts'
import { createCatchUpPace } from './catch-up-pace.ts'
import { canonicalText, saltOf } from './leaves.ts'
import {
  insertFirstLog,
  insertOwnLeaf,
  insertRuns,
  isClaimEnded,
  isClaimedByAnother,
  type LogRow,
  newClaimUntil,
  type TileCache,
  upsertProgress,
  upsertTiles,
} from './log-store.ts'
import { isSignedBy, originOf, signCheckpoint } from './note.ts'
import type { CheckpointPublisher } from './publisher.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { BuildStep } from './step-builder.ts'
import { readEdge } from './tree.ts'
import { type EntryRange, entryFields } from './tree-step.ts'

export interface SequencerDeps extends Pick<FeatureContext, 'clock' | 'instanceId'> {
  readonly engine: Pick<Engine, 'read' | 'write' | 'script'> & { readonly kind: EngineKind }
  readonly gateway: URL
  readonly keys: SigningKeys
  readonly publisher: CheckpointPublisher
  readonly tiles: TileCache
  /** Hashes the leaves of a step, if possible in another thread. */
  readonly build: BuildStep
  readonly onFault: (error: unknown) => void
  /** Called after each check, with the log as it is. */
  readonly onChecked?: () => Promise<void>
  /** Leaves of one commit. */
  readonly batch?: number
}

/** Concurrent commits may end in another order than their entry ids: how often every project is compared. */
const compareMs = 4000

/**
 * Appends committed ledger entries to the tree and signs its checkpoint, in one transaction per batch. Instances take turns by a
 * claim; correctness does not depend on it, because a commit succeeds only on the tree size it was computed for.
 */
export function createSequencer(deps: SequencerDeps) {
  const { engine, instanceId, gateway, keys, publisher, tiles, clock, onChecked, batch = 4096 } = deps
  const pace = createCatchUpPace()
  let comparedAt = Number.NEGATIVE_INFINITY
  /** Entries up to this id are in the tree, although the log does not say so yet: a comparison placed them. */
  let looked = { logNumber: 0, entryId: 0 }
  const lookedAt = ({ logNumber, lastEntryId }: LogRow) =>
    looked.logNumber === logNumber ? Math.max(lastEntryId, looked.entryId) : lastEntryId

  async function step(): Promise<boolean> {
    const log = await publisher.refresh()
    if (!log || (await engine.read((tx) => isClaimedByAnother(tx, engine.kind, { instanceId, log })))) return false
    const isComparing = monotonicMs() - comparedAt >= compareMs
    const { found, edge } = await engine.read(async (tx) => ({
      found: await newEntries(tx, log, { after: lookedAt(log), limit: pace.limitOf(batch), isComparing }),
      edge: await readEdge(tiles.reader(tx, log.logNumber), log.size),
    }))
    pace.found(found.newestEntryId)
    if (isComparing && !found.isMore) comparedAt = monotonicMs()
    const today = dayOf(clock())
    const isNewDay = log.auditDay < today && (log.size > 0 || found.ranges.length > 0)
    const signers = await keys.signers()
    const origin = originOf(gateway, log.logNumber)
    const isSigned = log.checkpoint === null ? log.size === 0 : isSignedBy(log.checkpoint, origin, signers)
    if (found.ranges.length === 0 && !isNewDay && isSigned) {
      looked = { logNumber: log.logNumber, entryId: found.lastEntryId }
      return found.isMore
    }

    const { saltKey } = await keys.get()
    const head = isNewDay ? canonicalText(await engine.read((tx) => auditHead(tx, dayText(today)))) : null
    const own = head === null ? null : { text: head, salt: saltOf(saltKey, `${log.logNumber} ${head}`) }
    // Before the transaction, because calls wait for it on SQLite. It commits only if the tree is still the one read here.
    const built = await deps.build({ size: log.size, edge, saltKey, own, pages: found.pages, ranges: found.ranges })
    const note = signCheckpoint({ origin, size: built.size, root: Buffer.from(built.root) }, signers)
    const advanced = [
      ...[log.logNumber, log.size, built.size, found.lastEntryId, note, clock()],
      ...[isNewDay ? today : log.auditDay, instanceId],
    ]
    const statements: ScriptStatement[] = [
      ...(log.logNumber === 1 && log.size === 0 ? [insertFirstLog] : []),
      // Changes nothing if another instance was faster, or the log was refused.
      { sql: advance(engine.kind), params: advanced, mustChange: true },
      ...(own ? [insertOwnLeaf(log.logNumber, { index: log.size, salt: own.salt, body: own.text })] : []),
      ...insertRuns(log.logNumber, built.runs),
      ...upsertTiles(log.logNumber, built.tiles),
      ...upsertProgress(log.logNumber, found.ranges, today),
    ]
    if (await writeScript(engine, statements)) await publisher.publish(note)
    else sometimes('another instance has extended the tree first')
    return found.isMore
  }

  const loop = createWorkLoop({
    async beginDue() {
      pace.begin()
      if (await step()) return pace.restMs()
      pace.caughtUp()
      await onChecked?.()
      return false
    },
    onFault: deps.onFault,
  })
  return { start: loop.start, stop: loop.stop, step }
}

const advance = (
  kind: EngineKind,
) => `UPDATE transparency_logs SET size = $3, last_entry_id = $4, checkpoint = $5, signed_at = $6, audit_day = $7,
    claimed_by = $8, claim_until = ${newClaimUntil(kind)}
  WHERE log_number = $1 AND size = $2 AND refused IS NULL AND (claimed_by = $8 OR ${isClaimEnded(kind)})`

const auditHead = async (tx: Reader, day: string) => {
  const head = await tx.get<{ count: number; hash: string }>(
    'SELECT entries AS count, last_hash AS hash FROM audit_head WHERE head_id = 1',
  )
  return { type: 'audit.head', day, count: head?.count ?? 0, hash: head?.hash ?? '' }
}

interface NewEntries {
  /** All entries of the ranges, and maybe others. */
  readonly pages: readonly string[]
  readonly ranges: readonly EntryRange[]
  readonly lastEntryId: number
  /** Of the whole ledger. */
  readonly newestEntryId: number
  readonly isMore: boolean
}

/**
 * Finds entries that are not in the tree: those with new ids, and, when comparing, those of projects that have more entries than
 * the tree. A project's entries are taken by number, so none is skipped or taken twice.
 */
async function newEntries(
  tx: Reader,
  log: LogRow,
  { after, limit, isComparing }: { readonly after: number; readonly limit: number; readonly isComparing: boolean },
): Promise<NewEntries> {
  const recent = (await tx.get<RecentPage>(selectRecent, [after, limit]))!
  const known = await tx.all<RecentProject>(selectRecentProjects, [after, limit])
  const recentOf = new Map(known.map((one) => [one.projectId, one]))
  const targets = new Map(known.map(({ projectId, to }) => [projectId, to]))
  if (isComparing) {
    for (const { projectId, entries } of await tx.all<Behind>(selectBehind, [log.logNumber, limit])) {
      targets.set(projectId, Math.max(entries, targets.get(projectId) ?? 0))
    }
  }
  const pages = recent.page === null ? [] : [recent.page]
  const ranges: EntryRange[] = []
  let room = limit
  let isCut = false
  let isRecentCut = false
  const doneOf = await doneBy(tx, log.logNumber, [...targets.keys()])
  for (const [projectId, target] of targets) {
    const from = (doneOf.get(projectId) ?? 0) + 1
    if (target < from) continue
    const to = Math.min(target, from + room - 1)
    if (to < target) isCut = true
    if (to < (recentOf.get(projectId)?.to ?? 0)) isRecentCut = true
    if (to < from) continue
    if (!hasAll(recentOf.get(projectId), from, to)) {
      const [row] = await readRange<{ page: string }>(tx, selectPage, { projectId, from, before: to + 1 })
      pages.push(row!.page)
    }
    ranges.push({ projectId, from, to })
    room -= to - from + 1
  }
  // If not all of them fit, the same ids are looked at again.
  const lastEntryId = isRecentCut ? after : (recent.lastEntryId ?? after)
  return {
    ...{ pages, ranges, lastEntryId, newestEntryId: recent.newestEntryId ?? 0 },
    isMore: isCut || recent.count === limit,
  }
}

interface RecentPage {
  readonly page: string | null
  readonly count: number
  readonly lastEntryId: number | null
  readonly newestEntryId: number | null
}

interface RecentProject {
  readonly projectId: string
  readonly from: number
  readonly to: number
  readonly count: number
}

const hasAll = (recent: RecentProject | undefined, from: number, to: number): boolean =>
  recent !== undefined && recent.from <= from && recent.to >= to && recent.count === recent.to - recent.from + 1

const recentEntries = '(SELECT * FROM ledger_entries WHERE entry_id > $1 ORDER BY entry_id LIMIT $2) e'
const selectRecent = `SELECT ${entryFields} AS page, COUNT(*) AS count, MAX(e.entry_id) AS "lastEntryId",
  (SELECT MAX(entry_id) FROM ledger_entries) AS "newestEntryId" FROM ${recentEntries}`
const selectRecentProjects = `SELECT e.project_id AS "projectId", MIN(e.seq) AS "from", MAX(e.seq) AS "to", COUNT(*) AS count
  FROM ${recentEntries} GROUP BY e.project_id`
const selectPage = `SELECT ${entryFields} AS page FROM wanted e`

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
