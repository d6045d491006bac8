import type { Value, Writer } from '../../../storage/engine.ts'
import { placeholders } from '../../../storage/sql-text.ts'
import {
  ArchiveConflict,
  type ArchivedCharge,
  type ArchivedSlice,
  type ArchivePage,
  type ClosingBalance,
  closingRows,
  type FileChange,
  fileRows,
} from './records.ts'

/** Removes the rows of a page and records where they went. Every row must be as it was read. */
export async function commitPage(tx: Writer, { slices, files }: ArchivePage, at: number): Promise<void> {
  for (const change of files) await recordFile(tx, change, at)
  for (const change of files) await recordPage(tx, change)
  for (const slice of slices) await recordClosing(tx, slice)
  const charges = slices.flatMap((slice) => slice.charges)
  await recordSpending(tx, charges)
  await recordKeys(tx, charges, at)
  const entryIds = slices.flatMap((slice) => slice.entryIds)
  expectRows(await remove(tx, 'ledger_entries', 'entry_id', entryIds), entryIds.length, 'the ledger')
  const chargeIds = charges.map(({ chargeId }) => chargeId)
  for (const table of ['charge_responses', 'review_decisions', 'media_jobs'])
    await remove(tx, table, 'charge_id', chargeIds)
  expectRows(await remove(tx, 'charges', 'charge_id', chargeIds), chargeIds.length, 'the charges')
}

export function expectRows(found: number, expected: number, what: string): void {
  if (found !== expected) throw new ArchiveConflict(`${what} changed while a page was archived; nothing was removed`)
}

async function recordFile(tx: Writer, { before, after }: FileChange, at: number): Promise<void> {
  if (!before) return void (await fileRows.insert(tx, { ...after, createdAt: at, changedAt: at }))
  const { fileName, bytes, sha256, entries, charges } = after
  const changed = await fileRows.update(
    tx,
    { bytes, sha256, entries, charges, changedAt: at },
    'file_name = $1 AND bytes = $2 AND sha256 = $3',
    [fileName, before.bytes, before.sha256],
  )
  expectRows(changed, 1, `the record of ${fileName}`)
}

/** So that a receipt finds its page. Only one program archives at a time, so the numbers do not collide. */
async function recordPage(tx: Writer, { after, page, subjects, slices }: FileChange): Promise<void> {
  const last = await tx.get<{ id: number | null }>('SELECT MAX(page_id) AS id FROM archive_pages')
  const pageId = (last?.id ?? 0) + 1
  await tx.run('INSERT INTO archive_pages (page_id, file_name, start_byte, bytes) VALUES ($1, $2, $3, $4)', [
    ...[pageId, after.fileName, page.start, page.bytes],
  ])
  for (let start = 0; start < subjects.length; start += idsPerStatement) {
    const ids = subjects.slice(start, start + idsPerStatement)
    const rows = ids.map((_, row) => `($${row + 2}, $1)`).join(', ')
    await tx.run(`INSERT INTO archived_subjects (subject_id, page_id) VALUES ${rows}`, [pageId, ...ids])
  }
  for (const { projectId, firstSeq, lastSeq, latestAt } of slices) {
    await tx.run(
      'INSERT INTO archived_slices (project_id, first_seq, last_seq, latest_at, page_id) VALUES ($1, $2, $3, $4, $5)',
      [projectId, firstSeq, lastSeq, latestAt, pageId],
    )
  }
}

async function recordClosing(tx: Writer, { projectId, before, after }: ArchivedSlice): Promise<void> {
  const closing = after as ClosingBalance & { readonly entryId: number }
  if (!before) return void (await closingRows.insert(tx, { projectId, ...closing }))
  const isSame = 'project_id = $1 AND last_entry_id = $2'
  const changed = await closingRows.update(tx, closing, isSame, [projectId, before.entryId])
  expectRows(changed, 1, `the closing balance of ${projectId}`)
}

/** A remembered count of a budget may become current again, and must then include archived charges. */
async function recordSpending(tx: Writer, charges: readonly ArchivedCharge[]): Promise<void> {
  const spending = charges.filter(({ budgetId, state }) => budgetId !== null && state !== 'released')
  const byPeriod = Map.groupBy(spending, ({ budgetId, budgetPeriod }) => `${budgetId} ${budgetPeriod}`)
  // Sorted, so that two transactions never lock them in opposite order.
  for (const [, group] of [...byPeriod].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const { budgetId, budgetPeriod } = group[0]!
    await tx.run(
      `INSERT INTO archived_spending (budget_id, budget_period, credits)
      SELECT b.budget_id, CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM key_budgets b
      WHERE b.budget_id = $1 AND ${remembers('$2')}
      ON CONFLICT (budget_id, budget_period) DO UPDATE SET credits = archived_spending.credits + excluded.credits`,
      [budgetId, budgetPeriod, group.reduce((sum, { credits }) => sum + credits, 0)],
    )
    await tx.run(
      `DELETE FROM archived_spending WHERE budget_id = $1 AND NOT EXISTS (
        SELECT 1 FROM key_budgets b WHERE b.budget_id = $1 AND ${remembers('archived_spending.budget_period')})`,
      [budgetId],
    )
  }
}

/** Whether the budget has a count of this period; `other_counts` is written by `withCurrent`. */
const remembers = (period: string): string =>
  `(b.period_from = ${period} OR b.other_counts LIKE '%[' || CAST(${period} AS BIGINT) || ',%')`

/** A key that is free again has no digest. */
async function recordKeys(tx: Writer, charges: readonly ArchivedCharge[], at: number): Promise<void> {
  const used = charges.filter(({ idempotencyDigest }) => idempotencyDigest !== null)
  for (let start = 0; start < used.length; start += idsPerStatement) {
    const page = used.slice(start, start + idsPerStatement)
    await tx.run(
      `INSERT INTO archived_idempotency_keys (archived_at, project_id, idempotency_digest)
      VALUES ${page.map((_, row) => `($1, $${2 * row + 2}, $${2 * row + 3})`).join(', ')}
      ON CONFLICT (project_id, idempotency_digest) DO UPDATE SET archived_at = excluded.archived_at`,
      [at, ...page.flatMap(({ projectId, idempotencyDigest }) => [projectId, idempotencyDigest])],
    )
  }
}

const idsPerStatement = 100

async function remove(tx: Writer, table: string, key: string, ids: readonly Value[]): Promise<number> {
  let removed = 0
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    const page = ids.slice(start, start + idsPerStatement)
    removed += await tx.run(`DELETE FROM ${table} WHERE ${key} IN (${placeholders(page)})`, page)
  }
  return removed
}
