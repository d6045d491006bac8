/** The words of a file in Chinese, by the names that its columns have in the API. */
export interface CsvWords<Name extends string = string> {
  readonly columns: Readonly<Record<Name, string>>
  /** Columns whose cells are translated; `of` reads the other cells of the row. */
  readonly cells: { readonly [N in Name]?: (cell: string, of: (name: Name) => string) => string }
}

/** A file of many rows must not freeze the page. */
const rowsAtOnce = 2000

/**
 * A CSV file of the gateway in Chinese. Values that are not words stay as they are. Files in English keep the names that the API
 * has.
 */
export async function csvInChinese(file: Blob, { columns, cells }: CsvWords): Promise<Blob> {
  const records = recordsIn(await file.text())
  const names: string[] = records.next().value ?? []
  const parts = [byteOrderMark, lineOf(names.map((name) => columns[name] ?? name))]
  let lines: string[] = []
  for (const record of records) {
    const of = (name: string) => record[names.indexOf(name)] ?? ''
    const isCut = record.length < names.length
    const said = record.map((cell, index) => (cell === '' ? '' : (cells[names[index]!]?.(cell, of) ?? cell)))
    lines.push(lineOf(isCut ? [cut(/\d+/.exec(record[0]!)?.[0] ?? '')] : said))
    if (lines.length < rowsAtOnce) continue
    parts.push(lines.join(''))
    lines = []
    await new Promise((resolve) => setTimeout(resolve))
  }
  return new Blob([...parts, ...lines], { type: file.type })
}

const cut = (rows: string) => `文件在 ${rows} 行后截断，请缩小日期范围后分批导出。`

/** Reading the text of a file drops it; spreadsheet programs need it. */
const byteOrderMark = '\uFEFF'

/** The records of RFC 4180. */
function* recordsIn(text: string): Generator<string[]> {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  let record: string[] = []
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, raw, end] = found as unknown as [string, string, string]
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === ',') continue
    yield record
    record = []
  }
}

const lineOf = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",;'\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
