import type { Admit, Track } from '../../ledger/commands.ts'
import type { JobEnd, NewJob } from '../../ledger/jobs.ts'
import { bigint, int, text, write } from './table-write.ts'

export type AdmittedJob = Admit & { readonly job: NewJob }

type EndedJob = { readonly job: JobEnd; readonly at: number }

/** Every write of a job makes a new version of its row. */
const nextVersion = <Row>() =>
  int<Row>(
    () => 1,
    (value, stored) => `${stored} + ${value}`,
  )

/** Of a submission whose response came late: what another instance has found out by then stays. */
const first = (value: string, stored: string) => `COALESCE(${stored}, ${value})`
const unlessAccepted = (value: string, stored: string) =>
  `CASE WHEN ${stored} = 'submitting' THEN ${value} ELSE ${stored} END`

export const jobWrites = {
  media_job: write<AdmittedJob>('insert', 'media_jobs', 'job_id', {
    job_id: text(({ job }) => job.jobId),
    project_id: text((row) => row.projectId),
    charge_id: text((row) => row.chargeId),
    instance_id: text((row) => row.instanceId),
    provider: text(({ job }) => job.provider),
    prompt: text(({ job }) => job.prompt),
    seconds: int(({ job }) => job.seconds),
    size: text(({ job }) => job.size),
    test_only: int(({ job }) => (job.testOnly ? 1 : 0)),
    status: text(() => 'submitting'),
    created_at: bigint((row) => row.at),
    updated_at: bigint((row) => row.at),
    deadline_at: bigint(({ job }) => job.deadlineAt),
    next_poll_at: bigint(({ job }) => job.nextPollAt),
  }),
  media_job_change: write<Track>('update', 'media_jobs', 'job_id', {
    job_id: text(({ job }) => job.jobId),
    status: text(({ job }) => job.status, unlessAccepted),
    provider_id: text(({ job }) => job.providerId, first),
    progress: int(({ job }) => job.progress, first),
    updated_at: bigint((row) => row.at),
    next_poll_at: bigint(({ job }) => job.nextPollAt),
    version: nextVersion(),
  }),
  media_job_end: write<EndedJob>('update', 'media_jobs', 'job_id', {
    job_id: text(({ job }) => job.jobId),
    status: text(({ job }) => job.status),
    progress: int(
      ({ job }) => (job.status === 'completed' ? 100 : null),
      (value, stored) => `COALESCE(${value}, ${stored})`,
    ),
    error_code: text(({ job }) => job.errorCode),
    updated_at: bigint((row) => row.at),
    finished_at: bigint((row) => row.at),
    next_poll_at: bigint(() => null),
    content_type: text(({ job }) => job.content?.contentType ?? null),
    content_bytes: bigint(({ job }) => job.content?.bytes ?? null),
    content_sha256: text(({ job }) => job.content?.sha256 ?? null),
    content_expires_at: bigint(({ job }) => job.content?.expiresAt ?? null),
    claimed_by: text(() => null),
    claim_until: bigint(() => null),
    version: nextVersion(),
  }),
} as const
