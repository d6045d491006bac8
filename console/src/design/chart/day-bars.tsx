import { useTranslation } from 'react-i18next'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { ChargedOperation } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { DayTip } from './day-tip.tsx'
import { namedOperations, type Span, shownParts, weeksOf } from './days.ts'
import { ChartLegend, StackedBars, useChartWidth } from './stacked-bars.tsx'
import { tickPlaces } from './tick-places.ts'
import { useSayDays } from './use-say-days.ts'

interface DayBarsProps {
  readonly days: readonly Span[]
  readonly label: string
  readonly chosen?: { readonly from: string; readonly to: string } | null
  readonly onChoose?: (from: string, to: string) => void
}

/** A narrower bar can neither be seen well nor hit. */
const narrowestBarPx = 7

/** Bars of days, or of weeks where days would be too narrow. */
export function DayBars({ days, label, chosen, onChoose }: DayBarsProps) {
  const format = useFormat()
  const sayDays = useSayDays()
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
          label: sayDays(span),
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

/** Each operation keeps its colour, whichever others are shown; null stands for all without a name. */
const colourOf = (operation: ChargedOperation | null) =>
  operation ? `var(--part-${chargedOperations.indexOf(operation) + 1})` : 'var(--rule-strong)'
