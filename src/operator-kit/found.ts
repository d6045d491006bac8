import type { IdPrefix } from '../base/ids.ts'
import type { Reader } from '../storage/engine.ts'
import { type MappedColumn, orNull, rowMapper, text } from '../storage/row-mapper.ts'

/** What operators can look up. */
export const foundKinds = [
  'account',
  'project',
  'key',
  'charge',
  'request',
  'order',
  'payment',
  'refund',
  'job',
] as const
export type FoundKind = (typeof foundKinds)[number]

export interface LookedUpRow {
  readonly kind: FoundKind
  readonly id: string
  readonly projectId: string
  readonly label: string
  /** What its page in the operator console shows; null if that is the account. */
  readonly page: `${'/charges' | '/payments'}/${string}` | null
}

/** Where a feature keeps what one prefix of ids names. */
export interface FoundSource {
  readonly prefix: IdPrefix
  /** The exact id first, then those that begin with `wanted`, the newest first. Along an index, of all projects. */
  readonly find: (tx: Reader, wanted: string, limit: number) => Promise<LookedUpRow[]>
}

export interface FoundColumns {
  readonly kind: FoundKind
  readonly id: string
  readonly projectId?: string
  readonly label: string
  readonly page?: { readonly at: '/charges' | '/payments'; readonly id: string }
}

/** No id has this character, and it sorts behind those that ids have. */
export const behindIds = '~'

/** The columns are SQL of one table: subqueries for others, because the planner could turn a join around and read all of them. */
export function foundIn(table: string, { kind, page, ...sql }: FoundColumns) {
  const rows = rowMapper(table, {
    id: text(sql.id),
    projectId: text(sql.projectId ?? 'project_id'),
    label: text(sql.label),
    page: orNull(text(page?.id ?? 'NULL')) as MappedColumn<string | null>,
  })
  return async (tx: Reader, rest: string, params: readonly (string | number)[]): Promise<LookedUpRow[]> =>
    (await rows.all(tx, rest, params)).map((row) => ({
      ...{ kind, id: row.id, projectId: row.projectId, label: row.label },
      page: page && row.page !== null ? `${page.at}/${row.page}` : null,
    }))
}

export function foundById(prefix: IdPrefix, table: string, columns: FoundColumns): FoundSource {
  const read = foundIn(table, columns)
  const { id } = columns
  return {
    prefix,
    async find(tx, wanted, limit) {
      const exact = await read(tx, `WHERE ${id} = $1`, [wanted])
      const others = await read(tx, `WHERE ${id} > $1 AND ${id} < $2 ORDER BY ${id} DESC LIMIT $3`, [
        ...[wanted, `${wanted}${behindIds}`, limit - exact.length],
      ])
      return [...exact, ...others]
    },
  }
}

/** The label of an amount, such as ¥50.00. */
export const yuanOf = (column: string): string =>
  `'¥' || (${column} / 100) || '.' || SUBSTR(CAST(${column} % 100 + 100 AS TEXT), 2)`
