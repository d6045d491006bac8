import { useTranslation } from 'react-i18next'
import { Problem } from '../design/problem.tsx'
import styles from './crash.module.css'
import { Skeleton } from './skeleton.tsx'

/** While it is not known yet who is there. */
export function Opening({ error, onRetry }: { error?: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  if (!error) return <Skeleton label={t('trouble.starting')} />
  return (
    <main className={styles.crash}>
      <Problem error={error} onRetry={onRetry} />
    </main>
  )
}
