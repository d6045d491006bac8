import type { Keyring } from '../../base/keyring.ts'
import { type Reader, StoreUnusable, type Value, type Writer } from '../engine.ts'
import { type OpenedEngine, openEngine, type StoreOptions } from '../open-engine.ts'
import { dialectOf, openStore } from '../open-store.ts'
import { refusePreview } from '../schema/migrate.ts'
import { migrations } from '../schema/migrations.ts'
import { databaseMs } from '../sql-text.ts'
import { type CarriedTable, carriedTables } from './catalog.ts'
import {
  type ExportLine,
  ExportUnreadable,
  exportFormat,
  exportVersion,
  readExport,
  type TableLine,
  writeExport,
} from './export-file.ts'

export interface ExportSummary {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Charges in review are carried as they are. */
  readonly inReview: number
}

type TransferOptions = Omit<StoreOptions, 'exclusive' | 'mustExist'> & {
  /** Signs the file, and checks who did. */
  readonly keyring: Keyring
}

/** Writes a store of this schema or an earlier one to a new file. Changes nothing in it. */
export async function exportStore(options: TransferOptions, file: string): Promise<ExportSummary> {
  const engine = await openEngine({ ...options, exclusive: true, mustExist: true })
  return exportOpened(engine, file, options).finally(() => engine.close())
}

/** On one snapshot. */
const exportOpened = (
  engine: OpenedEngine,
  file: string,
  { keyring, clock }: TransferOptions,
): Promise<ExportSummary> =>
  engine.read(async (tx) => {
    const schema = await schemaOf(tx, engine)
    await refuseLiveGateways(tx, engine)
    await refuseReserved(tx)
    return writeExport(file, keyring, async (write) => {
      const from = `${engine.kind} ${schema}`
      const exportedAt = new Date(clock()).toISOString()
      const { version: secret } = keyring.current
      await write({ format: exportFormat, version: exportVersion, exportedAt, from, secret })
      const rows: Record<string, number> = {}
      for (const table of await carriedTables(tx, engine.kind)) rows[table.name] = await writeTable(tx, table, write)
      const { count } = (await tx.get<{ count: number }>('SELECT COUNT(*) AS count FROM reviewable_charges'))!
      return { rows, inReview: count }
    })
  })

const pageRows = 1000

async function writeTable(
  tx: Reader,
  { name, columns, key }: CarriedTable,
  write: (line: ExportLine) => Promise<void>,
): Promise<number> {
  await write({ table: name, columns })
  const [names, order] = [columns.join(', '), key.join(', ')]
  const after = `(${order}) > (${key.map((_, place) => `$${place + 1}`).join(', ')})`
  let rows = 0
  for (let last: readonly Value[] | undefined; ; ) {
    const page = await tx.all(
      `SELECT ${names} FROM ${name} ${last ? `WHERE ${after}` : ''} ORDER BY ${order} LIMIT ${pageRows}`,
      last ?? [],
    )
    for (const row of page) await write(columns.map((column) => row[column]!))
    rows += page.length
    if (page.length < pageRows) return rows
    last = key.map((column) => page.at(-1)![column]!)
  }
}

async function schemaOf(tx: Reader, engine: OpenedEngine): Promise<string> {
  const found = await tx.get<{ found: number }>(dialectOf(engine).findRecords)
  if (found?.found !== 1) throw new StoreUnusable('the store is empty: there is nothing to export')
  const steps = await tx.all<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version')
  refusePreview(steps[0]?.name)
  if (steps[0]?.name !== migrations[0]!.name) {
    throw new StoreUnusable('the database belongs to another program')
  }
  return steps.at(-1)!.name
}

/** SQLite's lock refuses one already. What a gateway wrote after the snapshot would be lost. */
async function refuseLiveGateways(tx: Reader, { kind }: OpenedEngine): Promise<void> {
  if (kind === 'sqlite') return
  const live = await tx.all<{ id: string }>(
    `SELECT instance_id AS id FROM instances WHERE lease_until > ${databaseMs.postgres} ORDER BY instance_id`,
  )
  if (live.length === 0) return
  throw new StoreUnusable(`stop every gateway first; still running: ${live.map(({ id }) => id).join(', ')}`)
}

/** Only the gateway that reserved them knows their outcome; of a media job, the provider does, and any gateway asks it. */
async function refuseReserved(tx: Reader): Promise<void> {
  const { count } = (await tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM reserved_charges c
    WHERE NOT EXISTS (SELECT 1 FROM media_jobs j WHERE j.charge_id = c.charge_id)`))!
  if (count === 0) return
  throw new StoreUnusable(
    `${count} ${count === 1 ? 'charge is' : 'charges are'} still reserved: start the version that wrote this store, which ends them or puts them into review, stop it, and export again`,
  )
}

export interface ImportSummary {
  readonly rows: Readonly<Record<string, number>>
  /** Texts with U+0000, which PostgreSQL cannot store; it was replaced by U+FFFD. */
  readonly replacedTexts: number
}

/** Reads an export into an empty store, in one transaction that ends with `prove`: the books must be sound. */
export async function importStore(options: TransferOptions, file: string, prove: Prove): Promise<ImportSummary> {
  // The whole file first, so that a damaged one is named as such and not by the first row that does not fit.
  for await (const _ of readExport(file, options.keyring));
  const engine = await openStore({ ...options, exclusive: true })
  return importOpened(engine, readExport(file, options.keyring), prove).finally(() => engine.close())
}

type Prove = (tx: Reader) => Promise<void>

const importOpened = (
  engine: OpenedEngine,
  lines: ReturnType<typeof readExport>,
  prove: Prove,
): Promise<ImportSummary> =>
  engine.write(async (tx) => {
    // Keeps out a gateway that starts now.
    for (const statement of dialectOf(engine).lock) await tx.get(statement)
    await refuseLiveGateways(tx, engine)
    const tables = new Map((await carriedTables(tx, engine.kind)).map((table) => [table.name, table]))
    await refuseRows(tx, tables.values())
    const writer = new RowWriter(tx, engine, tables)
    for await (const line of lines) {
      if ('table' in line) await writer.begin(line)
      else await writer.add(line)
    }
    await writer.flush()
    await continueSequences(tx, engine)
    await prove(tx)
    return { rows: writer.rows, replacedTexts: writer.replacedTexts }
  })

/** The one table that a new store has a row in. */
const headTable = 'audit_head'

async function refuseRows(tx: Writer, tables: Iterable<CarriedTable>): Promise<void> {
  for (const { name } of tables) {
    const isEmpty = name === headTable ? 'WHERE entries > 0' : ''
    if ((await tx.get(`SELECT 1 AS found FROM ${name} ${isEmpty} LIMIT 1`)) === undefined) continue
    throw new StoreUnusable(`the store is not empty: ${name} has rows. Import into a new database or data directory`)
  }
}

/** Below the limits of both engines. */
const maxParameters = 8000

class RowWriter {
  readonly rows: Record<string, number> = {}
  replacedTexts = 0
  readonly #tx: Writer
  readonly #isPostgres: boolean
  readonly #tables: ReadonlyMap<string, CarriedTable>
  #into: TableLine | undefined
  #waiting: Value[] = []
  #count = 0

  constructor(tx: Writer, { kind }: OpenedEngine, tables: ReadonlyMap<string, CarriedTable>) {
    this.#tx = tx
    this.#isPostgres = kind === 'postgres'
    this.#tables = tables
  }

  async begin(line: TableLine): Promise<void> {
    await this.flush()
    const known = this.#tables.get(line.table)
    const strange = line.columns.find((column) => !known?.columns.includes(column))
    if (!known || strange) {
      throw new ExportUnreadable(
        `the file has ${known ? `the column ${line.table}.${strange}` : `the table ${line.table}`}, which this program does not know: use the version that wrote it`,
      )
    }
    if (line.table === headTable) await this.#tx.run(`DELETE FROM ${headTable}`)
    this.#into = line
    this.rows[line.table] = 0
  }

  async add(row: readonly Value[]): Promise<void> {
    this.#waiting.push(...(this.#isPostgres ? row.map((value) => this.#withoutNul(value)) : row))
    this.#count += 1
    if (this.#waiting.length + row.length > maxParameters) await this.flush()
  }

  async flush(): Promise<void> {
    if (!this.#into || this.#count === 0) return
    const { table, columns } = this.#into
    const tuples = Array.from({ length: this.#count }, (_, row) => {
      const first = row * columns.length + 1
      return `(${columns.map((_column, place) => `$${first + place}`).join(', ')})`
    })
    await this.#tx.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(', ')}`, this.#waiting)
    this.rows[table]! += this.#count
    this.#waiting = []
    this.#count = 0
  }

  #withoutNul(value: Value): Value {
    if (typeof value !== 'string' || !value.includes('\0')) return value
    this.replacedTexts += 1
    return value.replaceAll('\0', '\uFFFD')
  }
}

/** New entries and events must get higher numbers; `events_read_to` may refer to an event that is gone. */
async function continueSequences(tx: Writer, { kind }: OpenedEngine): Promise<void> {
  const last = await tx.get<{ seq: number | null }>(
    'SELECT MAX(seq) AS seq FROM (SELECT seq FROM events UNION ALL SELECT events_read_to FROM projects) used',
  )
  const seq = last?.seq ?? 0
  if (kind === 'sqlite') {
    await tx.run("DELETE FROM sqlite_sequence WHERE name = 'events'")
    await tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', $1)", [seq])
    return
  }
  await tx.get(
    "SELECT setval(pg_get_serial_sequence('events', 'seq'), GREATEST($1::bigint, 1), $1::bigint > 0) AS done",
    [seq],
  )
  await tx.get(
    `SELECT setval('ledger_entry_ids', GREATEST(last, 1), last > 0) AS done
    FROM (SELECT COALESCE(MAX(entry_id), 0) AS last FROM ledger_entries) entries`,
  )
}
