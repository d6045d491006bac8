import { hash } from 'node:crypto'
import type { ChargedOperation } from '../contract/prices.ts'
import type { Changes } from '../ledger/batch-state.ts'
import type { ChargeState } from '../ledger/commands.ts'
import { type Column, type ColumnType, type TableWrite, write } from './batch/table-write.ts'
import { flag, from, integer, type MappedColumn, orNull, pick, sqlOf, text } from './row-mapper.ts'

type Reserved = Changes['reserved'][number]
export type Ended = Changes['ended'][number]

interface StoredAs {
  readonly type: ColumnType
  /** The version of the schema that added it, 1 by default. Later columns are nullable, because older gateways do not write them. */
  readonly since?: number
  /** What the batch that reserves the charge writes. */
  readonly reserve?: Column<Reserved>['from']
  /** What the batch that ends it or puts it into review writes. */
  readonly end?: Column<Ended>['from']
  readonly merge?: Column<Ended>['merge']
}

const column = <T>(read: MappedColumn<T>, stored: StoredAs): MappedColumn<T> & StoredAs => ({ ...read, ...stored })

/**
 * The columns of a charge, in the order of an archived one. Everything that reads or writes charges picks from them by name; a
 * column that is appended here is written, archived and exported. docs/add-a-column-to-a-charge.md says what else to do.
 */
export const chargeColumns = {
  chargeId: column(text(), {
    type: 'text',
    reserve: ({ command }) => command.chargeId,
    end: ({ charge }) => charge.chargeId,
  }),
  projectId: column(text(), { type: 'text', reserve: ({ command }) => command.projectId }),
  keyId: column(text(), { type: 'text', reserve: ({ command }) => command.keyId }),
  operation: column(text<ChargedOperation>(), { type: 'text', reserve: ({ command }) => command.operation }),
  credits: column(integer(), { type: 'bigint', reserve: ({ command }) => command.credits }),
  pricingVersion: column(text(), { type: 'text', reserve: ({ command }) => command.pricingVersion }),
  state: column(text<ChargeState>(), {
    type: 'text',
    reserve: () => 'reserved',
    end: ({ charge }) => charge.state,
  }),
  requestId: column(text(), { type: 'text', reserve: ({ command }) => command.requestId }),
  /** Null for an operation without one. */
  model: column(orNull(text()), { type: 'text', reserve: ({ command }) => command.model ?? null }),
  reservedAt: column(integer(), { type: 'bigint', reserve: ({ command }) => command.at }),
  endedAt: column(orNull(integer()), { type: 'bigint', end: ({ command }) => command.at }),
  reason: column(orNull(text()), {
    type: 'text',
    end: ({ command }) => command.reason,
    // Null keeps the reason of the review; an operator's own reason goes to review_decisions.
    merge: (value, stored) => `COALESCE(${value}, ${stored})`,
  }),
  /** JSON: what a settled call used, or `upstreamCode` of one that the provider refused. */
  usage: column(orNull(text()), { type: 'text', end: ({ command }) => command.usage }),
  /** Null if the Idempotency-Key is free again. */
  idempotencyDigest: column(orNull(text()), { type: 'text', reserve: ({ command }) => command.idempotencyDigest }),
  fingerprint: column(text(), { type: 'text', reserve: ({ command }) => command.fingerprint }),
  /** With the charge, because the stored response is pruned and a receipt is not. */
  responseSha256: column(orNull(text()), {
    type: 'text',
    end: ({ charge }) => charge.response && hash('sha256', charge.response.body),
  }),
  isolationVersion: column(integer(), { type: 'int', reserve: ({ command }) => command.isolationVersion }),
  leavesProcess: column(flag(), { type: 'int', reserve: ({ command }) => (command.leavesProcess ? 1 : 0) }),
  instanceId: column(text(), { type: 'text', reserve: ({ command }) => command.instanceId }),
  budgetId: column(orNull(text()), { type: 'text', reserve: ({ charge }) => charge.budgetId }),
  budgetPeriod: column(orNull(integer()), { type: 'bigint', reserve: ({ charge }) => charge.budgetPeriod }),
} as const

type ChargeColumns = Readonly<Record<string, StoredAs & { readonly sql?: string }>>

const storedColumns = (columns: ChargeColumns) => {
  const names = sqlOf(columns)
  return Object.entries(columns).map(([field, stored]) => ({ since: 1, ...stored, name: names[field]! }))
}

/** What a batch writes to the row of a charge when it reserves the charge, and when it ends it. */
function writesOf(columns: ReturnType<typeof storedColumns>) {
  const writeWhen = <Row>(kind: TableWrite<Row>['kind'], when: 'reserve' | 'end') => {
    const written = columns.filter((stored) => stored[when])
    const values = written.map(({ name, type, merge, ...stored }) => {
      return [name, { type, from: stored[when], ...(when === 'end' && merge && { merge }) }]
    })
    const version = Math.max(...written.map(({ since }) => since))
    return write<Row>(kind, 'charges', 'charge_id', Object.fromEntries(values), version)
  }
  return { charge: writeWhen<Reserved>('insert', 'reserve'), charge_end: writeWhen<Ended>('update', 'end') }
}

export const chargeRowWrites = writesOf(storedColumns(chargeColumns))

/** The migration to a version: the columns that it adds, and PostgreSQL's types of the rows that batches write them with. */
export function chargeMigration(version: number, columns: ChargeColumns = chargeColumns): string {
  const known = storedColumns(columns).filter(({ since }) => since <= version)
  const added = known.filter(({ since }) => since === version)
  const tables = added.map(({ name, type }) => `ALTER TABLE charges ADD COLUMN ${name} ${sqlTypes[type]}`)
  const types = Object.entries(writesOf(known)).flatMap(([write, { rowVersion, columns }]) => {
    const fields = Object.entries(columns).map(([name, { type }]) => `${name} ${type}`)
    return rowVersion === version
      ? [`-- @postgres\nCREATE TYPE ${write}_row_v${version} AS (${fields.join(', ')})`]
      : []
  })
  return [...tables, ...types].join(';\n\n')
}

const sqlTypes: Readonly<Record<ColumnType, string>> = { text: 'TEXT', bigint: 'BIGINT', int: 'INTEGER' }

/** What recovery needs of a reserved charge. */
export const reservedColumns = pick(
  chargeColumns,
  ...(['chargeId', 'projectId', 'operation', 'credits', 'instanceId', 'leavesProcess', 'reservedAt'] as const),
)

/** What the views of open charges (`reserved_charges`, `reviewable_charges`) have. */
const inViews = pick(
  chargeColumns,
  'projectId',
  'chargeId',
  'keyId',
  'operation',
  'credits',
  'state',
  'instanceId',
  'leavesProcess',
  'requestId',
  'reservedAt',
  'endedAt',
  'reason',
)

/** The columns of a row of one of these views; what a view lacks is looked up by id. */
export const openCharge = (alias: string): typeof chargeColumns => {
  const lookedUp = Object.entries(from('m', chargeColumns)).map(([field, column]) => [
    field,
    { ...column, sql: `(SELECT ${column.sql} FROM charges m WHERE m.charge_id = ${alias}.charge_id)` },
  ])
  return { ...Object.fromEntries(lookedUp), ...from(alias, inViews) }
}
