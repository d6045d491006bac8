import type { Connection } from '../../src/storage/sqlite/connection.ts'
import type { Written } from './store.ts'

type Row = Readonly<Record<string, string | number | null>>
type Key = string | number
type Part = readonly [sum: string, amount: number]

interface Source {
  readonly table: string
  readonly key: string
  readonly columns: readonly string[]
  readonly condition?: string
  /** What the row adds, and to which sums. */
  readonly parts: (row: Row) => readonly Part[]
}

const held = ['reserved', 'manual_review', 'held', 'pending', 'review']
const heldPart = ({ project_id, credits, state }: Row): Part[] =>
  held.includes(state as string) ? [[`held ${project_id}`, credits as number]] : []

const sources: readonly Source[] = [
  {
    table: 'charges',
    key: 'charge_id',
    columns: ['project_id', 'credits', 'state', 'budget_id', 'budget_period'],
    parts: (row) => [
      ...heldPart(row),
      ...(row.state === 'settled' ? [[`spent ${row.project_id}`, row.credits as number] as const] : []),
      ...(row.budget_id !== null && row.state !== 'released'
        ? [[`budget ${row.budget_id} ${row.budget_period}`, row.credits as number] as const]
        : []),
    ],
  },
  { table: 'payment_refunds', key: 'refund_id', columns: ['project_id', 'credits', 'state'], parts: heldPart },
  {
    table: 'credit_lots',
    key: 'lot_id',
    columns: ['project_id', 'amount'],
    parts: ({ project_id, amount }) => [[`lots ${project_id}`, amount as number]],
  },
  {
    table: 'ledger_entries',
    key: 'entry_id',
    columns: ['project_id', 'amount'],
    condition: "kind = 'withdraw'",
    parts: ({ project_id, amount }) => [[`lots ${project_id}`, -(amount as number)]],
  },
]

/**
 * Sums over the committed rows. Only those that a commit wrote are read again: summing all rows after every commit took most of the time of a
 * world.
 */
export class Sums {
  readonly #db: () => Connection
  readonly #tables = sources.map((source) => new SummedTable(source))
  readonly #sums = new Map<string, number>()

  constructor(db: () => Connection) {
    this.#db = db
    this.readAll()
  }

  /** After rows have changed without a commit, such as by a failover. */
  readAll(): void {
    const db = this.#db()
    for (const table of this.#tables) {
      const { table: name, key } = table.source
      const all = db.all<{ id: Key }>(`SELECT ${key} AS id FROM ${name}`)
      this.#readAgain(table, new Set([...table.parts.keys(), ...all.map(({ id }) => id)]))
    }
  }

  /** After a commit. */
  refresh(written: Written): void {
    for (const table of this.#tables) {
      const keys = written.get(table.source.table)
      if (keys)
        this.#readAgain(
          table,
          [...keys].map((key) => JSON.parse(key)[0] as Key),
        )
    }
  }

  #readAgain({ parts, select, source }: SummedTable, ids: Iterable<Key>): void {
    const db = this.#db()
    for (const id of ids) {
      for (const [sum, amount] of parts.get(id) ?? []) this.#add(sum, -amount)
      const row = db.get<Row>(select, [id])
      const added = row ? source.parts(row) : []
      for (const [sum, amount] of added) this.#add(sum, amount)
      if (added.length > 0) parts.set(id, added)
      else parts.delete(id)
    }
  }

  of(sum: string): number {
    return this.#sums.get(sum) ?? 0
  }

  #add(sum: string, amount: number): void {
    this.#sums.set(sum, this.of(sum) + amount)
  }
}

class SummedTable {
  readonly source: Source
  readonly select: string
  /** By the key of the row. */
  readonly parts = new Map<Key, readonly Part[]>()

  constructor(source: Source) {
    this.source = source
    const { table, key, columns, condition = '1 = 1' } = source
    this.select = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${key} = $1 AND ${condition}`
  }
}
