import { useTranslation } from 'react-i18next'
import type { ChargedOperation } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import { useCreditsText } from '../amount.tsx'
import { BarTip, TipHead, TipLine } from './bar-tip.tsx'
import styles from './day-tip.module.css'
import { type Span, shownParts } from './days.ts'

interface DayTipProps {
  readonly bar: Span
  readonly named: ReadonlySet<ChargedOperation>
  readonly place: number
  readonly colourOf: (operation: ChargedOperation | null) => string
}

/** What is in a bar of days. */
export function DayTip({ bar, named, place, colourOf }: DayTipProps) {
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
