import { type CSSProperties, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { weekOf } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import styles from './chart.module.css'
import type { Span } from './days.ts'

interface StackedBar {
  readonly key: string
  /** What a screen reader says for the bar. */
  readonly label: string
  readonly parts: readonly BarPart[]
}

interface BarPart {
  readonly key: string
  readonly value: number
  readonly colour: string
}

interface StackedBarsProps {
  readonly bars: readonly StackedBar[]
  readonly label: string
  /** The labels below the bars, by index. */
  readonly ticks: ReadonlyMap<number, string>
  /** Finds the bar for a key from an earlier render, whose bars may have had another length. */
  readonly placeOf: (key: string) => number
  /** The tooltip of the active bar; `place` goes from 0 at the left to 1 at the right. */
  readonly tip: (bar: number, place: number) => ReactNode
  readonly chosen?: string | null
  /** Without it the bars are not clickable. */
  readonly onChoose?: (bar: number) => void
  /** Bars by default. */
  readonly form?: ChartForm | undefined
  /** The sums of the period before, as a second line. */
  readonly before?: readonly number[] | undefined
  /** Low, without scale and labels. */
  readonly isFolded?: boolean | undefined
}

export type ChartForm = 'bars' | 'line'

const height = 160
const gridLines = 4

/** Stacked bars above a line. One stop for the Tab key; arrows move between the bars. */
export function StackedBars(props: StackedBarsProps) {
  const { bars, label, ticks, tip, chosen, onChoose, form = 'bars', before = [], isFolded } = props
  const format = useFormat()
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const top = roundedUp(Math.max(0, ...sums, ...before))
  const { place, pointed, point, move } = usePlace(bars, props.placeOf)
  return (
    <div className={styles.chart} data-folded={isFolded || undefined}>
      {!isFolded && (
        <div className={styles.scale} aria-hidden="true">
          {Array.from({ length: gridLines + 1 }, (_, line) => top - (top / gridLines) * line).map((value) => (
            <span key={value}>{format.number(value)}</span>
          ))}
        </div>
      )}
      <div className={styles.plot}>
        <ul className={styles.bars} aria-label={label} onKeyDown={move} onPointerLeave={() => point(null)}>
          {bars.map((bar, i) => (
            <li key={bar.key}>
              <button
                type="button"
                className={styles.bar}
                tabIndex={i === place ? 0 : -1}
                aria-label={bar.label}
                aria-pressed={onChoose && bar.key === chosen}
                aria-disabled={onChoose ? undefined : true}
                onFocus={() => point(bar.key)}
                onBlur={() => point(null)}
                onPointerEnter={() => point(bar.key)}
                onClick={() => onChoose?.(i)}
              >
                {form === 'bars' && <Bar parts={bar.parts} top={top} />}
              </button>
              {!isFolded && ticks.has(i) && (
                <span className={styles.tick} aria-hidden="true">
                  {ticks.get(i)}
                </span>
              )}
            </li>
          ))}
        </ul>
        {form === 'line' && <Line values={sums} top={top} bars={bars.length} />}
        {before.length > 0 && <Line values={before} top={top} bars={bars.length} isBefore />}
        {pointed !== -1 && tip(pointed, (pointed + 0.5) / bars.length)}
      </div>
    </div>
  )
}

/** The chart's width, which limits the number of bars. */
export function useChartWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** The focused and the active bar. By key, because an index would mean another bar in another range. */
function usePlace(bars: readonly StackedBar[], placeOf: (key: string) => number) {
  const [key, setKey] = useState<string | null>(null)
  const [pointedKey, point] = useState<string | null>(null)
  const find = (of: string | null) => (of === null ? -1 : placeOf(of))
  const known = find(key)
  const place = known === -1 ? bars.length - 1 : known

  function move(event: KeyboardEvent<HTMLUListElement>) {
    if (event.key === 'Escape') return point(null)
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(bars.length - 1, Math.max(0, place + step))
    setKey(bars[next]!.key)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return { place, pointed: find(pointedKey), point, move }
}

interface LineProps {
  readonly values: readonly number[]
  readonly top: number
  readonly bars: number
  readonly isBefore?: boolean
}

/** Through the middle of each bar. */
const Line = ({ values, top, bars, isBefore }: LineProps) => (
  <svg
    className={styles.lines}
    style={{ maxWidth: `${bars * 6}rem` }}
    viewBox={`0 0 ${bars} ${height}`}
    preserveAspectRatio="none"
    data-before={isBefore}
    aria-hidden="true"
  >
    <polyline points={values.map((value, i) => `${i + 0.5},${height - (value / top) * height}`).join(' ')} />
  </svg>
)

function Bar({ parts, top }: { parts: readonly BarPart[]; top: number }) {
  let from = 0
  return (
    <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ key, value, colour }) => {
        const tall = (value / top) * height
        from += tall
        return <rect key={key} x="1" width="8" y={height - from} height={tall} style={{ fill: colour }} />
      })}
    </svg>
  )
}

interface ChartLegendProps {
  readonly names: readonly { readonly name: string; readonly colour: string }[]
  /** What the dashed line is. */
  readonly dashed?: string | undefined
}

export function ChartLegend({ names, dashed }: ChartLegendProps) {
  return (
    <ul className={styles.legend}>
      {names.map(({ name, colour }) => (
        <li key={name}>
          <span className={styles.swatch} style={{ background: colour }} />
          {name}
        </li>
      ))}
      {dashed && (
        <li>
          <span aria-hidden="true">┄</span>
          {dashed}
        </li>
      )}
    </ul>
  )
}

/** The next number that divides evenly by the grid lines. */
function roundedUp(value: number): number {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))))
  const step = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8]
    .map((factor) => factor * size)
    .find((candidate) => candidate >= value)
  return Math.max(gridLines, Math.ceil((step ?? size * 10) / gridLines) * gridLines)
}

/** The tooltip of the active bar. Screen readers get the same text from the bar itself. */
export function BarTip({ place, children }: { place: number; children: ReactNode }) {
  const side =
    place < 0.5
      ? { '--start': `calc(${place * 100}% + 1rem)`, '--end': 'auto' }
      : { '--start': 'auto', '--end': `calc(${(1 - place) * 100}% + 1rem)` }
  return (
    <div className={styles.tip} style={side as CSSProperties} aria-hidden="true">
      {children}
    </div>
  )
}

interface TipLineProps {
  readonly name: string
  readonly value: string
  readonly colour: string
}

export const TipLine = ({ name, value, colour }: TipLineProps) => (
  <li className={styles.line}>
    <span className={styles.tipSwatch} style={{ background: colour }} />
    <span>{name}</span>
    <span className={styles.number}>{value}</span>
  </li>
)

export const TipHead = ({ children }: { children: ReactNode }) => <p className={styles.head}>{children}</p>

/** Width of a date label with its margin. */
const labelPx = 64
const fewBars = 14

/** Which bars get a date label: each Monday, or each bar if there are few, as far as there is room. */
export function tickPlaces(bars: readonly Span[], widthPx: number): number[] {
  const barPx = widthPx / bars.length
  const isWeekly = bars.length > fewBars && bars.every(({ from, to }) => from === to)
  const places: number[] = []
  for (const [i, { from }] of bars.entries()) {
    if (isWeekly && from !== weekOf(from)) continue
    const hasRoom = (i - (places.at(-1) ?? Number.NEGATIVE_INFINITY)) * barPx >= labelPx
    const fits = (bars.length - i) * barPx >= labelPx
    if (hasRoom && fits) places.push(i)
  }
  return places
}
