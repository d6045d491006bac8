import type { Reader, Value } from '../../../storage/engine.ts'
import type { OpenedEngine } from '../../../storage/open-engine.ts'
import { from, rowMapper } from '../../../storage/row-mapper.ts'
import { claimEnded, databaseMs, fullPages, namedStatement, placeholders } from '../../../storage/sql-text.ts'
import { newestEntry } from '../../../storage/store-facts.ts'
import { commitPage, expectRows } from './commit-page.ts'
import {
  type ArchiveCandidate,
  type ArchiveClaim,
  type ArchivedCharge,
  type ArchiveFile,
  type ArchivePage,
  chargeRows,
  closingRows,
  decisionRows,
  fileRows,
  jobRows,
  type ProjectClosing,
  type StoredEntry,
} from './records.ts'

export type { ProjectClosing } from './records.ts'

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

/** A query over the rows of `wanted` whose values have names. */
export function rangeQuery<Row extends object, Name extends string>(
  names: readonly Name[],
  text: Parameters<typeof namedStatement<Name>>[1],
) {
  const { sql, values } = namedStatement(names, text, 4)
  return (tx: Reader, range: LedgerRange, named: Readonly<Record<Name, Value>>): Promise<Row[]> =>
    readRange<Row>(tx, sql, range, values(named))
}

/** The external reference of an entry. By kind, so that entries without one cost no look-up. */
export const referenceOf = (entry: string) =>
  `CASE WHEN ${entry}.kind = 'grant' OR (${entry}.kind = 'withdraw' AND ${entry}.lot_id IS NULL) THEN
    (SELECT m.reference FROM operator_movements m WHERE m.entry_id = ${entry}.entry_id)
  WHEN ${entry}.kind = 'credit' THEN (SELECT l.reference FROM credit_lots l WHERE l.lot_id = ${entry}.lot_id)
  WHEN ${entry}.lot_id IS NOT NULL THEN (SELECT f.refund_id FROM payment_refunds f
    WHERE f.project_id = ${entry}.project_id AND (f.hold_entry_id = ${entry}.entry_id OR f.end_entry_id = ${entry}.entry_id)) END`

/** Charges as they are archived, with the decision about them and the job that they paid for. */
async function readArchivedCharges(tx: Reader, chargeIds: readonly string[]): Promise<ArchivedCharge[]> {
  const found: ArchivedCharge[] = []
  for (const ids of fullPages(chargeIds, idsPerRead)) {
    const ofCharges = `WHERE charge_id IN (${placeholders(ids)})`
    const decisions = byCharge(await decisionRows.all(tx, ofCharges, ids))
    const jobs = byCharge(await jobRows.all(tx, ofCharges, ids))
    for (const charge of await chargeRows.all(tx, `${ofCharges} ORDER BY charge_id`, ids)) {
      const { chargeId } = charge
      found.push({ ...charge, decision: decisions.get(chargeId) ?? null, mediaJob: jobs.get(chargeId) ?? null })
    }
  }
  return found
}

const byCharge = <R extends { readonly chargeId: string }>(rows: readonly R[]) =>
  new Map(rows.map(({ chargeId, ...row }) => [chargeId, row]))

const idsPerRead = 64

const closingsOf = rowMapper('closing_balances k', from('k', closingRows.columns))
export const closingColumns = closingsOf.list

/** The closing balance of one project; undefined if nothing of it was archived. */
export const closingOf = (tx: Reader, projectId: string): Promise<ProjectClosing | undefined> =>
  closingsOf.get(tx, 'WHERE k.project_id = $1', [projectId])

const claimMs = 60_000
/** By the database's clock: archiving must not stop for as long as the clock of a program that died was ahead. */
const claimUntil = ({ kind }: Pick<OpenedEngine, 'kind'>): string => `${databaseMs[kind]} + ${claimMs}`

/** Only one program archives at a time. */
const claimedWrites = (engine: OpenedEngine) => ({
  /** Takes or renews the claim; false if another program holds it. */
  claim: (holder: string): Promise<boolean> =>
    engine.write(
      async (tx) =>
        (await tx.run(
          `UPDATE archive_claim SET claimed_by = $1, claim_until = ${claimUntil(engine)}
          WHERE claimed_by IS NULL OR claimed_by = $1 OR ${claimEnded(engine.kind, 'claim_until', claimMs)}`,
          [holder],
        )) === 1,
    ),
  unclaim: (holder: string) =>
    engine.write((tx) => tx.run('UPDATE archive_claim SET claimed_by = NULL WHERE claimed_by = $1', [holder])),
  commit: (page: ArchivePage, claim: ArchiveClaim) =>
    engine.write(async (tx) => {
      // First, so that a program that has lost its claim changes nothing.
      const renew = `UPDATE archive_claim SET claim_until = ${claimUntil(engine)} WHERE claimed_by = $1`
      expectRows(await tx.run(renew, [claim.holder]), 1, 'the claim')
      await commitPage(tx, page, claim.at)
    }),
})

export type ArchiveStore = ReturnType<typeof createArchiveStore>

export const createArchiveStore = (engine: OpenedEngine) => ({
  ...claimedWrites(engine),
  /** What the store knows about the time; the newest entry is null while no ledger has one. */
  times: (): Promise<{ databaseMs: number; newestEntryMs: number | null }> =>
    engine.read(async (tx) => {
      const clock = await tx.get<{ at: number }>(`SELECT ${databaseMs[engine.kind]} AS at`)
      const newest = await tx.get<{ at: number | null }>(newestEntry)
      return { databaseMs: clock!.at, newestEntryMs: newest?.at ?? null }
    }),
  /** Projects after the one named that were created before a time and have more than one entry in the store and in the tree. */
  candidates: (after: string, createdBefore: number, limit: number): Promise<ArchiveCandidate[]> =>
    engine.read(async (tx) => {
      const rows = await tx.all<CandidateRow>(selectCandidates, [after, createdBefore, limit])
      return rows.map(({ ownerId, lastSeq, ...closing }) => ({
        projectId: ownerId,
        lastSeq,
        closing: closing.projectId === null ? null : (closing as ProjectClosing),
      }))
    }),
  /** The first entries of a ledger after `closing`; only the first one if that is too young. Never the last of the ledger. */
  firstEntries: (
    candidate: ArchiveCandidate,
    { olderThan, limit }: { readonly olderThan: number; readonly limit: number },
  ): Promise<StoredEntry[]> =>
    engine.read(async (tx) => {
      // One is read first, because a ledger without old entries is the usual case.
      const first = await entriesAfter(tx, candidate, 1)
      return limit === 1 || !first[0] || first[0].at >= olderThan ? first : entriesAfter(tx, candidate, limit)
    }),
  charges: (chargeIds: readonly string[]) => engine.read((tx) => readArchivedCharges(tx, chargeIds)),
  files: () => engine.read(archiveFiles),
  /** Forgets Idempotency-Keys of charges that were archived before a time; returns how many. */
  pruneKeys: (archivedBefore: number, limit: number): Promise<number> =>
    engine.write((tx) =>
      tx.run(
        `DELETE FROM archived_idempotency_keys WHERE (project_id, idempotency_digest) IN (
          SELECT project_id, idempotency_digest FROM archived_idempotency_keys
          WHERE archived_at < $1 ORDER BY archived_at LIMIT $2)`,
        [archivedBefore, limit],
      ),
    ),
})

export const archiveFiles = (tx: Reader): Promise<ArchiveFile[]> => fileRows.all(tx, 'ORDER BY month, part')

interface CandidateRow extends Omit<ProjectClosing, 'projectId'> {
  readonly ownerId: string
  readonly lastSeq: number
  readonly projectId: string | null
}

/** What is not in the public tree yet stays: its leaf is made from its row. */
const lastSeq = 'CASE WHEN b.entries <= COALESCE(t.entries, 0) THEN b.entries ELSE COALESCE(t.entries, 0) + 1 END'

const selectCandidates = `SELECT b.project_id AS "ownerId", ${lastSeq} AS "lastSeq", ${closingColumns}
  FROM balances b JOIN projects p ON p.project_id = b.project_id
    LEFT JOIN closing_balances k ON k.project_id = b.project_id
    LEFT JOIN transparency_progress t ON t.project_id = b.project_id
      AND t.log_number = (SELECT MAX(log_number) FROM transparency_logs)
  WHERE b.project_id > $1 AND p.created_at < $2 AND ${lastSeq} > COALESCE(k.entries, 0) + 1
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
    c.operation, c.state AS "chargeState", l.order_id AS "orderId", ${referenceOf('e')} AS reference,
    CASE WHEN e.kind = 'reserve' AND e.lot_id IS NOT NULL THEN (SELECT f.state FROM payment_refunds f
      WHERE f.project_id = e.project_id AND f.hold_entry_id = e.entry_id) END AS "refundState"
  FROM wanted e LEFT JOIN charges c ON c.charge_id = e.charge_id LEFT JOIN credit_lots l ON l.lot_id = e.lot_id
  ORDER BY e.seq`

/** Entries of a project's ledger from the number `from` on, up to but without `before`. */
export interface LedgerRange {
  readonly projectId: string
  readonly from: number
  readonly before: number
}
