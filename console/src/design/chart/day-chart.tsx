import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format/format.ts'
import { useCreditsText } from '../amount.tsx'
import { DailyTable } from './daily-table.tsx'
import { DayBars } from './day-bars.tsx'
import styles from './day-chart.module.css'
import type { Span } from './days.ts'

interface DayChartProps {
  /** Undefined until they are known: their place is kept. */
  readonly days: readonly Span[] | undefined
  readonly label: string
  readonly countedFrom?: string | undefined
  readonly chosen?: { readonly from: string; readonly to: string } | null
  readonly onChoose?: (from: string, to: string) => void
}

/** Days as a sentence, as bars, and as the numbers behind them. */
export function DayChart({ days, label, countedFrom, chosen = null, onChoose }: DayChartProps) {
  return (
    <div className={styles.body} data-empty={days?.every(({ credits }) => credits === 0)}>
      {days && (
        <>
          <Summary days={days} countedFrom={countedFrom} />
          {days.some(({ credits }) => credits > 0) && (
            <>
              <DayBars days={days} label={label} chosen={chosen} {...(onChoose && { onChoose })} />
              <Numbers days={days} />
            </>
          )}
        </>
      )}
    </div>
  )
}

function Summary({ days, countedFrom }: { days: readonly Span[]; countedFrom: string | undefined }) {
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
      {countedFrom && countedFrom > first.from && t('usage.countedFrom', { day: format.day(countedFrom) })}
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
