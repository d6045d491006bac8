/** Replaces text in SQL, except in strings, quoted names and comments. */
export function rewriteSql(sql: string, pattern: RegExp, replace: (match: string, ...groups: string[]) => string) {
  const skipOrMatch = new RegExp(`${protectedText.source}|${pattern.source}`, pattern.flags)
  return sql.replace(skipOrMatch, (match, ...rest: unknown[]) =>
    isProtected(match) ? match : replace(match, ...(rest.filter((part) => typeof part === 'string') as string[])),
  )
}

export interface TranslatedSql {
  readonly sql: string
  readonly parameters: number
}

/** `$1` becomes `?1`: node:sqlite binds `$1` by name only, `?1` by position. */
export function translatePlaceholders(sql: string): TranslatedSql {
  let parameters = 0
  const translated = rewriteSql(sql, /\$(\d+)/g, (_match, number) => {
    parameters = Math.max(parameters, Number(number))
    return `?${number}`
  })
  return { sql: translated, parameters }
}

/** `$1, $2, $3` for a list of three values. */
export const placeholders = (values: readonly unknown[], first = 1): string =>
  values.map((_, index) => `$${first + index}`).join(', ')

/** The clock of the database in epoch milliseconds. */
export const databaseMs = {
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  postgres: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
} as const

/** Lists of this many values each; the last repeats its last value, so that every list has the same SQL text. */
export function fullPages(values: readonly string[], size: number): string[][] {
  const pages: string[][] = []
  for (let start = 0; start < values.length; start += size) {
    const page = values.slice(start, start + size)
    pages.push([...page, ...Array(size - page.length).fill(page.at(-1))])
  }
  return pages
}

const protectedText = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//

const isProtected = (text: string) => /^(?:'|"|--|\/\*)/.test(text)
