import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { billableOperations } from '../../../../src/contract/prices.ts'
import type { OperationId } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './bars.module.css'
import type { UsageDay } from './days.ts'

interface BarsProps {
  readonly days: readonly UsageDay[]
  readonly chosenDay: string | undefined
  readonly onChoose: (day: string) => void
}

const height = 160
const gridLines = 4

/** Stacked bars. One stop for the Tab key; arrows move between the days, and Enter shows the calls of one. */
export function Bars({ days, chosenDay, onChoose }: BarsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const [looking, setLooking] = useState(days.length - 1)
  const list = useRef<HTMLUListElement>(null)
  const top = roundedUp(Math.max(...days.map(({ credits }) => credits)))
  const at = days[looking] ?? days.at(-1)!
  const used = billableOperations.filter((id) => days.some(({ parts }) => parts.some((part) => part.operation === id)))
  const sayDay = ({ day, credits, calls }: UsageDay) =>
    `${format.day(day)}: ${creditsText(credits)}, ${t('common.callsCount', { count: calls, amount: format.number(calls) })}`

  function move(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(days.length - 1, Math.max(0, looking + step))
    setLooking(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div>
      <div className={styles.chart}>
        <div className={styles.scale} aria-hidden="true">
          {Array.from({ length: gridLines + 1 }, (_, line) => top - (top / gridLines) * line).map((value) => (
            <span key={value}>{format.number(value)}</span>
          ))}
        </div>
        <ul ref={list} className={styles.days} aria-label={t('usage.chart')} onKeyDown={move}>
          {days.map((day, i) => (
            <li key={day.day}>
              <button
                type="button"
                className={styles.day}
                tabIndex={i === Math.min(looking, days.length - 1) ? 0 : -1}
                aria-label={sayDay(day)}
                aria-pressed={day.day === chosenDay}
                onFocus={() => setLooking(i)}
                onPointerEnter={() => setLooking(i)}
                onClick={() => onChoose(day.day)}
              >
                <Bar day={day} top={top} />
              </button>
            </li>
          ))}
        </ul>
        <div className={styles.ends} aria-hidden="true">
          <span>{format.day(days[0]!.day)}</span>
          <span>{format.day(days.at(-1)!.day)}</span>
        </div>
      </div>
      <p className={styles.at} aria-hidden="true">
        <strong>{sayDay(at)}</strong>{' '}
        {at.parts
          .map(({ operation, credits }) => `${t(`operations.${operation}`)} ${format.number(credits)}`)
          .join(' · ')}
      </p>
      <ul className={styles.legend}>
        {used.map((operation) => (
          <li key={operation}>
            <span className={styles.swatch} style={{ background: colourOf(operation) }} />
            {t(`operations.${operation}`)}
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('usage.chartHint')}</p>
    </div>
  )
}

function Bar({ day, top }: { day: UsageDay; top: number }) {
  let from = 0
  return (
    <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {day.parts.map(({ operation, credits }) => {
        const tall = (credits / top) * height
        from += tall
        return (
          <rect key={operation} x="1" width="8" y={height - from} height={tall} style={{ fill: colourOf(operation) }} />
        )
      })}
    </svg>
  )
}

/** Each operation keeps its colour, whichever others are shown. */
const colourOf = (operation: OperationId) => `var(--part-${billableOperations.indexOf(operation) + 1})`

/** The next number that divides well into the lines of the grid. */
function roundedUp(value: number): number {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))))
  const step = [1, 2, 4, 8].map((factor) => factor * size).find((candidate) => candidate >= value) ?? size * 12
  return Math.max(gridLines, step)
}
