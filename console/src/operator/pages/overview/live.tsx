import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../format/format.ts'
import styles from './overview.module.css'

/** That the page updates itself, and since when it does not. */
export function Live({ updatedAt, isFailing }: { updatedAt: number; isFailing: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, time = ''] = format.shortTime(new Date(updatedAt).toISOString()).split(' ')
  return (
    <p className={styles.live} data-failing={isFailing || undefined}>
      <strong>{!isFailing && t('operator.overview.live')}</strong>{' '}
      {t(isFailing ? 'operator.overview.stale' : 'operator.overview.updated', { time })}
    </p>
  )
}
