import type { EntryRecord } from '../../../ledger/commands.ts'
import type { Engine } from '../../../storage/engine.ts'
import { type ArchiveFiles, assertReadable, filesBetween, readArchive } from '../archives/page.ts'
import type { ArchivedEntry, ArchiveFile, ClosingBalance } from '../archives/records.ts'
import { archiveFiles, closingOf, readRange, referenceOf } from '../archives/store.ts'

export interface StatementLine extends Pick<EntryRecord, 'seq' | 'at' | 'kind' | 'amount' | 'available' | 'reserved'> {
  readonly chargeId: string | null
  readonly operation: string | null
  readonly orderId: string | null
  readonly reference: string | null
}

export interface StatementRange {
  readonly projectId: string
  /** Epoch milliseconds; `from` is in, `to` is out. */
  readonly from: number
  readonly to: number
}

export interface StatementOptions {
  readonly archives: ArchiveFiles
  readonly pageRows?: number
}

/**
 * Yields the entries that were there at the start, a page at a time: archived ones from the files, the others from the store.
 * Entries are only ever appended, so that the number of the last one fixes the moment and no transaction has to stay open.
 * Null when there is no such project.
 */
export async function openStatement(
  engine: Pick<Engine, 'read'>,
  range: StatementRange,
  { archives, pageRows = 1000 }: StatementOptions,
): Promise<AsyncIterable<StatementLine[]> | null> {
  const { projectId, from, to } = range
  const balance = await engine.read((tx) =>
    tx.get<{ last: number }>('SELECT entries AS last FROM balances WHERE project_id = $1', [projectId]),
  )
  if (!balance) return null
  // Before the first line, so that a missing file fails instead of leaving a partial statement.
  const archived = await engine.read(async (tx) => ({
    closing: await closingOf(tx, projectId),
    files: await archiveFiles(tx),
  }))
  for (const file of neededFiles(archived, range)) await assertReadable(archives, file)

  async function* pages() {
    const end = balance!.last + 1
    for (let first = 1; first < end; ) {
      const part = { projectId, from: first, before: Math.min(first + pageRows, end) }
      // Looked up for each page, because entries may be archived while the others are printed.
      const found = await engine.read(async (tx) => {
        const closing = await closingOf(tx, projectId)
        return closing && closing.seq >= first
          ? { closing, files: await archiveFiles(tx) }
          : { page: await readRange<StatementLine>(tx, selectLines, part, [from, to]) }
      })
      if (found.page) {
        if (found.page.length > 0) yield found.page
        first = part.before
      } else {
        yield* archivedPages({ ...found, archives, range, firstSeq: first, pageRows })
        first = found.closing.seq + 1
      }
    }
  }
  return pages()
}

interface ArchivedPart {
  readonly closing: ClosingBalance
  readonly files: readonly ArchiveFile[]
  readonly archives: ArchiveFiles
  readonly range: StatementRange
  readonly firstSeq: number
  readonly pageRows: number
}

async function* archivedPages({ closing, files, archives, range, firstSeq, pageRows }: ArchivedPart) {
  const { projectId, from, to } = range
  let page: StatementLine[] = []
  for (const file of neededFiles({ closing, files }, range)) {
    for await (const line of readArchive(archives, file)) {
      if (line.type !== 'entry' || line.projectId !== projectId || line.seq < firstSeq) continue
      const at = Date.parse(line.enteredAt)
      if (at < from || at >= to) continue
      page.push(statementLine(line, at))
      if (page.length < pageRows) continue
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}

const neededFiles = (
  { closing, files }: { closing: ClosingBalance | undefined; files: readonly ArchiveFile[] },
  { from, to }: StatementRange,
): ArchiveFile[] =>
  closing && from <= closing.archivedUntil ? filesBetween(files, from, Math.min(to, closing.archivedUntil)) : []

function statementLine(line: ArchivedEntry, at: number): StatementLine {
  const { seq, kind, amount, available, reserved, chargeId, operation, orderId, reference } = line
  return { seq, at, kind, amount, available, reserved, chargeId, operation, orderId, reference }
}

const selectLines = `SELECT e.seq, e.entered_at AS "at", e.kind, e.amount, e.available, e.reserved,
    e.charge_id AS "chargeId", c.operation, l.order_id AS "orderId", ${referenceOf('e')} AS reference
  FROM wanted e LEFT JOIN charges c ON c.charge_id = e.charge_id LEFT JOIN credit_lots l ON l.lot_id = e.lot_id
  WHERE e.entered_at >= $4 AND e.entered_at < $5 ORDER BY e.seq`
