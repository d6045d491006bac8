import { isoOf } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import { ok } from '../../../http/endpoint.ts'
import { jsonType } from '../../../http/errors.ts'
import type { Route } from '../../../http/route.ts'
import { createStaticContent, type StaticContent } from '../../../http/static/static-content.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import type { OperatorOperation } from '../../../operator-kit/operation.ts'
import { byteOrderMark, csvLine, cutLine } from '../../records/reports/exports.ts'
import { timesOf } from '../../records/reports/ledger.ts'
import type { Administration } from '../administration/administration.ts'
import { type AuditFilters, type AuditParameters, auditColumns, auditRowsLimit } from '../contract/audit.ts'
import { operatorDocument } from '../contract/operations.ts'
import { openEndpoint, operatorEndpoint } from '../endpoint.ts'
import type { OperatorHosts } from '../hosts.ts'
import { publicAuditEntry } from '../views.ts'

const pageRows = 1000

/** A file of the longest kind has about 50 MB while it is made. */
const filesAtOnce = 2

export function auditRoutes({ guard, operate }: { guard: OperatorGuard; operate: Administration }): Route[] {
  let underWay = 0
  async function write(filters: AuditFilters): Promise<string> {
    if (underWay >= filesAtOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: 5 })
    underWay += 1
    try {
      return await csvOf(operate, filters)
    } finally {
      underWay -= 1
    }
  }
  return [
    operatorEndpoint<unknown, AuditParameters>(guard, 'operator.audit.list', async ({ query }) => {
      const { order, after, limit, ...filters } = query
      const page = await operate.listAudit({
        ...filterOf(filters),
        order: order === 'newest' ? 'newest first' : 'oldest first',
        after,
        limit,
      })
      return ok({ items: page.rows.map(publicAuditEntry), nextAfter: page.next })
    }),
    operatorEndpoint<unknown, AuditFilters>(guard, 'operator.audit.csv', async ({ query }) => ({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      },
      body: await write(query),
    })),
  ]
}

async function csvOf(operate: Administration, filters: AuditFilters): Promise<string> {
  const lines = [byteOrderMark + csvLine([...auditColumns])]
  let after: string | undefined
  for (let rows = 0; ; ) {
    const page = await operate.listAudit({
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

export interface MonitoringDeps {
  /** Everything that the listener serves to programs. */
  readonly operations: readonly OperatorOperation[]
  readonly hosts: OperatorHosts
  readonly problems: () => Promise<string[]>
  readonly metrics: { readonly text: () => Promise<string>; readonly contentType: string }
}

/** What needs no sign-in. */
export function monitoringRoutes({ operations, hosts, problems, metrics }: MonitoringDeps): Route[] {
  /** One for each name of the listener: few. */
  const documents = new Map<string, StaticContent>()
  const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8') => ({
    status,
    headers: { 'content-type': contentType },
    body,
  })
  const probe = (id: string, handle: Route['handle']): Route => ({ ...openEndpoint(id, handle), servesAnyHost: true })
  return [
    probe('operator.healthz', () => text(200, 'alive\n')),
    probe('operator.readyz', async () => {
      const found = await problems()
      return text(found.length === 0 ? 200 : 503, `${found.join('\n') || 'ready'}\n`)
    }),
    probe('operator.metrics', async () => text(200, await metrics.text(), metrics.contentType)),
    openEndpoint('operator.openapi', (call) => {
      const origin = hosts.originOf(call)
      const document =
        documents.get(origin) ??
        createStaticContent({ body: JSON.stringify(operatorDocument(operations, origin)), contentType: jsonType })
      documents.set(origin, document)
      return document.respond(call)
    }),
  ]
}
