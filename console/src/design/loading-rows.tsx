import { useTranslation } from 'react-i18next'
import styles from './loading-rows.module.css'

/** Empty lines that hold the place until the rows are there. */
export function LoadingRows({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation()
  return (
    <div className={styles.rows} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
        <span key={row} className={styles.row} style={{ width: `${90 - ((row * 17) % 40)}%` }} />
      ))}
    </div>
  )
}
