import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Redirect, useParams } from 'wouter'
import { PageHead } from '../../../design/page-head.tsx'
import { PageSkeleton } from '../../../design/page-skeleton.tsx'
import { Problem } from '../../../design/problem.tsx'
import { findQuery } from '../../api/queries.ts'

/** The account that a project belongs to. */
export function ProjectPage() {
  const { t } = useTranslation()
  const { projectId = '' } = useParams()
  const { data, error, refetch } = useQuery(findQuery({ id: projectId }))
  const found = data?.items[0]
  if (found) return <Redirect to={`/accounts/${found.accountId}`} replace />
  if (!data && !error) return <PageSkeleton label={t('operator.accounts.looking')} />
  return (
    <div>
      <PageHead title={t('common.notFound')} lead={projectId} />
      <Problem error={error ?? 'PROJECT_NOT_FOUND'} onRetry={() => void refetch()} />
    </div>
  )
}
