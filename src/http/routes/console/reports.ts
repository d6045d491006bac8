import type { LedgerParameters } from '../../../contract/console/ledger.ts'
import type { Overview } from '../../../contract/console/overview.ts'
import type { PageParameters } from '../../../contract/console/paging.ts'
import type { DailyParameters, UsageParameters } from '../../../contract/console/usage.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { PaymentMode } from '../../../contract/prices.ts'
import { dailyUsage } from '../../../reporting/daily-usage.ts'
import { ledgerPage } from '../../../reporting/ledger.ts'
import { overviewOf } from '../../../reporting/overview.ts'
import type { ReportStore } from '../../../reporting/ports.ts'
import { publicReceipt } from '../../../reporting/public-charge.ts'
import { reviewPage, usagePage } from '../../../reporting/usage.ts'
import { pathParameter } from '../../endpoint.ts'
import type { Route } from '../../route.ts'
import { ok, type ViewDeps, view } from './view.ts'

export interface ReportRouteDeps extends ViewDeps {
  readonly reports: ReportStore
  readonly clock: () => number
  readonly baseUrl: string
  /** Asked with each view, because the operator's port is known only after the start. */
  readonly smsInboxUrl: () => string | null
  readonly paymentMode: PaymentMode
}

/** What a project spent and holds. */
export function reportRoutes(deps: ReportRouteDeps): Route[] {
  const { operation, reports, clock, baseUrl, smsInboxUrl, paymentMode } = deps
  const receipt = operation('console.usage.receipt')
  return [
    view(deps, 'console.overview', async ({ session }) => {
      const overview = await overviewOf(reports, session.projectId, clock())
      return ok({ ...overview, baseUrl, smsInboxUrl: smsInboxUrl(), paymentMode } satisfies Overview)
    }),
    view<UsageParameters>(deps, 'console.usage.list', async ({ session, query }) =>
      ok(await usagePage(reports, session.projectId, query)),
    ),
    view<DailyParameters>(deps, 'console.usage.daily', async ({ session, query }) =>
      ok(await dailyUsage(reports, session.projectId, { ...query, now: clock() })),
    ),
    view(deps, receipt.id, async ({ session, call }) => {
      const rows = await reports.receipt(session.projectId, pathParameter(receipt, call, 'chargeId'))
      if (!rows) throw new Refusal('NOT_FOUND')
      return ok(publicReceipt(rows))
    }),
    view<PageParameters>(deps, 'console.reviews.list', async ({ session, query }) =>
      ok(await reviewPage(reports, session.projectId, query)),
    ),
    view<LedgerParameters>(deps, 'console.ledger.list', async ({ session, query }) =>
      ok(await ledgerPage(reports, session.projectId, query)),
    ),
  ]
}
