import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { useFormat } from '../../format/format.ts'
import type { UsageDay } from './days.ts'

interface Row {
  readonly day: string
  readonly operation: OperationId
  readonly calls: number
  readonly credits: number
}

/** The numbers of the chart, the newest first. */
export function DailyTable({ days }: { days: readonly UsageDay[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rows: Row[] = days.toReversed().flatMap(({ day, parts }) => parts.map((part) => ({ day, ...part })))
  const columns: Column<Row>[] = [
    { key: 'day', title: t('usage.day'), isMain: true, cell: ({ day }) => format.day(day) },
    { key: 'operation', title: t('usage.operation'), cell: ({ operation }) => t(`operations.${operation}`) },
    { key: 'calls', title: t('usage.calls'), isNumber: true, cell: ({ calls }) => format.number(calls) },
    {
      key: 'credits',
      title: t('usage.credits'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ credits }) => format.number(credits),
    },
  ]
  return (
    <DataTable
      caption={t('usage.chart')}
      columns={columns}
      rows={rows}
      rowKey={({ day, operation }) => `${day} ${operation}`}
    />
  )
}
