import { Readable } from 'node:stream'
import { timeoutSignal } from '../../../base/timers.ts'
import { Refusal } from '../../../contract/errors.ts'
import { cutNotice, cutNoticeInChinese, exportRowsLimit } from '../../../contract/paging.ts'
import type { LedgerRange } from '../archives/store.ts'
import type { ChargeParameters, EntryParameters } from './contract.ts'
import { type Cell, type FileLanguage, ledgerLines, usageLines } from './file-columns.ts'
import { chargeFilterOf, entryFilterOf, ledgerRangeOf } from './ledger.ts'
import { publicCharge, publicEntry } from './public-charge.ts'
import type { ReportStore } from './store.ts'

/** Byte order mark: spreadsheet programs then read the file as UTF-8. */
export const byteOrderMark = '\uFEFF'

/** One record of RFC 4180. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = formulaStart.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What makes a spreadsheet program run a text instead of showing it. */
const formulaStart = /^[\s]*[=+\-@\t\r\n＝＋－＠]/

/** Semicolons and tabs separate cells in some locales. */
const needsQuotes = /[",;'\t\r\n]/

export const cutLine = (rows: number, language: FileLanguage = 'en'): string =>
  csvLine([
    language === 'en'
      ? `${cutNotice} ${rows} rows. Ask for fewer days.`
      : `${cutNoticeInChinese} ${rows} 行，请缩小日期范围后分批导出。`,
  ])

interface InLanguage {
  readonly language?: FileLanguage
}

interface ExportOptions {
  readonly rowsLimit?: number
  readonly pageEntries?: number
  /** Files being read at a time, by all projects together. */
  readonly filesAtOnce?: number
}

/** Entries scanned per row that a file may hold, because a filter may match few rows. */
const entriesPerRow = 4
/** A slow reader keeps no more than this and one page in memory. */
const bufferBytes = 65_536
/** A reader that takes longer is cut off, so that no slot is held forever. */
const longestMs = 600_000
const retryAfterSeconds = 5

/** One file at a time for each project. The next page is read when the reader has taken the one before. */
export function createExports(
  store: ReportStore,
  { rowsLimit = exportRowsLimit, pageEntries = 1000, filesAtOnce = 64 }: ExportOptions = {},
) {
  const reading = new Set<string>()

  async function open(projectId: string, findRange: () => Promise<LedgerRange>, rows: FileRows): Promise<Readable> {
    if (reading.has(projectId) || reading.size >= filesAtOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
    reading.add(projectId)
    try {
      const chunks = fileOf(await findRange(), { ...rows, rowsLimit, pageEntries })
      const signal = timeoutSignal(longestMs)
      return Readable.from(chunks, { objectMode: false, highWaterMark: bufferBytes, signal }).once('close', () =>
        reading.delete(projectId),
      )
    } catch (error) {
      reading.delete(projectId)
      throw error
    }
  }

  return {
    /** Streams from the store at the speed of the reader. */
    usage(projectId: string, { language = 'en', ...filters }: ChargeParameters & InLanguage): Promise<Readable> {
      const { columns, cells } = usageLines(language)
      const filter = chargeFilterOf(filters)
      return open(projectId, () => ledgerRangeOf(store, projectId, filter), {
        ...{ columns, language },
        read: async (part) => (await store.charges(part, filter, pageEntries)).map((row) => cells(publicCharge(row))),
      })
    },
    ledger(projectId: string, { language = 'en', ...filters }: EntryParameters & InLanguage): Promise<Readable> {
      const { columns, cells } = ledgerLines(language)
      const filter = entryFilterOf(filters)
      return open(projectId, () => ledgerRangeOf(store, projectId, filter), {
        ...{ columns, language },
        read: async (part) => (await store.entries(part, filter, pageEntries)).map((row) => cells(publicEntry(row))),
      })
    },
  }
}

interface FileRows {
  readonly columns: readonly string[]
  readonly language: FileLanguage
  readonly read: (part: LedgerRange) => Promise<Cell[][]>
}

async function* fileOf(
  range: LedgerRange,
  { columns, language, read, rowsLimit, pageEntries }: FileRows & { rowsLimit: number; pageEntries: number },
): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvLine(columns))
  const from = Math.max(range.from, range.before - rowsLimit * entriesPerRow)
  let written = 0
  let isCut = from > range.from
  for (const part of partsOf({ ...range, from }, pageEntries)) {
    const rows = await read(part)
    const fitting = rows.slice(0, rowsLimit - written)
    if (fitting.length > 0) yield Buffer.from(fitting.map(csvLine).join(''))
    written += fitting.length
    if (fitting.length < rows.length) {
      isCut = true
      break
    }
  }
  if (isCut) yield Buffer.from(cutLine(written, language))
}

/** A range in parts of one page, the newest first. */
function* partsOf({ projectId, from, before }: LedgerRange, width: number): Generator<LedgerRange> {
  for (let end = before; end > from; end -= width) yield { projectId, from: Math.max(from, end - width), before: end }
}
