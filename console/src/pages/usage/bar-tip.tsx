import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChargedOperation } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './bar-tip.module.css'
import { type Span, shownParts } from './days.ts'

interface BarTipProps {
  readonly bar: Span
  readonly named: ReadonlySet<ChargedOperation>
  /** Of the bar, from 0 at the left to 1 at the right. */
  readonly place: number
  readonly colourOf: (operation: ChargedOperation | null) => string
}

/** What is in the bar that is looked at, beside it. A screen reader hears it from the bar itself. */
export function BarTip({ bar, named, place, colourOf }: BarTipProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const side =
    place < 0.5
      ? { '--start': `calc(${place * 100}% + 1rem)`, '--end': 'auto' }
      : { '--start': 'auto', '--end': `calc(${(1 - place) * 100}% + 1rem)` }
  return (
    <div className={styles.tip} style={side as CSSProperties} aria-hidden="true">
      <p className={styles.day}>{format.days(bar.from, bar.to)}</p>
      <p className={styles.total}>
        <strong>{creditsText(bar.credits)}</strong> <span>{format.yuanOfCredits(bar.credits)}</span>
      </p>
      <p className={styles.calls}>{t('common.callsCount', { count: bar.calls, amount: format.number(bar.calls) })}</p>
      <ul>
        {shownParts(bar, named).map(({ operation, credits }) => (
          <li key={operation} className={styles.line}>
            <span className={styles.swatch} style={{ background: colourOf(operation) }} />
            <span>{operation ? t(`operations.${operation}`) : t('usage.others')}</span>
            <span className={styles.number}>{format.number(credits)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
