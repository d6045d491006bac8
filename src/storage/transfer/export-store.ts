import { type Reader, StoreUnusable, type Value } from '../engine.ts'
import { type OpenedEngine, openEngine, type StoreOptions } from '../open-engine.ts'
import { databaseMs } from '../postgres/instance-rows.ts'
import { formerBaseline } from '../schema/compatibility.ts'
import { migrations } from '../schema/migrations.ts'
import { dialectOf } from '../schema-dialect.ts'
import { type CarriedTable, carriedTables } from './catalog.ts'
import { type ExportLine, exportFormat, exportVersion, writeExport } from './export-file.ts'

export interface ExportSummary {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Charges in review are carried as they are. */
  readonly inReview: number
}

export type TransferOptions = Omit<StoreOptions, 'exclusive' | 'mustExist'>

/** Writes a store of this or of an earlier schema to a new file. Changes nothing in it. */
export async function exportStore(options: TransferOptions, file: string): Promise<ExportSummary> {
  const engine = await openEngine({ ...options, exclusive: true, mustExist: true })
  return exportOpened(engine, file, options.clock()).finally(() => engine.close())
}

/** On one snapshot. */
const exportOpened = (engine: OpenedEngine, file: string, now: number): Promise<ExportSummary> =>
  engine.read(async (tx) => {
    const schema = await schemaOf(tx, engine)
    await refuseLiveGateways(tx, engine)
    await refuseReserved(tx)
    return writeExport(file, async (write) => {
      const from = `${engine.kind} ${schema}`
      await write({ format: exportFormat, version: exportVersion, exportedAt: new Date(now).toISOString(), from })
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

/** The name of the newest migration. */
async function schemaOf(tx: Reader, engine: OpenedEngine): Promise<string> {
  const found = await tx.get<{ found: number }>(dialectOf(engine).findRecords)
  if (found?.found !== 1) throw new StoreUnusable('the store is empty: there is nothing to export')
  const steps = await tx.all<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version')
  if (![formerBaseline, migrations[0]!.name].includes(steps[0]?.name ?? '')) {
    throw new StoreUnusable('the database belongs to another program')
  }
  return steps.at(-1)!.name
}

/** SQLite's lock refuses one already. What a gateway wrote after the snapshot would be lost. */
export async function refuseLiveGateways(tx: Reader, { kind }: OpenedEngine): Promise<void> {
  if (kind === 'sqlite') return
  const live = await tx.all<{ id: string }>(
    `SELECT instance_id AS id FROM instances WHERE lease_until > ${databaseMs} ORDER BY instance_id`,
  )
  if (live.length === 0) return
  throw new StoreUnusable(`stop every gateway first; still running: ${live.map(({ id }) => id).join(', ')}`)
}

/** Only the gateway that reserved them knows what became of them. */
async function refuseReserved(tx: Reader): Promise<void> {
  const { count } = (await tx.get<{ count: number }>('SELECT COUNT(*) AS count FROM reserved_charges'))!
  if (count === 0) return
  throw new StoreUnusable(
    `${count} ${count === 1 ? 'charge is' : 'charges are'} still reserved: start the version that wrote this store, which ends them or puts them into review, stop it, and export again`,
  )
}
