import type { Reader } from '../engine.ts'
import type { EngineKind } from '../schema/sql-dialects.ts'

export interface CarriedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Its primary key, which pages are read by. */
  readonly key: readonly string[]
}

/**
 * What ends with a gateway or with its store: every account signs in again, and unsent messages are dropped. What callers sent and
 * received never leaves the store.
 */
export const leftBehind: ReadonlySet<string> = new Set([
  'archive_claim',
  'challenges',
  'charge_contents',
  'instances',
  'messages',
  'operator_sessions',
  'pending_deliveries',
  'pending_sign_ins',
  'rate_windows',
  'reconcile_runs',
  'refusal_counts',
  'refused_calls',
  'schema_migrations',
  'sessions',
  'used_passkey_challenges',
])

/** Tables that others refer to, in the order in which their rows must be written. */
export const parentTables = [
  'accounts',
  'projects',
  'api_keys',
  'key_budgets',
  'orders',
  'credit_lots',
  'charges',
  'approvals',
  'webhooks',
  'payments',
  'simulated_trades',
  'transparency_logs',
]

/** The tables of a store that an export carries, parents first, as far as its version has them. */
export async function carriedTables(tx: Reader, engine: EngineKind): Promise<CarriedTable[]> {
  const rows = await tx.all<{ name: string; column: string; place: number }>(selectColumns[engine])
  const byName = Map.groupBy(rows, ({ name }) => name)
  return [...byName]
    .filter(([name]) => !leftBehind.has(name))
    .map(([name, columns]) => ({
      name,
      columns: columns.map(({ column }) => column),
      key: columns
        .filter(({ place }) => place > 0)
        .sort((a, b) => a.place - b.place)
        .map(({ column }) => column),
    }))
    .sort((a, b) => rank(a) - rank(b))
}

const rank = ({ name }: CarriedTable) => {
  const place = parentTables.indexOf(name)
  return place === -1 ? parentTables.length : place
}

/** Every column, by table; `place` is its place in the primary key, or 0. */
const selectColumns: Readonly<Record<EngineKind, string>> = {
  sqlite: `SELECT t.name, c.name AS "column", c.pk AS place FROM sqlite_master t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
  postgres: `SELECT t.relname AS name, a.attname AS "column",
      COALESCE(array_position(k.indkey::smallint[], a.attnum) + 1, 0) AS place
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname, a.attnum`,
}
