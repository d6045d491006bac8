import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keysQuery } from '../../api/queries.ts'
import { isRefused, Unreachable } from '../../api/refusal.ts'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { PlaintextLost } from './use-key-creation.ts'

/** Why there is no new key to show. */
export function NotCreated({ error }: { error: Error }) {
  const { t } = useTranslation()
  const { data } = useQuery(keysQuery)
  // A limit that no wait ends is the number of active keys.
  if (isRefused(error, 'RATE_LIMITED') && error.retryAtMs === null && data) {
    return (
      <Notice tone="wait" isNews title={t('keys.limitTitle', { count: data.maxActive })}>
        {t('keys.limit')}
      </Notice>
    )
  }
  if (error instanceof Unreachable || error instanceof PlaintextLost) {
    return (
      <Notice tone="wait" isNews title={t('trouble.lostTitle')}>
        {t('keys.lost')}
      </Notice>
    )
  }
  return <Problem error={error} />
}
