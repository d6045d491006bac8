export type TableCell = string | number | null

/** Columns under their names, numbers to the right. */
export function table(names: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => shown(row[column] ?? null).length)),
  )
  const lines = [names, ...rows].map((row) =>
    row
      .map((cell, column) => aligned(cell, widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

export const aligned = (cell: TableCell, width: number): string =>
  typeof cell === 'number' ? shown(cell).padStart(width) : shown(cell).padEnd(width)

/** Text from elsewhere must not move the cursor of a terminal. */
export const shown = (cell: TableCell): string =>
  cell === null ? '-' : String(cell).replace(/[\x00-\x1f\x7f-\x9f]/g, '?')
