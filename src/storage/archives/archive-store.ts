import type { ArchiveCandidate, ArchiveFile, ArchiveStore } from '../../archives/ports.ts'
import type { StoredEntry } from '../../archives/stored-entry.ts'
import type { Reader } from '../engine.ts'
import type { OpenedEngine } from '../open-engine.ts'
import { readRange, referenceOf } from '../reports/ledger-chain.ts'
import { newestEntry } from '../reports/restore-facts.ts'
import { databaseMs } from '../sql-text.ts'
import { readArchivedCharges } from './archived-charges.ts'
import { closingColumns, type ProjectClosing } from './closing-rows.ts'
import { commitPage } from './commit-page.ts'

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
