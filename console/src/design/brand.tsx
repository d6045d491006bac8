import { useTranslation } from 'react-i18next'
import styles from './brand.module.css'

/** The mark: lines of an account, the last one ruled twice. */
export function Brand() {
  const { t } = useTranslation()
  return (
    <span className={styles.brand}>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" className={styles.ground} />
        <path d="M8 10h10M8 16h16M8 22h16M8 25h16" className={styles.line} />
        <circle cx="23" cy="10" r="2.2" className={styles.dot} />
      </svg>
      <span className={styles.name}>{t('product')}</span>
    </span>
  )
}
