import type { Overview } from '../../../contract/console/overview.ts'
import type { PageParameters } from '../../../contract/console/paging.ts'
import type { UsageParameters } from '../../../contract/console/usage.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operations.ts'
import type { PaymentMode } from '../../../contract/prices.ts'
import { ledgerPage } from '../../../reporting/ledger.ts'
import { overviewOf } from '../../../reporting/overview.ts'
import type { ReportStore } from '../../../reporting/ports.ts'
import { publicReceipt } from '../../../reporting/public-charge.ts'
import { dailyUsage, reviewPage, usagePage } from '../../../reporting/usage.ts'
import { endpoint, pathParameter } from '../../endpoint.ts'
import type { Guards } from '../../guards.ts'
import { queryReader } from '../../query.ts'
import type { Route } from '../../route.ts'

export interface ReportRouteDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
  readonly reports: ReportStore
  readonly clock: () => number
  readonly baseUrl: string
  /** Asked with each view, because the operator's port is known only after the start. */
  readonly smsInboxUrl: () => string | null
  readonly paymentMode: PaymentMode
}

/** What a project spent and holds. */
export function reportRoutes(deps: ReportRouteDeps): Route[] {
  const { operation, guards, reports, clock, baseUrl, smsInboxUrl, paymentMode } = deps

  /** A view of the signed-in project: the session is judged before the query. */
  function view<Q extends object>(id: string, show: (projectId: string, query: Q) => Promise<object>): Route {
    const readQuery = queryReader<Q>(operation(id))
    return endpoint(operation(id), async (call) => {
      const { projectId } = await guards.session(call)
      return { status: 200, body: await show(projectId, readQuery(call)) }
    })
  }

  const receipt = operation('console.usage.receipt')
  return [
    view('console.overview', async (projectId): Promise<Overview> => {
      const overview = await overviewOf(reports, projectId, clock())
      return { ...overview, baseUrl, smsInboxUrl: smsInboxUrl(), paymentMode }
    }),
    view<UsageParameters>('console.usage.list', (projectId, query) => usagePage(reports, projectId, query)),
    view<{ days: number }>('console.usage.daily', (projectId, { days }) =>
      dailyUsage(reports, projectId, { days, now: clock() }),
    ),
    endpoint(receipt, async (call) => {
      const { projectId } = await guards.session(call)
      const rows = await reports.receipt(projectId, pathParameter(receipt, call, 'chargeId'))
      if (!rows) throw new Refusal('NOT_FOUND')
      return { status: 200, body: publicReceipt(rows) }
    }),
    view<PageParameters>('console.reviews.list', (projectId, query) => reviewPage(reports, projectId, query)),
    view<PageParameters>('console.ledger.list', (projectId, query) => ledgerPage(reports, projectId, query)),
  ]
}
