import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { ChargedOperation } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { useCreditsText } from '../figures.tsx'
import styles from './chart.module.css'
import { namedOperations, type Span, shownParts, weeksOf } from './days.ts'
import { BarTip, ChartLegend, StackedBars, TipHead, TipLine, tickPlaces, useChartWidth } from './stacked-bars.tsx'

interface DayChartProps {
  /** Undefined while loading; the space is reserved. */
  readonly days: readonly Span[] | undefined
  readonly label: string
  readonly countedFrom?: string | undefined
  readonly chosen?: { readonly from: string; readonly to: string } | null
  readonly onChoose?: (from: string, to: string) => void
}

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

/** Rendered only while open: there may be hundreds of rows. */
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
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable, so it must be reachable by keyboard.
          tabIndex={0}
        >
          <DailyTable days={days} />
        </section>
      )}
    </details>
  )
}

interface DayBarsProps {
  readonly days: readonly Span[]
  readonly label: string
  readonly chosen?: { readonly from: string; readonly to: string } | null
  readonly onChoose?: (from: string, to: string) => void
}

/** Narrower bars are hard to see and to hit. */
const narrowestBarPx = 7

/** Bars of days, or of weeks where days would be too narrow. */
function DayBars({ days, label, chosen, onChoose }: DayBarsProps) {
  const format = useFormat()
  const daysText = useDaysText()
  const { ref, width } = useChartWidth()
  const isTight = width > 0 && width / days.length < narrowestBarPx
  const spans = isTight ? weeksOf(days) : days
  const named = namedOperations(days)
  const placeOf = (day: string) => spans.findIndex(({ from, to }) => from <= day && day <= to)
  const chosenSpan = chosen && spans.find(({ from, to }) => from === chosen.from && to === chosen.to)
  return (
    <div ref={ref}>
      <StackedBars
        label={label}
        bars={spans.map((span) => ({
          key: span.from,
          label: daysText(span),
          parts: shownParts(span, named).map(({ operation, credits }) => ({
            key: operation ?? '',
            value: credits,
            colour: colourOf(operation),
          })),
        }))}
        ticks={new Map(tickPlaces(spans, width || 800).map((place) => [place, format.day(spans[place]!.from)]))}
        placeOf={placeOf}
        chosen={chosenSpan?.from ?? null}
        {...(onChoose && { onChoose: (bar: number) => onChoose(spans[bar]!.from, spans[bar]!.to) })}
        tip={(bar, place) => <DayTip bar={spans[bar]!} named={named} place={place} colourOf={colourOf} />}
      />
      <Legend days={days} named={named} />
    </div>
  )
}

function Legend({ days, named }: { days: readonly Span[]; named: ReadonlySet<ChargedOperation> }) {
  const { t } = useTranslation()
  const hasOthers = days.some(({ parts }) => parts.some(({ operation }) => !named.has(operation)))
  const shown = [...chargedOperations.filter((id) => named.has(id)), ...(hasOthers ? [null] : [])]
  return (
    <ChartLegend
      names={shown.map((operation) => ({
        name: operation ? t(`operations.${operation}`) : t('usage.others'),
        colour: colourOf(operation),
      }))}
    />
  )
}

/** Each operation keeps its colour regardless of the filter; null means "other". */
const colourOf = (operation: ChargedOperation | null) =>
  operation ? `var(--part-${chargedOperations.indexOf(operation) + 1})` : 'var(--rule-strong)'

interface DayTipProps {
  readonly bar: Span
  readonly named: ReadonlySet<ChargedOperation>
  readonly place: number
  readonly colourOf: (operation: ChargedOperation | null) => string
}

function DayTip({ bar, named, place, colourOf }: DayTipProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return (
    <BarTip place={place}>
      <TipHead>{format.days(bar.from, bar.to)}</TipHead>
      <p className={styles.total}>
        <strong>{creditsText(bar.credits)}</strong> <span>{format.yuanOfCredits(bar.credits)}</span>
      </p>
      <p className={styles.calls}>{t('common.callsCount', { count: bar.calls, amount: format.number(bar.calls) })}</p>
      <ul>
        {shownParts(bar, named).map(({ operation, credits }) => (
          <TipLine
            key={operation}
            name={operation ? t(`operations.${operation}`) : t('usage.others')}
            value={format.number(credits)}
            colour={colourOf(operation)}
          />
        ))}
      </ul>
    </BarTip>
  )
}

/** The chart as a table, newest first, without empty days. */
function DailyTable({ days }: { days: readonly Span[] }) {
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
      narrow: 'inline',
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

/** Describes a day or week in one line, for screen readers. */
function useDaysText(): (span: Span) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return ({ from, to, credits, calls }) =>
    `${format.days(from, to)}: ${creditsText(credits)}, ${t('common.callsCount', { count: calls, amount: format.number(calls) })}`
}
