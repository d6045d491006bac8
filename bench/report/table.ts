/** A Markdown table with right-aligned numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], textColumns = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column < textColumns ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

export const number = (value: number) => Math.round(value).toLocaleString('en-US')
export const fixed = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits))
export const verdict = (isMet: boolean | null) => (isMet === null ? 'not measured' : isMet ? 'met' : '**missed**')
