export type TableCell = string | number | null

/** Columns under their names, numbers to the right. */
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

/** Text from elsewhere must not move the cursor of a terminal. */
export const printable = (cell: TableCell): string =>
  cell === null ? '-' : String(cell).replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
