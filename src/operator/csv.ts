/** One record as RFC 4180 has it: fields with a comma, a quote or a line break are quoted, and lines end in CRLF. */
export const csvRecord = (values: readonly (string | number | null)[]): string => `${values.map(field).join(',')}\r\n`

function field(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
