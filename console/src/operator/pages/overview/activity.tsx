import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Empty } from '../../../design/empty.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { useFormat } from '../../../format/format.ts'
import type { Overview } from '../../api/types.ts'
import { msText } from './minute-chart.tsx'

type Operation = Overview['instance']['operations'][number]
type Code = Overview['instance']['codes'][number]

/** The last minutes by operation and by error code. */
export function Activity({ activity }: { activity: Overview['instance'] }) {
  const { t } = useTranslation()
  const operationColumns = useOperationColumns()
  const codeColumns = useCodeColumns()
  return (
    <>
      <Sheet title={t('operator.overview.operations')}>
        {activity.operations.length === 0 ? (
          <Empty title={t('operator.overview.noCalls')} />
        ) : (
          <DataTable
            caption={t('operator.overview.operations')}
            columns={operationColumns}
            rows={activity.operations}
            rowKey={({ operation }) => operation}
          />
        )}
      </Sheet>
      <Sheet title={t('operator.overview.codes')}>
        {activity.codes.length === 0 ? (
          <Empty title={t('operator.overview.noCodes', { minutes: activity.sumMinutes })} />
        ) : (
          <DataTable
            caption={t('operator.overview.codes')}
            columns={codeColumns}
            rows={activity.codes}
            rowKey={({ code }) => code}
          />
        )}
      </Sheet>
    </>
  )
}

function useOperationColumns(): Column<Operation>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const percentile = (name: 'p50Ms' | 'p95Ms' | 'p99Ms', title: string): Column<Operation> => ({
    key: name,
    title,
    isNumber: true,
    cell: ({ latency }) => (latency ? `${msText(latency[name])} ms` : '–'),
  })
  return [
    {
      key: 'operation',
      title: t('operator.overview.operation'),
      isMain: true,
      cell: ({ operation }) => t(`operations.${operation}`),
    },
    {
      key: 'calls',
      title: t('operator.overview.calls'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ calls }) => format.number(calls),
      sortBy: ({ calls }) => calls,
    },
    {
      key: 'failed',
      title: t('operator.overview.errors'),
      isNumber: true,
      cell: ({ failed }) => format.number(failed),
      sortBy: ({ failed }) => failed,
    },
    {
      key: 'credits',
      title: t('operator.overview.credits'),
      isNumber: true,
      cell: ({ credits }) => format.number(credits),
      sortBy: ({ credits }) => credits,
    },
    percentile('p50Ms', 'p50'),
    percentile('p95Ms', 'p95'),
    percentile('p99Ms', 'p99'),
  ]
}

function useCodeColumns(): Column<Code>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { key: 'code', title: t('operator.overview.code'), isMain: true, cell: ({ code }) => <code>{code}</code> },
    {
      key: 'calls',
      title: t('operator.overview.calls'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ calls }) => format.number(calls),
    },
  ]
}
