import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dailyQuery } from '../../api/queries.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import { Bars } from './bars.tsx'
import styles from './daily-chart.module.css'
import { DailyTable } from './daily-table.tsx'
import { daysOf } from './days.ts'

interface DailyChartProps {
  readonly chosenDay: string | undefined
  readonly onChoose: (day: string) => void
}

/** What was settled, day by day and operation by operation: as bars, and as the numbers behind them. */
export function DailyChart({ chosenDay, onChoose }: DailyChartProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const [length, setLength] = useState('30')
  const { data, error, refetch } = useQuery(dailyQuery(Number(length)))
  const days = data && daysOf(data)
  const total = days?.reduce((sum, { credits }) => sum + credits, 0) ?? 0
  const peak = days?.reduce((most, day) => (day.credits > most.credits ? day : most))

  return (
    <Sheet
      title={t('usage.chart')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('usage.range')}
          value={length}
          onChange={setLength}
          data={['7', '30', '90'].map((value) => ({ value, label: t('usage.daysCount', { days: value }) }))}
        />
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!days && !error && <LoadingRows />}
      {days && peak && (
        <>
          <p className={styles.summary}>
            {total === 0
              ? t('usage.chartEmpty')
              : t('usage.chartSummary', {
                  credits: creditsText(total),
                  days: days.length,
                  peak: format.day(peak.day),
                })}
          </p>
          {total > 0 && (
            <>
              <Bars days={days} chosenDay={chosenDay} onChoose={onChoose} />
              <details className={styles.numbers}>
                <summary>{t('usage.asTable')}</summary>
                <DailyTable days={days} />
              </details>
            </>
          )}
        </>
      )}
    </Sheet>
  )
}
