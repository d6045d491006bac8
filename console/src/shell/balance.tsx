import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { overviewQuery } from '../api/queries.ts'
import { useMe } from '../api/session.ts'
import { Amount } from '../design/amount.tsx'
import { useFormat } from '../format/format.ts'
import styles from './balance.module.css'

/** What can be spent, on every page. */
export function Balance() {
  const { t } = useTranslation()
  const format = useFormat()
  const me = useMe()
  const { data } = useQuery(overviewQuery)
  const credits = data?.credits ?? me.credits
  return (
    <Link href="/recharge" className={styles.balance}>
      <span className={styles.label}>{t('common.available')}</span>
      <Amount credits={credits.available} size="lg" />
      <span className={styles.worth}>{format.yuanOfCredits(credits.available)}</span>
    </Link>
  )
}
