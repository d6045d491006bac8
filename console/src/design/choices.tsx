import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dayAt, isBackwards, type Period, periodOf, presetOf, presets } from '../format/calendar.ts'
import styles from './choices.module.css'
import { TextInput } from './field.tsx'
import { Empty } from './notice.tsx'
import { Sheet } from './page.tsx'

interface SegmentsProps<T extends string> {
  readonly 'aria-label': string
  readonly value: string
  readonly data: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
}

/** A segmented control made of radio buttons. */
export function Segments<T extends string>({ value, data, onChange, 'aria-label': label }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div className={styles.bar} role="radiogroup" aria-label={label}>
      {data.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}

interface ChipsProps<T extends string> {
  readonly label: string
  readonly value: T | null
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChoose: (value: T) => void
}

/** Toggle buttons of which one is selected. */
export function Chips<T extends string>({ label, value, choices, onChoose }: ChipsProps<T>) {
  const group = useRef<HTMLDivElement>(null)
  // On a phone they scroll. Not `scrollIntoView`, which would move the page too.
  useLayoutEffect(() => {
    const chosen = value !== null && group.current?.querySelector('[aria-pressed=true]')
    if (!chosen || !group.current) return
    const [outer, inner] = [group.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    group.current.scrollLeft += Math.max(0, inner.right - outer.right) - Math.max(0, outer.left - inner.left)
  }, [value])
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a flex box.
    <div ref={group} className={styles.chips} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles.chip}
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}

interface PeriodFilterProps {
  readonly period: Period
  readonly onChange: (period: Period) => void
}

export function PeriodFilter({ period, onChange }: PeriodFilterProps) {
  const { t } = useTranslation()
  const today = dayAt(Date.now())
  const wrong = isBackwards(period) && t('tables.backwards')
  const set = (end: 'from' | 'to') => (event: { currentTarget: { value: string } }) => {
    const { [end]: _, ...other } = period
    onChange(event.currentTarget.value === '' ? other : { ...other, [end]: event.currentTarget.value })
  }
  return (
    <div className={styles.period}>
      <Chips
        label={t('tables.period')}
        value={presetOf(period, today)}
        onChoose={(preset) => onChange(periodOf(preset, today))}
        choices={presets.map((value) => ({ value, label: t(`tables.presets.${value}`) }))}
      />
      <div className={styles.days}>
        <TextInput
          type="date"
          size="sm"
          aria-label={t('tables.from')}
          value={period.from ?? ''}
          onChange={set('from')}
          error={wrong && true}
          {...(wrong && { 'aria-describedby': 'period-wrong' })}
        />
        <span aria-hidden="true">–</span>
        <TextInput
          type="date"
          size="sm"
          aria-label={t('tables.to')}
          value={period.to ?? ''}
          onChange={set('to')}
          error={wrong && true}
          {...(wrong && { 'aria-describedby': 'period-wrong' })}
        />
      </div>
      {wrong && (
        <p id="period-wrong" className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
    </div>
  )
}

/** Shown instead of results for an invalid period. */
export function WrongPeriod() {
  const { t } = useTranslation()
  return (
    <Sheet>
      <Empty title={t('tables.backwards')} hint={t('tables.backwardsHint')} />
    </Sheet>
  )
}
