import { ledgerColumns, usageColumns } from '../contract/console/exports.ts'
import { type DayParameters, exportRowsLimit } from '../contract/console/paging.ts'
import { Refusal } from '../contract/errors.ts'
import { byteOrderMark, type Cell, csvLine } from './csv.ts'
import { localTime } from './days.ts'
import type { ChargeRow, EntryRow, ReportStore, Stretch } from './ports.ts'
import { reasonOf } from './public-charge.ts'
import { stretchOf, timesOf } from './stretches.ts'

export interface ExportedFile {
  readonly bytes: Uint8Array
  /** True when there was more than a file may hold. */
  readonly isCut: boolean
}

export interface Exports {
  readonly usage: (projectId: string, days: DayParameters) => Promise<ExportedFile>
  readonly ledger: (projectId: string, days: DayParameters) => Promise<ExportedFile>
}

const pageRows = 1000
/** A file of the longest kind has about 25 MB while it is made. */
const filesAtOnce = 2
const retryAfterSeconds = 5

/** Writes files page by page, so that no read holds up the books. */
export function createExports(store: ReportStore, { rowsLimit = exportRowsLimit } = {}): Exports {
  let underWay = 0

  async function write(columns: readonly string[], pages: AsyncIterable<Cell[][]>): Promise<ExportedFile> {
    if (underWay >= filesAtOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
    underWay += 1
    try {
      return await fileOf(columns, pages, rowsLimit)
    } finally {
      underWay -= 1
    }
  }

  return {
    usage: (projectId, days) => write(usageColumns, chargePages(store, projectId, days)),
    ledger: (projectId, days) => write(ledgerColumns, entryPages(store, projectId, days)),
  }
}

async function fileOf(columns: readonly string[], pages: AsyncIterable<Cell[][]>, rowsLimit: number) {
  const chunks = [Buffer.from(byteOrderMark + csvLine(columns))]
  let left = rowsLimit
  let isCut = false
  for await (const page of pages) {
    chunks.push(Buffer.from(page.slice(0, left).map(csvLine).join('')))
    isCut = page.length > left
    if (isCut) break
    left -= page.length
  }
  if (isCut) chunks.push(Buffer.from(csvLine([`This file was cut after ${rowsLimit} rows. Ask for fewer days.`])))
  return { bytes: Buffer.concat(chunks), isCut }
}

async function* chargePages(store: ReportStore, projectId: string, days: DayParameters): AsyncGenerator<Cell[][]> {
  const filter = { operation: null, state: null, keyId: null, ...timesOf(days) }
  for (const stretch of partsOf(await stretchOf(store, projectId, filter))) {
    yield (await store.charges(stretch, filter, pageRows)).map(chargeCells)
  }
}

async function* entryPages(store: ReportStore, projectId: string, days: DayParameters): AsyncGenerator<Cell[][]> {
  const { fromAt, toAt } = timesOf(days)
  for (const stretch of partsOf(await stretchOf(store, projectId, { fromAt, toAt }))) {
    const rows = await store.entries(stretch)
    yield rows.filter(({ enteredAt }) => enteredAt >= fromAt && enteredAt < toAt).map(entryCells)
  }
}

/** A stretch in parts of one page, the newest first. */
function* partsOf({ projectId, from, before }: Stretch): Generator<Stretch> {
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
]
