import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/format.ts'
import styles from './amount.module.css'

/** Credits in large figures, with what they are worth. */
export function Amount({ credits, size = 'md' }: { credits: number; size?: 'md' | 'lg' | 'xl' }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={styles.amount} data-size={size}>
      <span className={styles.figure}>{format.number(credits)}</span>{' '}
      <span className={styles.unit}>{t('common.credits')}</span>
    </span>
  )
}

/** Says "3 credits" in the reader's language. */
export function useCreditsText(): (credits: number) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (credits) => t('common.creditsCount', { count: credits, amount: format.number(credits) })
}
