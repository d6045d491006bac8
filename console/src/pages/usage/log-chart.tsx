import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { type DailyFilters, dailyQuery, keysQuery, partsQuery } from '../../api/queries.ts'
import type { DailyParts, DailyUsage } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { DayChart } from '../../design/chart/day-chart.tsx'
import { daysOf, type Span } from '../../design/chart/days.ts'
import { ChipSelect } from '../../design/chip-menu.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Problem } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { addDays } from '../../format/calendar.ts'
import { keyText, useFormat } from '../../format/format.ts'
import { chartForms, chartSplits, useChartLook } from '../log/log-preferences.ts'
import type { DailyChartProps } from './daily-chart.tsx'
import styles from './usage.module.css'

interface LogChartProps extends DailyChartProps {
  readonly filters: DailyFilters
  readonly hasRows: boolean
}

/** The chart above the log, with the filters of the log: low until it is unfolded. */
export function LogChart({ chosenDay, onChoose, filters, hasRows }: LogChartProps) {
  const { t } = useTranslation()
  const [look, setLook] = useChartLook()
  const { split, form, isFolded } = look
  const nameOf = usePartName(split)
  const daily = useQuery({ ...dailyQuery(filters), enabled: split === 'operation' })
  const parts = useQuery({
    ...partsQuery(split === 'model' ? 'model' : 'key', filters),
    enabled: split !== 'operation',
  })
  const {
    data: latest,
    error,
    refetch,
  }: UseQueryResult<DailyUsage | DailyParts> = split === 'operation' ? daily : parts
  const data = useDeferredValue(latest)
  const days = data && daysOf(data)
  const before = useDaysBefore(filters, days, hasRows)
  const title = t(`usage.charts.${filters.state ?? 'settled'}`)
  return (
    <Sheet className={isFolded ? styles.folded : undefined}>
      <div className={styles.chartHead}>
        <h2>{title}</h2>
        {days && isFolded && <Total days={days} before={before} />}
        <span className={styles.chartLook}>
          <ChipSelect
            isLook
            label={t('log.split')}
            value={split}
            onChange={(value) => setLook({ ...look, split: chartSplits.find((one) => one === value) ?? split })}
            data={chartSplits.map((value) => ({ value, label: t(`log.splits.${value}`) }))}
          />
          <ChipSelect
            isLook
            label={t('log.form')}
            value={form}
            onChange={(value) => setLook({ ...look, form: chartForms.find((one) => one === value) ?? form })}
            data={chartForms.map((value) => ({ value, label: t(`log.forms.${value}`) }))}
          />
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={!isFolded}
            onClick={() => setLook({ ...look, isFolded: !isFolded })}
          >
            {t(isFolded ? 'log.unfold' : 'log.fold')}
          </Button>
        </span>
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!error && (
        <DayChart
          days={days}
          label={title}
          countedFrom={data?.countedFrom}
          chosen={chosenDay === undefined ? null : { from: chosenDay, to: chosenDay }}
          {...{ onChoose, form, before, isFolded }}
          {...(nameOf && { nameOf })}
        />
      )}
    </Sheet>
  )
}

function usePartName(split: (typeof chartSplits)[number]): ((part: string) => string) | undefined {
  const { data: keys } = useQuery({ ...keysQuery, enabled: split === 'key' })
  if (split === 'operation') return undefined
  return (part) => {
    const key = keys?.items.find(({ keyId }) => keyId === part)
    return key ? keyText(key) : part
  }
}

/** As many days, right before these. */
function useDaysBefore(
  filters: DailyFilters,
  days: readonly Span[] | undefined,
  hasRows: boolean,
): readonly Span[] | undefined {
  const first = days?.[0]?.from
  const { days: _, ...others } = filters
  const { data } = useQuery({
    ...dailyQuery({ ...others, ...(first && { from: addDays(first, -days!.length), to: addDays(first, -1) }) }),
    enabled: hasRows && first !== undefined,
  })
  if (!first || !data || data.to !== addDays(first, -1) || data.countedFrom > data.from) return undefined
  const before = daysOf(data)
  return before.some(({ credits }) => credits > 0) ? before : undefined
}

const creditsOf = (days: readonly Span[]) => days.reduce((sum, { credits }) => sum + credits, 0)

/** The sum of the period, and by how much it differs from the one before. */
function Total({ days, before }: { days: readonly Span[]; before: readonly Span[] | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const total = creditsOf(days)
  if (total === 0) return null
  const change = before && Math.round((total / creditsOf(before) - 1) * 100)
  return (
    <p className={styles.total}>
      {t('log.total', {
        days: format.days(days[0]!.from, days.at(-1)!.to),
        credits: creditsText(total),
        yuan: format.yuanOfCredits(total),
      })}
      {change !== undefined && (
        <span>
          {' '}
          · {t('log.change', { change: `${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change)}%` })}
        </span>
      )}
    </p>
  )
}
