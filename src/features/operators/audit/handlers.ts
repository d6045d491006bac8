import { isoOf } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import { ok } from '../../../http/endpoint.ts'
import type { AuditEntry } from '../../../ledger/audit.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import { byteOrderMark, csvLine, cutLine } from '../../records/reports/exports.ts'
import { timesOf } from '../../records/reports/ledger.ts'
import type { Reading } from '../deps.ts'
import { listAudit } from './audit-log.ts'
import { type AuditFilters, type AuditItem, type AuditParameters, auditColumns, auditRowsLimit } from './contract.ts'

const pageRows = 1000

/** A file of the longest kind has about 50 MB while it is made. */
const filesAtOnce = 2

export function auditHandlers(deps: Reading): OperatorHandler[] {
  let underWay = 0
  async function write(filters: AuditFilters): Promise<string> {
    if (underWay >= filesAtOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: 5 })
    underWay += 1
    try {
      return await csvOf(deps, filters)
    } finally {
      underWay -= 1
    }
  }
  return [
    operatorHandler<unknown, AuditParameters>('operator.audit.list', async ({ query }) => {
      const { order, after, limit, ...filters } = query
      const page = await listAudit(deps, {
        ...filterOf(filters),
        order: order === 'newest' ? 'newest first' : 'oldest first',
        after,
        limit,
      })
      return ok({ items: page.rows.map(publicAuditEntry), nextAfter: page.next })
    }),
    operatorHandler<unknown, AuditFilters>('operator.audit.csv', async ({ query }) => ({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      },
      body: await write(query),
    })),
  ]
}

async function csvOf(deps: Reading, filters: AuditFilters): Promise<string> {
  const lines = [byteOrderMark + csvLine([...auditColumns])]
  let after: string | undefined
  for (let rows = 0; ; ) {
    const page = await listAudit(deps, {
      ...filterOf(filters),
      after,
      limit: Math.min(pageRows, auditRowsLimit - rows),
    })
    for (const { auditId, at, by, via, action, object, reason, seq, hash, ...states } of page.rows) {
      lines.push(csvLine([auditId, isoOf(at), by, via, action, object, reason, states.before, states.after, seq, hash]))
    }
    rows += page.rows.length
    if (page.next === null) return lines.join('')
    if (rows >= auditRowsLimit) return lines.join('') + cutLine(rows)
    after = page.next
  }
}

const filterOf = ({ by, action, object, ...days }: AuditFilters) => ({
  by: by ?? null,
  action: action ?? null,
  object: object ?? null,
  ...timesOf(days),
})

export const publicAuditEntry = (entry: AuditEntry): AuditItem => ({
  id: entry.auditId,
  at: isoOf(entry.at),
  by: entry.by,
  via: entry.via,
  action: entry.action,
  object: entry.object,
  reason: entry.reason,
  before: entry.before === null ? null : JSON.parse(entry.before),
  after: entry.after === null ? null : JSON.parse(entry.after),
  seq: entry.seq,
  hash: entry.hash,
})
