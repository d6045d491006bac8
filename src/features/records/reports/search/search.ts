import { isoOf } from '../../../../base/time.ts'
import type { Engine, Reader } from '../../../../storage/engine.ts'
import { paymentsFrom } from '../../../billing/payments/store/payments.ts'
import type { ReportStore } from '../store.ts'
import { usagePage } from '../usage.ts'
import { type FoundThing, maxFound } from './contract.ts'

/** The prefix of an id says what it identifies. */
const idPattern = /^(chg|req|ord|pay|key|job|evt)_[A-Za-z0-9]{1,60}$/

interface FoundRow {
  readonly id: string
  readonly name: string | null
  readonly chargeId: string | null
  readonly at: number
}

/** Finds things of one project: by an id or its beginning through an index, keys by name among the few that a project has. */
export const createSearch =
  ({ engine, reports }: { engine: Engine; reports: ReportStore }) =>
  async (projectId: string, query: string): Promise<FoundThing[]> => {
    const wanted = query.trim()
    const prefix = idPattern.exec(wanted)?.[1]
    if (prefix === 'chg' || prefix === 'req') return findCalls(reports, projectId, wanted)
    if (prefix === 'pay') return findPayments(engine, projectId, wanted)
    const source = prefix === undefined ? undefined : sources[prefix as keyof typeof sources]
    if (source) return engine.read((tx) => findById(tx, source, projectId, wanted))
    return wanted.length < 2 ? [] : engine.read((tx) => findKeys(tx, projectId, wanted))
  }

interface SearchedTable {
  readonly kind: FoundThing['kind']
  readonly id: string
  readonly select: string
  /** Of an index that begins with the project. */
  readonly order: string
}

const sources = {
  ord: {
    ...{ kind: 'order', id: 'order_id', order: 'created_at DESC, order_id DESC' },
    select: 'order_id AS id, NULL AS name, NULL AS "chargeId", created_at AS at FROM orders',
  },
  key: {
    ...{ kind: 'key', id: 'key_id', order: 'created_at DESC, key_id DESC' },
    select: `key_id AS id, COALESCE(name, display_prefix) AS name, NULL AS "chargeId", created_at AS at FROM api_keys`,
  },
  job: {
    ...{ kind: 'job', id: 'job_id', order: 'job_id DESC' },
    select: 'job_id AS id, status AS name, charge_id AS "chargeId", created_at AS at FROM media_jobs',
  },
  evt: {
    ...{ kind: 'event', id: 'event_id', order: 'seq DESC' },
    select: 'event_id AS id, type AS name, NULL AS "chargeId", happened_at AS at FROM events',
  },
} as const satisfies Record<string, SearchedTable>

/** Beginnings of ids are looked for among this many of the newest. */
const searched = 1000

async function findById(tx: Reader, source: SearchedTable, projectId: string, wanted: string): Promise<FoundThing[]> {
  const { kind, id, select, order } = source
  const exact = await tx.get<FoundRow>(`SELECT ${select} WHERE ${id} = $1 AND project_id = $2`, [wanted, projectId])
  if (exact) return [shown(kind, exact)]
  const rows = await tx.all<FoundRow>(
    `SELECT * FROM (SELECT ${select} WHERE project_id = $1 ORDER BY ${order} LIMIT ${searched}) x
    WHERE x.id > $2 AND x.id < $3 LIMIT ${maxFound}`,
    [projectId, wanted, `${wanted}~`],
  )
  return rows.map((row) => shown(kind, row))
}

const shown = (kind: FoundThing['kind'], { at, ...row }: FoundRow): FoundThing => ({ kind, ...row, at: isoOf(at) })

async function findCalls(reports: ReportStore, projectId: string, id: string): Promise<FoundThing[]> {
  const kind = id.startsWith('req_') ? 'request' : 'charge'
  const { items } = await usagePage(reports, projectId, { id, limit: maxFound })
  return items.map(({ chargeId, requestId, operation, reservedAt }) => ({
    ...{ kind, id: kind === 'request' ? requestId : chargeId, name: operation, chargeId, at: reservedAt },
  }))
}

async function findPayments(engine: Engine, projectId: string, wanted: string): Promise<FoundThing[]> {
  const rows = await engine.read((tx) => paymentsFrom(tx, projectId, wanted, maxFound))
  return rows.map(({ paymentId: id, orderId: name, createdAt: at }) =>
    shown('payment', { id, name, chargeId: null, at }),
  )
}

async function findKeys(tx: Reader, projectId: string, text: string): Promise<FoundThing[]> {
  const rows = await tx.all<FoundRow & { prefix: string }>(
    `SELECT key_id AS id, name, display_prefix AS prefix, NULL AS "chargeId", created_at AS at
    FROM api_keys WHERE project_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT ${searched}`,
    [projectId],
  )
  const part = text.toLowerCase()
  return rows
    .filter(({ name, prefix }) => name?.toLowerCase().includes(part) || prefix.toLowerCase().includes(part))
    .slice(0, maxFound)
    .map(({ prefix, ...row }) => shown('key', { ...row, name: row.name ?? prefix }))
}
