import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dailyQuery } from '../../api/queries.ts'
import { DayChart } from '../../design/chart/day-chart.tsx'
import { daysOf } from '../../design/chart/days.ts'
import { Segments } from '../../design/choices.tsx'
import { Problem } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'

export interface DailyChartProps {
  readonly chosenDay: string | undefined
  /** A day, or the first and the last one of a week. */
  readonly onChoose: (from: string, to: string) => void
}

/** With its own choice of period. */
export function DailyChart({ chosenDay, onChoose }: DailyChartProps) {
  const { t } = useTranslation()
  const [length, setLength] = useState('30')
  const { data: latest, error, refetch } = useQuery(dailyQuery({ days: Number(length) }))
  // Rendered in small slices, which keeps the page responsive.
  const data = useDeferredValue(latest)
  const title = t('usage.charts.settled')
  return (
    <Sheet
      title={title}
      actions={
        <Segments
          aria-label={t('tables.period')}
          value={length}
          onChange={setLength}
          data={(['7', '30', '90'] as const).map((value) => ({ value, label: t(`tables.presets.days${value}`) }))}
        />
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!error && (
        <DayChart
          days={data && daysOf(data)}
          label={title}
          countedFrom={data?.countedFrom}
          chosen={chosenDay === undefined ? null : { from: chosenDay, to: chosenDay }}
          onChoose={onChoose}
        />
      )}
    </Sheet>
  )
}
