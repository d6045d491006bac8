import type { EntryParameters } from '../../../contract/console/ledger.ts'
import type { ChargeParameters } from '../../../contract/console/usage.ts'
import { dayOf, dayText } from '../../../reporting/days.ts'
import { createExports } from '../../../reporting/exports.ts'
import { type Route, StreamedBody } from '../../route.ts'
import type { ReportRouteDeps } from './reports.ts'
import { type ViewDeps, view } from './view.ts'

type ExportRouteDeps = ViewDeps & Pick<ReportRouteDeps, 'reports' | 'clock'>

/** Files for spreadsheets. */
export function exportRoutes(deps: ExportRouteDeps): Route[] {
  const exports = createExports(deps.reports)
  const download = (id: string, name: keyof typeof exports) =>
    view<ChargeParameters & EntryParameters>(deps, id, async ({ session, query }) => {
      const fileName = [name, query.from, query.to ?? dayText(dayOf(deps.clock()))].filter(Boolean).join('-')
      return {
        status: 200,
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName}.csv"`,
        },
        body: new StreamedBody(null, () => exports[name](session.projectId, query)),
      }
    })
  return [download('console.usage.csv', 'usage'), download('console.ledger.csv', 'ledger')]
}
