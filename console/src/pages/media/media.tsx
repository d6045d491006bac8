import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { catalogQuery, mediaJobsQuery, queryClient, refreshProjectData } from '../../api/queries.ts'
import type { MediaJob } from '../../api/types.ts'
import { useHere } from '../../back-navigation.tsx'
import { Button, buttonLook } from '../../design/button.tsx'
import { Bar, Mark, Time, useCreditsText } from '../../design/figures.tsx'
import { Empty, LoadingRows, Problem, type Tone } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { useReason } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import { paths } from '../../installation.ts'
import * as playgroundWords from '../playground/words.ts'
import * as pricingWords from '../pricing/words.ts'
import { VerifyButton } from '../proof/verify-button.tsx'
import { JobForm } from './job-form.tsx'
import styles from './media.module.css'
import * as words from './words.ts'

addWords(words, playgroundWords, pricingWords)

export function Media() {
  const { t } = useTranslation()
  const catalog = useQuery(catalogQuery)
  const jobs = useQuery(mediaJobsQuery)
  const error = catalog.error ?? jobs.error
  return (
    <div className={wide}>
      <PageHead title={t('media.title')} lead={t('media.lead')} />
      {error && <Problem error={error} onRetry={() => void Promise.all([catalog.refetch(), jobs.refetch()])} />}
      {catalog.isPending ? (
        // The list would jump when the form appears above it.
        <LoadingRows rows={12} />
      ) : (
        <>
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
        </>
      )}
    </div>
  )
}

const tones: Record<MediaJob['status'], Tone> = {
  submitting: 'wait',
  queued: 'wait',
  in_progress: 'wait',
  completed: 'good',
  failed: 'bad',
  cancelled: 'plain',
  unknown: 'wait',
}

function JobCard({ job }: { job: MediaJob }) {
  const { t } = useTranslation()
  const sayReason = useReason()
  const here = useHere()
  const cost = useCost(job)
  return (
    <article className={styles.job} aria-label={job.prompt}>
      <div className={styles.head}>
        <p className={styles.prompt}>{job.prompt}</p>
        <Mark tone={tones[job.status]}>{t(`media.statuses.${job.status}`)}</Mark>
      </div>
      <p className={styles.facts}>
        <Time at={job.createdAt} /> · {t('media.secondsValue', { count: job.seconds })} · {job.size} ·{' '}
        <code>{job.provider}</code>
        {job.testOnly && ` · ${t('media.testOnly')}`}
      </p>
      {job.finishedAt === null && <Running job={job} />}
      {job.error && <p className={styles.reason}>{sayReason({ code: job.error.code, text: job.error.message })}</p>}
      {job.content && <Player job={job} content={job.content} />}
      <p className={styles.facts}>
        {cost} ·{' '}
        <Link href={`/usage/${job.chargeId}`} state={here}>
          {t('media.details')}
        </Link>{' '}
        <VerifyButton of={{ chargeId: job.chargeId }} isInRow />
      </p>
    </article>
  )
}

function Running({ job }: { job: MediaJob }) {
  const { t } = useTranslation()
  const cancel = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/media/jobs/{jobId}/cancel', { params: { path: { jobId: job.jobId } }, body: {} }),
      ),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['media'] })
      void refreshProjectData()
    },
  })
  return (
    <>
      <Bar percent={job.progress ?? 0} label={t('media.progress', { prompt: job.prompt })} />
      <div className={styles.actions}>
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          disabled={job.cancelRequestedAt !== null || job.status === 'submitting'}
          onClick={() => cancel.mutate()}
        >
          {t(job.cancelRequestedAt === null ? 'media.cancel' : 'media.cancelling')}
        </Button>
      </div>
      {cancel.error && <Problem error={cancel.error} />}
    </>
  )
}

function Player({ job, content }: { job: MediaJob; content: NonNullable<MediaJob['content']> }) {
  const { t } = useTranslation()
  if (Date.parse(content.expiresAt) <= Date.now()) return <p className={styles.reason}>{t('media.expired')}</p>
  const source = `${paths.api}/console/media/jobs/${job.jobId}/content`
  const [width, height] = job.size.split('x').map(Number)
  return (
    <>
      <video
        className={styles.player}
        controls
        muted
        playsInline
        preload="metadata"
        width={width}
        height={height}
        src={source}
        aria-label={t('media.player', { prompt: job.prompt })}
      />
      <div className={styles.actions}>
        <a {...buttonLook({ size: 'xs', variant: 'default' })} href={source} download={`${job.jobId}.mp4`}>
          {t('media.download')}
        </a>
        <span className={styles.facts}>
          {t('media.keptUntil')} <Time at={content.expiresAt} />
        </span>
      </div>
    </>
  )
}

function useCost({ status, reservedCredits, resolution }: MediaJob): string {
  const { t } = useTranslation()
  const credits = useCreditsText()(reservedCredits)
  switch (status) {
    case 'completed':
      return t('media.costs.spent', { credits })
    case 'failed':
    case 'cancelled':
      return t('media.costs.returned')
    case 'unknown':
      return t(`media.costs.${resolution ?? 'review'}`, { credits })
    default:
      return t('media.costs.held', { credits })
  }
}
