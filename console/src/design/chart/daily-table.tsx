import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format/format.ts'
import { type Column, DataTable } from '../data-table.tsx'
import type { Span } from './days.ts'

/** The numbers of the chart, the newest first, of the days that have any. */
export function DailyTable({ days }: { days: readonly Span[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Span>[] = [
    {
      key: 'day',
      title: t('usage.day'),
      isMain: true,
      cell: ({ from }) => format.day(from),
      sortBy: ({ from }) => from,
    },
    {
      key: 'calls',
      title: t('usage.calls'),
      isNumber: true,
      cell: ({ calls }) => format.number(calls),
      sortBy: ({ calls }) => calls,
    },
    {
      key: 'credits',
      title: t('usage.credits'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ credits }) => format.number(credits),
      sortBy: ({ credits }) => credits,
    },
    {
      key: 'yuan',
      title: t('usage.yuan'),
      isNumber: true,
      cell: ({ credits }) => format.yuanOfCredits(credits),
    },
    {
      key: 'parts',
      title: t('usage.operation'),
      isText: true,
      narrow: 'untitled',
      cell: ({ parts }) =>
        parts.map(({ operation, credits }) => `${t(`operations.${operation}`)} ${format.number(credits)}`).join(' · '),
    },
  ]
  const rows = days.filter(({ calls }) => calls > 0).toReversed()
  return <DataTable caption={t('usage.asTable')} columns={columns} rows={rows} rowKey={({ from }) => from} />
}
