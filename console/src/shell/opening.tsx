import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Problem } from '../design/problem.tsx'
import styles from './opening.module.css'

/** While it is not known yet who is there. */
export function Opening({ error, onRetry }: { error?: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <main className={styles.opening}>
      {error ? <Problem error={error} onRetry={onRetry} /> : <Loader size="sm" aria-label={t('trouble.starting')} />}
    </main>
  )
}
