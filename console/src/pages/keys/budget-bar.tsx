import { useTranslation } from 'react-i18next'
import type { Key } from '../../api/types.ts'
import { Bar } from '../../design/bar.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './budget-bar.module.css'

/** What a key and its chain have spent, against their budget. */
export function BudgetBar({ shown }: { shown: Key }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { budget, budgetSpent, budgetResetsAt } = shown
  if (!budget || budgetSpent === null) return <span className={styles.none}>{t('keys.noBudget')}</span>
  const share = Math.min(100, (100 * budgetSpent) / budget.credits)
  const numbers = { spent: format.number(budgetSpent), credits: format.number(budget.credits) }
  const text = t(`keys.spent.${budget.per}`, numbers)
  return (
    <span
      className={styles.budget}
      title={budgetResetsAt ? t('keys.resets', { time: format.dateTime(budgetResetsAt) }) : undefined}
    >
      <Bar percent={share} tone={share >= 100 ? 'bad' : share >= 80 ? 'wait' : 'good'} label={text} />
      <span className={styles.text}>{text}</span>
    </span>
  )
}
