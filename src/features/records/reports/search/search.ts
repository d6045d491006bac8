import { isoOf } from '../../../../base/time.ts'
import type { Engine, Reader } from '../../../../storage/engine.ts'
import type { ReportStore } from '../store.ts'
import { usagePage } from '../usage.ts'
import { type FoundThing, maxFound } from './contract.ts'

/** The prefix of an id says what it identifies. */
const idPattern = /^(chg|req|ord|key|job|evt)_[A-Za-z0-9]{1,60}$/

interface FoundRow {
  readonly id: string
  readonly name: string | null
  readonly chargeId: string | null
  readonly at: number
}

/** Finds things of one project: by id through an index, keys by name among the few that a project has. */
export const createSearch =
  ({ engine, reports }: { engine: Engine; reports: ReportStore }) =>
  async (projectId: string, query: string): Promise<FoundThing[]> => {
    const wanted = query.trim()
    const prefix = idPattern.exec(wanted)?.[1]
    if (prefix === 'req') return findRequest(reports, projectId, wanted)
    const kind = prefix === undefined ? undefined : kinds[prefix as keyof typeof kinds]
    if (kind) {
      const row = await engine.read((tx) => tx.get<FoundRow>(kind.sql, [wanted, projectId]))
      return row ? [shown(kind.name, row)] : []
    }
    return wanted.length < 2 ? [] : engine.read((tx) => findKeys(tx, projectId, wanted))
  }

const kinds = {
  chg: {
    name: 'charge',
    sql: `SELECT charge_id AS id, operation AS name, charge_id AS "chargeId", reserved_at AS at
      FROM charges WHERE charge_id = $1 AND project_id = $2`,
  },
  ord: {
    name: 'order',
    sql: `SELECT order_id AS id, NULL AS name, NULL AS "chargeId", created_at AS at
      FROM orders WHERE order_id = $1 AND project_id = $2`,
  },
  key: {
    name: 'key',
    sql: `SELECT key_id AS id, COALESCE(name, display_prefix) AS name, NULL AS "chargeId", created_at AS at
      FROM api_keys WHERE key_id = $1 AND project_id = $2`,
  },
  job: {
    name: 'job',
    sql: `SELECT job_id AS id, status AS name, charge_id AS "chargeId", created_at AS at
      FROM media_jobs WHERE job_id = $1 AND project_id = $2`,
  },
  evt: {
    name: 'event',
    sql: `SELECT event_id AS id, type AS name, NULL AS "chargeId", happened_at AS at
      FROM events WHERE event_id = $1 AND project_id = $2`,
  },
} as const

const shown = (kind: FoundThing['kind'], { at, ...row }: FoundRow): FoundThing => ({ kind, ...row, at: isoOf(at) })

async function findRequest(reports: ReportStore, projectId: string, requestId: string): Promise<FoundThing[]> {
  const { items } = await usagePage(reports, projectId, { id: requestId, limit: 1 })
  return items.map(({ chargeId, operation, reservedAt }) => ({
    ...{ kind: 'request', id: requestId, name: operation, chargeId, at: reservedAt },
  }))
}

/** More keys than a project can have active. */
const searchedKeys = 1000

async function findKeys(tx: Reader, projectId: string, text: string): Promise<FoundThing[]> {
  const rows = await tx.all<FoundRow & { prefix: string }>(
    `SELECT key_id AS id, name, display_prefix AS prefix, NULL AS "chargeId", created_at AS at
    FROM api_keys WHERE project_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT ${searchedKeys}`,
    [projectId],
  )
  const part = text.toLowerCase()
  return rows
    .filter(({ name, prefix }) => name?.toLowerCase().includes(part) || prefix.toLowerCase().includes(part))
    .slice(0, maxFound)
    .map(({ prefix, ...row }) => shown('key', { ...row, name: row.name ?? prefix }))
}
