import { useTranslation } from 'react-i18next'
import { dayAt, isBackwards, type Period, periodOf, presetOf, presets } from '../format/calendar.ts'
import { Chips } from './chips.tsx'
import { Empty } from './empty.tsx'
import { TextInput } from './field.tsx'
import styles from './period-filter.module.css'
import { Sheet } from './sheet.tsx'

interface PeriodFilterProps {
  readonly period: Period
  readonly onChange: (period: Period) => void
}

/** Which days are shown: by a name, or from one day to another. */
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

/** In the place of what the period would show. */
export function WrongPeriod() {
  const { t } = useTranslation()
  return (
    <Sheet>
      <Empty title={t('tables.backwards')} hint={t('tables.backwardsHint')} />
    </Sheet>
  )
}
