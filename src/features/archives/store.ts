import { isoOf } from '../../base/time.ts'
import type { Reader, Value } from '../../storage/engine.ts'
import type { OpenedEngine } from '../../storage/open-engine.ts'
import { databaseMs, fullPages, placeholders } from '../../storage/sql-text.ts'
import { newestEntry } from '../../storage/store-facts.ts'

import { commitPage } from './commit-page.ts'
import type {
  ArchiveCandidate,
  ArchivedCharge,
  ArchivedDecision,
  ArchivedJob,
  ArchiveFile,
  ArchiveStore,
  ClosingBalance,
  StoredEntry,
} from './records.ts'

/**
 * Entries of a project's ledger from the number $2 on, up to but without $3, found by following the chain from the first
 * entry at or past its end that is indexed (every 32nd), or else from the last entry of all: no more than
 * 31 steps from there.
 */
const wantedEntries = `WITH RECURSIVE chain AS (
    SELECT e.* FROM ledger_entries e WHERE e.entry_id = COALESCE(
      (SELECT i.entry_id FROM ledger_entries i WHERE i.project_id = $1 AND i.seq % 32 = 0 AND i.seq >= CAST($3 AS BIGINT) - 1
        ORDER BY i.seq LIMIT 1),
      (SELECT b.last_entry_id FROM balances b WHERE b.project_id = $1))
    UNION ALL
    SELECT e.* FROM chain c CROSS JOIN ledger_entries e WHERE c.seq > $2 AND e.entry_id = c.previous_id
  ), wanted AS (SELECT * FROM chain WHERE seq >= $2 AND seq < $3)`

/** Runs a query over the rows of `wanted`, whose own parameters begin with $4. */
export const readRange = <R extends object>(
  tx: Reader,
  query: string,
  { projectId, from, before }: LedgerRange,
  params: readonly Value[] = [],
): Promise<R[]> => tx.all<R>(`${wantedEntries} ${query}`, [projectId, from, before, ...params])

/** The external reference of an entry. Only grants and withdrawals have one, so that no other entry costs a look-up. */
export const referenceOf = (entry: string) =>
  `CASE WHEN ${entry}.kind IN ('grant', 'withdraw') THEN
    (SELECT m.reference FROM operator_movements m WHERE m.entry_id = ${entry}.entry_id) END`

/** Charges as they are archived, with the decision about them and the job that they paid for. */
async function readArchivedCharges(tx: Reader, chargeIds: readonly string[]): Promise<ArchivedCharge[]> {
  const found: ArchivedCharge[] = []
  for (const ids of fullPages(chargeIds, idsPerRead)) {
    const charges = await tx.all<ArchivedChargeColumns>(selectCharges(ids), ids)
    const decisions = new Map(
      (await tx.all<ArchivedDecisionColumns>(selectDecisions(ids), ids)).map((row) => [row.chargeId, row]),
    )
    const jobs = new Map((await tx.all<ArchivedJobColumns>(selectJobs(ids), ids)).map((row) => [row.chargeId, row]))
    found.push(...charges.map((row) => toCharge(row, decisions.get(row.chargeId), jobs.get(row.chargeId))))
  }
  return found
}

const idsPerRead = 64

type ArchivedChargeColumns = Omit<
  ArchivedCharge,
  'reservedAt' | 'endedAt' | 'usage' | 'leavesProcess' | 'decision' | 'mediaJob'
> & {
  readonly reservedAt: number
  readonly endedAt: number
  readonly usage: string | null
  readonly leavesProcess: number
}
type ArchivedDecisionColumns = Omit<ArchivedDecision, 'decidedAt'> & {
  readonly chargeId: string
  readonly decidedAt: number
}
type ArchivedJobColumns = Omit<ArchivedJob, 'testOnly' | 'createdAt' | 'finishedAt'> & {
  readonly chargeId: string
  readonly testOnly: number
  readonly createdAt: number
  readonly finishedAt: number
}

function toCharge(
  { reservedAt, endedAt, usage, leavesProcess, ...row }: ArchivedChargeColumns,
  decision: ArchivedDecisionColumns | undefined,
  job: ArchivedJobColumns | undefined,
): ArchivedCharge {
  return {
    ...row,
    reservedAt: isoOf(reservedAt),
    endedAt: isoOf(endedAt),
    usage: usage === null ? null : JSON.parse(usage),
    leavesProcess: leavesProcess === 1,
    decision: decision ? toDecision(decision) : null,
    mediaJob: job ? toJob(job) : null,
  }
}

const toDecision = ({ chargeId: _, decidedAt, ...row }: ArchivedDecisionColumns): ArchivedDecision => ({
  ...row,
  decidedAt: isoOf(decidedAt),
})

const toJob = ({ chargeId: _, testOnly, createdAt, finishedAt, ...row }: ArchivedJobColumns): ArchivedJob => ({
  ...row,
  testOnly: testOnly === 1,
  createdAt: isoOf(createdAt),
  finishedAt: isoOf(finishedAt),
})

const selectCharges = (
  ids: readonly string[],
) => `SELECT charge_id AS "chargeId", project_id AS "projectId", key_id AS "keyId",
    operation, credits, pricing_version AS "pricingVersion", state, request_id AS "requestId", reserved_at AS "reservedAt",
    ended_at AS "endedAt", reason, usage, idempotency_digest AS "idempotencyDigest", fingerprint,
    isolation_version AS "isolationVersion", leaves_process AS "leavesProcess", instance_id AS "instanceId",
    budget_id AS "budgetId", budget_period AS "budgetPeriod"
  FROM charges WHERE charge_id IN (${placeholders(ids)}) ORDER BY charge_id`

const selectDecisions = (
  ids: readonly string[],
) => `SELECT charge_id AS "chargeId", decision, reason, decided_by AS "decidedBy",
    decided_at AS "decidedAt" FROM review_decisions WHERE charge_id IN (${placeholders(ids)})`

const selectJobs = (ids: readonly string[]) => `SELECT charge_id AS "chargeId", job_id AS "jobId", provider,
    provider_id AS "providerId", prompt, seconds, size, test_only AS "testOnly", status, error_code AS "errorCode",
    created_at AS "createdAt", finished_at AS "finishedAt", content_type AS "contentType", content_bytes AS "contentBytes",
    content_sha256 AS "contentSha256" FROM media_jobs WHERE charge_id IN (${placeholders(ids)})`

export interface ProjectClosing extends ClosingBalance {
  readonly projectId: string
  readonly entryId: number
}

/** The columns of a row of `closing_balances k`. */
export const closingColumns = `k.project_id AS "projectId", k.last_entry_id AS "entryId", k.entries AS seq, k.available, k.reserved,
  k.settled, k.credited, k.granted, k.withdrawn, k.charges, k.lots, k.archived_until AS "archivedUntil"`

/** The closing balance of one project; undefined if nothing of it was archived. */
export const closingOf = (tx: Reader, projectId: string): Promise<ProjectClosing | undefined> =>
  tx.get<ProjectClosing>(`SELECT ${closingColumns} FROM closing_balances k WHERE k.project_id = $1`, [projectId])

export const createArchiveStore = (engine: OpenedEngine): ArchiveStore => ({
  times: () =>
    engine.read(async (tx) => {
      const clock = await tx.get<{ at: number }>(`SELECT ${databaseMs[engine.kind]} AS at`)
      const newest = await tx.get<{ at: number | null }>(newestEntry)
      return { databaseMs: clock!.at, newestEntryMs: newest?.at ?? null }
    }),
  claim: ({ holder, at, until }) =>
    engine.write(
      async (tx) =>
        (await tx.run(
          `UPDATE archive_claim SET claimed_by = $1, claim_until = $3
          WHERE claimed_by IS NULL OR claimed_by = $1 OR claim_until <= $2`,
          [holder, at, until],
        )) === 1,
    ),
  unclaim: async (holder) => {
    await engine.write((tx) => tx.run('UPDATE archive_claim SET claimed_by = NULL WHERE claimed_by = $1', [holder]))
  },
  candidates: (after, createdBefore, limit) =>
    engine.read(async (tx) => {
      const rows = await tx.all<CandidateRow>(selectCandidates, [after, createdBefore, limit])
      return rows.map(({ ownerId, lastSeq, ...closing }) => ({
        projectId: ownerId,
        lastSeq,
        closing: closing.projectId === null ? null : (closing as ProjectClosing),
      }))
    }),
  firstEntries: (candidate, { olderThan, limit }) =>
    engine.read(async (tx) => {
      // One is read first, because a ledger without old entries is the usual case.
      const first = await entriesAfter(tx, candidate, 1)
      return limit === 1 || !first[0] || first[0].at >= olderThan ? first : entriesAfter(tx, candidate, limit)
    }),
  charges: (chargeIds) => engine.read((tx) => readArchivedCharges(tx, chargeIds)),
  files: () => engine.read(archiveFiles),
  commit: (page, claim) => engine.write((tx) => commitPage(tx, page, claim)),
  pruneKeys: (archivedBefore, limit) =>
    engine.write((tx) =>
      tx.run(
        `DELETE FROM archived_idempotency_keys WHERE (project_id, idempotency_digest) IN (
          SELECT project_id, idempotency_digest FROM archived_idempotency_keys
          WHERE archived_at < $1 ORDER BY archived_at LIMIT $2)`,
        [archivedBefore, limit],
      ),
    ),
})

/** All archive files, by month and part. */
export const archiveFiles = (tx: Reader): Promise<ArchiveFile[]> =>
  tx.all<ArchiveFile>(
    `SELECT file_name AS "fileName", month, part, bytes, sha256, entries, charges, host
    FROM archive_files ORDER BY month, part`,
  )

interface CandidateRow extends Omit<ProjectClosing, 'projectId'> {
  readonly ownerId: string
  readonly lastSeq: number
  readonly projectId: string | null
}

const selectCandidates = `SELECT b.project_id AS "ownerId", b.entries AS "lastSeq", ${closingColumns}
  FROM balances b JOIN projects p ON p.project_id = b.project_id
    LEFT JOIN closing_balances k ON k.project_id = b.project_id
  WHERE b.project_id > $1 AND p.created_at < $2 AND b.entries > COALESCE(k.entries, 0) + 1
  ORDER BY b.project_id LIMIT $3`

function entriesAfter(
  tx: Reader,
  { projectId, lastSeq, closing }: ArchiveCandidate,
  limit: number,
): Promise<StoredEntry[]> {
  const from = (closing?.seq ?? 0) + 1
  // The last entry of a ledger stays: the balance names it, and the next one follows it.
  const before = Math.min(from + limit, lastSeq)
  return from < before ? readRange<StoredEntry>(tx, selectEntries, { projectId, from, before }) : Promise.resolve([])
}

const selectEntries = `SELECT e.entry_id AS "entryId", e.previous_id AS "previousId", e.project_id AS "projectId", e.seq, e.kind,
    e.amount, e.available, e.reserved, e.charge_id AS "chargeId", e.lot_id AS "lotId", e.entered_at AS at,
    c.operation, c.state AS "chargeState", l.order_id AS "orderId", ${referenceOf('e')} AS reference
  FROM wanted e LEFT JOIN charges c ON c.charge_id = e.charge_id LEFT JOIN credit_lots l ON l.lot_id = e.lot_id
  ORDER BY e.seq`

/** Entries of a project's ledger from the number `from` on, up to but without `before`. */
export interface LedgerRange {
  readonly projectId: string
  readonly from: number
  readonly before: number
}
