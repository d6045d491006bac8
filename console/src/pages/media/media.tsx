import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { catalogQuery, mediaJobsQuery } from '../../api/queries.ts'
import { Empty } from '../../design/empty.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { wide } from '../../design/wide.ts'
import { JobCard } from './job-card.tsx'
import { JobForm } from './job-form.tsx'
import styles from './media.module.css'

/** Videos: a form with its price, and what became of each. */
export function Media() {
  const { t } = useTranslation()
  const catalog = useQuery(catalogQuery)
  const jobs = useQuery(mediaJobsQuery)
  const error = catalog.error ?? jobs.error
  return (
    <div className={wide}>
      <PageHead title={t('media.title')} lead={t('media.lead')} />
      {error && <Problem error={error} onRetry={() => void Promise.all([catalog.refetch(), jobs.refetch()])} />}
      {catalog.data && <JobForm catalog={catalog.data} />}
      <Sheet title={t('media.jobs')}>
        {!jobs.data && !error && <LoadingRows rows={4} />}
        {jobs.data?.items.length === 0 && <Empty title={t('media.none')} hint={t('media.noneHint')} />}
        <ul className={styles.jobs}>
          {jobs.data?.items.map((job) => (
            <li key={job.jobId}>
              <JobCard job={job} />
            </li>
          ))}
        </ul>
      </Sheet>
    </div>
  )
}
