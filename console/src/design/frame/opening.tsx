import { useTranslation } from 'react-i18next'
import { Problem } from '../problem.tsx'
import { Skeleton } from './skeleton.tsx'

/** While it is not known yet who is there. */
export function Opening({ error, onRetry }: { error?: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('trouble.starting')}>{error ? <Problem error={error} onRetry={onRetry} /> : undefined}</Skeleton>
  )
}
