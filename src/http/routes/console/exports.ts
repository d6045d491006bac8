import { cutHeader } from '../../../contract/console/exports.ts'
import type { DayParameters } from '../../../contract/console/paging.ts'
import { dayOf, dayText } from '../../../reporting/days.ts'
import { createExports, type ExportedFile } from '../../../reporting/exports.ts'
import { endpoint } from '../../endpoint.ts'
import { queryReader } from '../../query.ts'
import type { Answer, Route } from '../../route.ts'
import type { ReportRouteDeps } from './reports.ts'

type ExportRouteDeps = Pick<ReportRouteDeps, 'operation' | 'guards' | 'reports' | 'clock'>

/** Files for spreadsheets. */
export function exportRoutes({ operation, guards, reports, clock }: ExportRouteDeps): Route[] {
  const exports = createExports(reports)

  function download(id: string, name: 'usage' | 'ledger'): Route {
    const readQuery = queryReader<DayParameters>(operation(id))
    return endpoint(operation(id), async (call) => {
      const { projectId } = await guards.session(call)
      const days = readQuery(call)
      const file = await exports[name](projectId, days)
      return csvAnswer(file, [name, days.from, days.to ?? dayText(dayOf(clock()))])
    })
  }

  return [download('console.usage.csv', 'usage'), download('console.ledger.csv', 'ledger')]
}

function csvAnswer({ bytes, isCut }: ExportedFile, name: readonly (string | undefined)[]): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.filter(Boolean).join('-')}.csv"`,
      ...(isCut && { [cutHeader.toLowerCase()]: 'true' }),
    },
    body: bytes,
  }
}
