import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DailyFilters, dailyQuery } from '../../api/queries.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import { Bars } from './bars.tsx'
import styles from './daily-chart.module.css'
import { DailyTable } from './daily-table.tsx'
import { daysOf, type Span } from './days.ts'

interface DailyChartProps {
  readonly chosenDay: string | undefined
  /** A day, or the first and the last one of a week. */
  readonly onChoose: (from: string, to: string) => void
  /** What the days are narrowed by; without it the chart has a choice of its own. */
  readonly filters?: DailyFilters
}

/** What was spent, day by day and operation by operation: as bars, and as the numbers behind them. */
export function DailyChart({ chosenDay, onChoose, filters }: DailyChartProps) {
  const { t } = useTranslation()
  const [length, setLength] = useState('30')
  const { data, error, refetch } = useQuery(dailyQuery(filters ?? { days: Number(length) }))
  const days = data && daysOf(data)
  const state = filters?.state ?? 'settled'
  const title = t(`usage.charts.${state}`)
  return (
    <Sheet
      title={title}
      actions={
        !filters && (
          <SegmentedControl
            size="xs"
            aria-label={t('tables.period')}
            value={length}
            onChange={setLength}
            data={(['7', '30', '90'] as const).map((value) => ({ value, label: t(`tables.presets.days${value}`) }))}
          />
        )
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!error && (
        <div className={styles.body} data-empty={days?.every(({ credits }) => credits === 0)}>
          {days && (
            <>
              <Summary days={days} countedFrom={data.countedFrom} />
              {days.some(({ credits }) => credits > 0) && (
                <>
                  <Bars
                    days={days}
                    label={title}
                    chosen={chosenDay === undefined ? null : { from: chosenDay, to: chosenDay }}
                    onChoose={onChoose}
                  />
                  <Numbers days={days} />
                </>
              )}
            </>
          )}
        </div>
      )}
    </Sheet>
  )
}

function Summary({ days, countedFrom }: { days: readonly Span[]; countedFrom: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const total = days.reduce((sum, { credits }) => sum + credits, 0)
  const first = days[0]
  if (!first) return <p className={styles.summary}>{t('usage.chartEmpty')}</p>
  const peak = days.reduce((most, day) => (day.credits > most.credits ? day : most))
  return (
    <p className={styles.summary}>
      {total === 0
        ? t('usage.chartEmptyDays', { days: format.days(first.from, days.at(-1)!.to) })
        : t('usage.chartSummary', {
            credits: creditsText(total),
            yuan: format.yuanOfCredits(total),
            days: format.days(first.from, days.at(-1)!.to),
            peak: format.day(peak.from),
          })}{' '}
      {countedFrom > first.from && t('usage.countedFrom', { day: format.day(countedFrom) })}
    </p>
  )
}

/** In the page only while they are shown: there may be hundreds of rows. */
function Numbers({ days }: { days: readonly Span[] }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.numbers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('usage.asTable')}</summary>
      {isOpen && (
        <section
          className={styles.scroll}
          aria-label={t('usage.asTable')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
          tabIndex={0}
        >
          <DailyTable days={days} />
        </section>
      )}
    </details>
  )
}
