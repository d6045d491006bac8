import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import type { ChargedOperation } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { BarTip } from './bar-tip.tsx'
import styles from './bars.module.css'
import { namedOperations, type Span, shownParts, weeksOf } from './days.ts'
import { tickPlaces } from './tick-places.ts'
import { useSayDays } from './use-say-days.ts'

interface BarsProps {
  readonly days: readonly Span[]
  readonly label: string
  readonly chosen: { readonly from: string; readonly to: string } | null
  readonly onChoose: (from: string, to: string) => void
}

const height = 160
const gridLines = 4
/** A narrower bar can neither be seen well nor hit. */
const narrowestBarPx = 7

/** Stacked bars of days, or of weeks where days would be too narrow. One stop for the Tab key; arrows move between them. */
export function Bars({ days, label, chosen, onChoose }: BarsProps) {
  const format = useFormat()
  const sayDays = useSayDays()
  const { ref: list, width } = useElementSize<HTMLUListElement>()
  const isTight = width > 0 && width / days.length < narrowestBarPx
  const bars = isTight ? weeksOf(days) : days
  const named = namedOperations(days)
  const top = roundedUp(Math.max(...bars.map(({ credits }) => credits)))
  const { place, pointed, point, move } = usePlace(bars)
  const ticks = new Set(tickPlaces(bars, width || 800))

  return (
    <div>
      <div className={styles.chart}>
        <div className={styles.scale} aria-hidden="true">
          {Array.from({ length: gridLines + 1 }, (_, line) => top - (top / gridLines) * line).map((value) => (
            <span key={value}>{format.number(value)}</span>
          ))}
        </div>
        <div className={styles.plot}>
          <ul ref={list} className={styles.bars} aria-label={label} onKeyDown={move} onPointerLeave={() => point(null)}>
            {bars.map((bar, i) => (
              <li key={bar.from}>
                <button
                  type="button"
                  className={styles.bar}
                  tabIndex={i === place ? 0 : -1}
                  aria-label={sayDays(bar)}
                  aria-pressed={bar.from === chosen?.from && bar.to === chosen.to}
                  onFocus={() => point(bar.from)}
                  onBlur={() => point(null)}
                  onPointerEnter={() => point(bar.from)}
                  onClick={() => onChoose(bar.from, bar.to)}
                >
                  <Bar bar={bar} top={top} named={named} />
                </button>
                {ticks.has(i) && (
                  <span className={styles.tick} aria-hidden="true">
                    {format.day(bar.from)}
                  </span>
                )}
              </li>
            ))}
          </ul>
          {pointed !== -1 && (
            <BarTip bar={bars[pointed]!} named={named} place={(pointed + 0.5) / bars.length} colourOf={colourOf} />
          )}
        </div>
      </div>
      <Legend days={days} named={named} />
    </div>
  )
}

/** Which bar the keyboard is on, and which one is looked at. By day, because a number would mean another day in another range. */
function usePlace(bars: readonly Span[]) {
  const [day, setDay] = useState<string | null>(null)
  const [pointedDay, point] = useState<string | null>(null)
  const placeOf = (of: string | null) => bars.findIndex(({ from, to }) => of !== null && from <= of && of <= to)
  const known = placeOf(day)
  const place = known === -1 ? bars.length - 1 : known

  function move(event: KeyboardEvent<HTMLUListElement>) {
    if (event.key === 'Escape') return point(null)
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(bars.length - 1, Math.max(0, place + step))
    setDay(bars[next]!.from)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return { place, pointed: placeOf(pointedDay), point, move }
}

function Bar({ bar, top, named }: { bar: Span; top: number; named: ReadonlySet<ChargedOperation> }) {
  let from = 0
  return (
    <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {shownParts(bar, named).map(({ operation, credits }) => {
        const tall = (credits / top) * height
        from += tall
        return (
          <rect key={operation} x="1" width="8" y={height - from} height={tall} style={{ fill: colourOf(operation) }} />
        )
      })}
    </svg>
  )
}

function Legend({ days, named }: { days: readonly Span[]; named: ReadonlySet<ChargedOperation> }) {
  const { t } = useTranslation()
  const hasOthers = days.some(({ parts }) => parts.some(({ operation }) => !named.has(operation)))
  const shown = [...chargedOperations.filter((id) => named.has(id)), ...(hasOthers ? [null] : [])]
  return (
    <ul className={styles.legend}>
      {shown.map((operation) => (
        <li key={operation}>
          <span className={styles.swatch} style={{ background: colourOf(operation) }} />
          {operation ? t(`operations.${operation}`) : t('usage.others')}
        </li>
      ))}
    </ul>
  )
}

/** Each operation keeps its colour, whichever others are shown; null stands for all without a name. */
const colourOf = (operation: ChargedOperation | null) =>
  operation ? `var(--part-${chargedOperations.indexOf(operation) + 1})` : 'var(--rule-strong)'

/** The next number that divides well into the lines of the grid. */
function roundedUp(value: number): number {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))))
  const step = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8]
    .map((factor) => factor * size)
    .find((candidate) => candidate >= value)
  return Math.max(gridLines, Math.ceil((step ?? size * 10) / gridLines) * gridLines)
}
