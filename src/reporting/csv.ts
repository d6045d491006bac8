export type Cell = string | number | null

/** Tells spreadsheet programs that the file is UTF-8. */
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
