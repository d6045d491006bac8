import { useTranslation } from 'react-i18next'
import { billableOperations, creditsPerYuan, prices } from '../../../../src/contract/prices.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { useFormat } from '../../format/format.ts'
import { place } from '../../place.ts'
import styles from './introduction.module.css'

const rules = ['reserve', 'settle', 'release', 'review'] as const

/** For those who have no account yet: what this is, how a call is charged, and what it costs. */
export function Introduction() {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  return (
    <aside className={styles.introduction} aria-labelledby="introduction">
      <h2 id="introduction">{t('auth.aside.title')}</h2>
      <p className={styles.lead}>{t('auth.aside.lead')}</p>
      <h3>{t('auth.aside.charging')}</h3>
      <ol className={styles.rules}>
        {rules.map((rule) => (
          <li key={rule}>
            <strong>{t(`auth.aside.${rule}Name`)}</strong> <span>{t(`auth.aside.${rule}`)}</span>
          </li>
        ))}
      </ol>
      <h3>{t('auth.aside.prices')}</h3>
      <p className={styles.note}>{t('auth.aside.rate', { credits: format.number(creditsPerYuan) })}</p>
      <ul className={styles.prices}>
        {billableOperations.map((operation) => (
          <li key={operation}>
            <span>{t(`operations.${operation}`)}</span>
            <span className={styles.price}>
              {format.yuanOfCredits(prices[operation].credits)}{' '}
              <span className={styles.credits}>{creditsText(prices[operation].credits)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={place.docs}>{t('auth.aside.docs')}</a>
      </p>
    </aside>
  )
}
