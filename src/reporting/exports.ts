import { ledgerColumns, usageColumns } from '../contract/console/exports.ts'
import type { EntryParameters } from '../contract/console/ledger.ts'
import { exportRowsLimit } from '../contract/console/paging.ts'
import type { ChargeParameters } from '../contract/console/usage.ts'
import { Refusal } from '../contract/errors.ts'
import { byteOrderMark, type Cell, csvLine } from './csv.ts'
import { localTime } from './days.ts'
import { chargeFilterOf, entryFilterOf } from './filters.ts'
import { ledgerRangeOf } from './ledger-range.ts'
import type { ChargeRow, EntryRow, LedgerRange, ReportStore } from './ports.ts'
import { reasonOf } from './public-charge.ts'

export interface ExportedFile {
  readonly bytes: Uint8Array
  /** True when there was more than a file may hold. */
  readonly isCut: boolean
}

export interface Exports {
  readonly usage: (projectId: string, filters: ChargeParameters) => Promise<ExportedFile>
  readonly ledger: (projectId: string, filters: EntryParameters) => Promise<ExportedFile>
}

const pageRows = 1000
/** A filter may pass hardly any row: entries that are looked at for each row that a file may hold. */
const entriesPerRow = 4
/** A file of the longest kind has about 25 MB while it is made. */
const filesAtOnce = 2
const retryAfterSeconds = 5

/** Writes files page by page, so that no read holds up the books. */
export function createExports(store: ReportStore, { rowsLimit = exportRowsLimit } = {}): Exports {
  let underWay = 0

  async function write(columns: readonly string[], range: Promise<LedgerRange>, read: ReadRows): Promise<ExportedFile> {
    if (underWay >= filesAtOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
    underWay += 1
    try {
      return await fileOf(columns, await range, { read, rowsLimit })
    } finally {
      underWay -= 1
    }
  }

  return {
    usage(projectId, filters) {
      const filter = chargeFilterOf(filters)
      return write(usageColumns, ledgerRangeOf(store, projectId, filter), async (part) =>
        (await store.charges(part, filter, pageRows)).map(chargeCells),
      )
    },
    ledger(projectId, filters) {
      const filter = entryFilterOf(filters)
      return write(ledgerColumns, ledgerRangeOf(store, projectId, filter), async (part) =>
        (await store.entries(part, filter, pageRows)).map(entryCells),
      )
    },
  }
}

type ReadRows = (part: LedgerRange) => Promise<Cell[][]>

async function fileOf(
  columns: readonly string[],
  range: LedgerRange,
  { read, rowsLimit }: { read: ReadRows; rowsLimit: number },
): Promise<ExportedFile> {
  const chunks = [Buffer.from(byteOrderMark + csvLine(columns))]
  const from = Math.max(range.from, range.before - rowsLimit * entriesPerRow)
  let written = 0
  let isCut = from > range.from
  for (const part of partsOf({ ...range, from })) {
    const rows = await read(part)
    const fitting = rows.slice(0, rowsLimit - written)
    chunks.push(Buffer.from(fitting.map(csvLine).join('')))
    written += fitting.length
    if (fitting.length < rows.length) {
      isCut = true
      break
    }
  }
  if (isCut) chunks.push(Buffer.from(csvLine([`This file was cut after ${written} rows. Ask for fewer days.`])))
  return { bytes: Buffer.concat(chunks), isCut }
}

/** A range in parts of one page, the newest first. */
function* partsOf({ projectId, from, before }: LedgerRange): Generator<LedgerRange> {
  for (let end = before; end > from; end -= pageRows)
    yield { projectId, from: Math.max(from, end - pageRows), before: end }
}

function chargeCells(row: ChargeRow): Cell[] {
  const reason = reasonOf(row.reason)
  return [
    row.chargeId,
    row.operation,
    row.credits,
    row.state,
    row.keyId,
    row.keyDisplayPrefix,
    row.requestId,
    localTime(row.reservedAt),
    row.endedAt === null ? null : localTime(row.endedAt),
    reason?.code ?? null,
    reason?.text ?? null,
  ]
}

const entryCells = (row: EntryRow): Cell[] => [
  row.seq,
  row.kind,
  row.amount,
  row.available,
  row.reserved,
  row.chargeId,
  row.operation,
  row.creditLotId,
  row.orderId,
  localTime(row.enteredAt),
  row.reference,
]
