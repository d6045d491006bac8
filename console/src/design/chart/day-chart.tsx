import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { ChargedOperation } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { useCreditsText } from '../figures.tsx'
import styles from './chart.module.css'
import { namedParts, type Span, shownParts, weeksOf } from './days.ts'
import {
  BarTip,
  type ChartForm,
  ChartLegend,
  StackedBars,
  TipHead,
  TipLine,
  tickPlaces,
  useChartWidth,
} from './stacked-bars.tsx'

interface DayChartProps {
  /** Undefined while loading; the space is reserved. */
  readonly days: readonly Span[] | undefined
  readonly label: string
  readonly countedFrom?: string | undefined
  readonly chosen?: { readonly from: string; readonly to: string } | null
  readonly onChoose?: (from: string, to: string) => void
  readonly form?: ChartForm
  /** As many days, right before these. */
  readonly before?: readonly Span[] | undefined
  /** Only the bars. */
  readonly isFolded?: boolean
  /** What people call a part; operations by default. */
  readonly nameOf?: (part: string) => string
}

export function DayChart({ days, label, countedFrom, isFolded = false, ...bars }: DayChartProps) {
  const operationName = useOperationName()
  const hasSpending = days?.some(({ credits }) => credits > 0)
  return (
    <div className={styles.body} data-empty={hasSpending === false} data-folded={isFolded || undefined}>
      {days && (
        <>
          {!(isFolded && hasSpending) && <Summary days={days} countedFrom={countedFrom} />}
          {hasSpending && (
            <>
              <DayBars {...{ days, label, isFolded }} nameOf={operationName} {...bars} />
              {!isFolded && <Numbers days={days} nameOf={bars.nameOf ?? operationName} />}
            </>
          )}
        </>
      )}
    </div>
  )
}

type NameOf = (part: string) => string

function useOperationName(): NameOf {
  const { t } = useTranslation()
  return (part) => t(`operations.${part as ChargedOperation}`)
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
function Numbers({ days, nameOf }: { days: readonly Span[]; nameOf: NameOf }) {
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
          <DailyTable days={days} nameOf={nameOf} />
        </section>
      )}
    </details>
  )
}

interface DayBarsProps extends Omit<DayChartProps, 'days' | 'countedFrom'> {
  readonly days: readonly Span[]
  readonly nameOf: NameOf
}

/** Narrower bars are hard to see and to hit. */
const narrowestBarPx = 7

/** Bars of days, or of weeks where days would be too narrow. */
function DayBars({ days, label, chosen = null, onChoose, form, before, isFolded, nameOf }: DayBarsProps) {
  const format = useFormat()
  const daysText = useDaysText()
  const { ref, width } = useChartWidth()
  const isTight = width > 0 && width / days.length < narrowestBarPx
  const spans = isTight ? weeksOf(days) : days
  const named = namedParts(days)
  const colourOf = coloursOf(named)
  const spansBefore = before && (isTight ? weeksOf(before) : before).slice(-spans.length)
  const placeOf = (day: string) => spans.findIndex(({ from, to }) => from <= day && day <= to)
  const chosenSpan = chosen && spans.find(({ from, to }) => from === chosen.from && to === chosen.to)
  return (
    <div ref={ref}>
      <StackedBars
        label={label}
        bars={spans.map((span) => ({
          key: span.from,
          label: daysText(span),
          parts: shownParts(span, named).map(({ part, credits }) => ({
            key: part ?? '',
            value: credits,
            colour: colourOf(part),
          })),
        }))}
        ticks={new Map(tickPlaces(spans, width || 800).map((place) => [place, format.day(spans[place]!.from)]))}
        placeOf={placeOf}
        chosen={chosenSpan?.from ?? null}
        {...(onChoose && { onChoose: (bar: number) => onChoose(spans[bar]!.from, spans[bar]!.to) })}
        {...{ form, isFolded }}
        before={spansBefore?.map(({ credits }) => credits)}
        tip={(bar, place) => (
          <DayTip bar={spans[bar]!} before={spansBefore?.[bar]} {...{ named, place, colourOf, nameOf }} />
        )}
      />
      {!isFolded && <Legend {...{ days, named, colourOf, nameOf }} hasBefore={before !== undefined} />}
    </div>
  )
}

/** Operations in the order of the price list; others stay in theirs. */
const byPriceList = (a: string, b: string) =>
  chargedOperations.indexOf(a as ChargedOperation) - chargedOperations.indexOf(b as ChargedOperation)

type ColourOf = (part: string | null) => string

interface LegendProps {
  readonly days: readonly Span[]
  readonly named: ReadonlySet<string>
  readonly colourOf: ColourOf
  readonly nameOf: NameOf
  readonly hasBefore: boolean
}

function Legend({ days, named, colourOf, nameOf, hasBefore }: LegendProps) {
  const { t } = useTranslation()
  const hasOthers = days.some(({ parts }) => parts.some(({ part }) => !named.has(part)))
  return (
    <ChartLegend
      names={[
        ...[...named].toSorted(byPriceList).map((part) => ({ name: nameOf(part), colour: colourOf(part) })),
        ...(hasOthers ? [{ name: t('usage.others'), colour: colourOf(null) }] : []),
      ]}
      dashed={hasBefore ? t('usage.periodBefore') : undefined}
    />
  )
}

/** Each operation keeps its colour regardless of the filter; null means "other". */
const coloursOf =
  (named: ReadonlySet<string>): ColourOf =>
  (part) => {
    if (part === null) return 'var(--rule-strong)'
    const operation = chargedOperations.indexOf(part as ChargedOperation)
    return `var(--part-${(operation === -1 ? [...named].indexOf(part) : operation) + 1})`
  }

interface DayTipProps {
  readonly bar: Span
  readonly before: Span | undefined
  readonly named: ReadonlySet<string>
  readonly place: number
  readonly colourOf: ColourOf
  readonly nameOf: NameOf
}

function DayTip({ bar, before, named, place, colourOf, nameOf }: DayTipProps) {
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
        {shownParts(bar, named).map(({ part, credits }) => (
          <TipLine
            key={part}
            name={part === null ? t('usage.others') : nameOf(part)}
            value={format.number(credits)}
            colour={colourOf(part)}
          />
        ))}
        {before && (
          <TipLine
            name={format.days(before.from, before.to)}
            value={format.number(before.credits)}
            colour="var(--ink-2)"
          />
        )}
      </ul>
    </BarTip>
  )
}

/** The chart as a table, newest first, without empty days. */
function DailyTable({ days, nameOf }: { days: readonly Span[]; nameOf: NameOf }) {
  const partName = (part: string, others: string) => (part === '' ? others : nameOf(part))
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
        parts.map(({ part, credits }) => `${partName(part, t('usage.others'))} ${format.number(credits)}`).join(' · '),
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
