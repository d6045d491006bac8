export type TableCell = string | number | null

/** A text table with column names; numbers are right-aligned. */
export function table(names: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => printable(row[column] ?? null).length)),
  )
  const lines = [names, ...rows].map((row) =>
    row
      .map((cell, column) => alignCell(cell, widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

export const alignCell = (cell: TableCell, width: number): string =>
  typeof cell === 'number' ? printable(cell).padStart(width) : printable(cell).padEnd(width)

/** Replaces control characters, which could manipulate the terminal. */
export const printable = (cell: TableCell): string =>
  cell === null ? '-' : String(cell).replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
