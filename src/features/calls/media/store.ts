import { shareReads } from '../../../base/shared-read.ts'
import type { ClipSeconds, ClipSize, JobStatus } from '../../../contract/choices.ts'
import type { ChargeState } from '../../../ledger/commands.ts'
import type { ContentFacts, JobChange } from '../../../ledger/jobs.ts'
import { chargeColumns } from '../../../storage/charge-columns.ts'
import { claimQueue, hasLease } from '../../../storage/claim-queue.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { OpenedEngine } from '../../../storage/open-store.ts'
import { flag, from, integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { databaseMs, fullPages, placeholders } from '../../../storage/sql-text.ts'
import type { ProviderJob } from './providers/provider.ts'

const jobColumns = {
  jobId: text(),
  projectId: text(),
  chargeId: text(),
  provider: text(),
  /** Null until the provider has accepted it. */
  providerId: orNull(text()),
  prompt: text(),
  seconds: integer<ClipSeconds>(),
  size: text<ClipSize>(),
  testOnly: flag(),
  status: text<JobStatus>(),
  progress: orNull(integer()),
  errorCode: orNull(text()),
  createdAt: integer(),
  updatedAt: integer(),
  finishedAt: orNull(integer()),
  deadlineAt: integer(),
  cancelRequestedAt: orNull(integer()),
  polls: integer(),
  misses: integer(),
  silences: integer(),
  contentTries: integer(),
  contentType: orNull(text()),
  bytes: orNull(integer('content_bytes')),
  sha256: orNull(text('content_sha256')),
  expiresAt: orNull(integer('content_expires_at')),
  version: integer(),
}
const jobs = rowMapper('media_jobs', jobColumns)
/** What a poll changes in a job that stays open. */
const { providerId, progress, polls, misses, silences, contentTries, updatedAt, version } = jobColumns
const openJobs = rowMapper('media_jobs', {
  status: text<OpenStatus>(),
  providerId,
  progress,
  polls,
  misses,
  silences,
  contentTries,
  updatedAt,
  version,
  nextPollAt: integer(),
  claimedBy: orNull(text()),
  claimUntil: orNull(integer()),
})
const { credits, state: chargeState } = from('c', chargeColumns)
const chargedJobs = rowMapper('media_jobs j JOIN charges c ON c.charge_id = j.charge_id', {
  ...from('j', jobColumns),
  credits,
  chargeState,
})

type WithContent<Row> = Omit<Row, keyof ContentFacts> & { readonly content: ContentFacts | null }

export type JobRow = WithContent<RowOf<typeof jobColumns>>

/** A job with the price and the state of its charge. */
export type ChargedJob = JobRow & { readonly credits: number; readonly chargeState: ChargeState }

type OpenStatus = JobChange['status']

export type JobUpdate = Omit<RowOf<typeof openJobs.columns>, 'updatedAt' | 'version' | 'claimedBy' | 'claimUntil'>

const toJob = <Row extends RowOf<typeof jobColumns>>(row: Row): WithContent<Row> => {
  const { contentType, bytes, sha256, expiresAt, ...job } = row
  return { ...job, content: bytes === null ? null : ({ contentType, bytes, sha256, expiresAt } as ContentFacts) }
}

/** What a provider needs to know of a job. Its reference is our job id. */
export const providerJob = ({ jobId: reference, ...job }: JobRow): ProviderJob => {
  const { projectId, prompt, seconds, size, createdAt, cancelRequestedAt } = job
  return { reference, projectId, prompt, seconds, size, createdAt, cancelRequestedAt }
}

/** How long a claim lasts unless it is renewed. */
const claimMs = 15_000

const idsPerRead = 32
/** The next read continues where this one ended. */
const projectsPerRead = 256

export type JobStore = ReturnType<typeof createMediaStore>

interface MediaStoreDeps {
  readonly engine: OpenedEngine
  readonly instanceId: string
}

/**
 * Jobs as callers read them and as the poll worker claims and changes them; the ledger's batches create and end them. Only an
 * instance that holds the claim on a job polls it. Claims are timed by the clock of the database.
 */
export const createMediaStore = (deps: MediaStoreDeps) => ({
  ...jobReads(deps),
  ...dueJobs(deps),
  ...jobClaims(deps),
  ...jobWrites(deps),
})

function jobReads({ engine }: MediaStoreDeps) {
  const one = (where: string, params: readonly string[]): Promise<ChargedJob | undefined> =>
    engine.read(async (tx) => {
      const row = await chargedJobs.get(tx, `WHERE ${where}`, params)
      return row && toJob(row)
    })
  // Every submission asks this, and on PostgreSQL a read of its own is three statements.
  const isTaken = shareReads((asked: readonly NamedJob[]) => engine.read((tx) => areTaken(tx, asked)))
  return {
    find: (projectId: string, jobId: string) => one('j.job_id = $1 AND j.project_id = $2', [jobId, projectId]),
    ofCharge: (chargeId: string) => one('j.charge_id = $1', [chargeId]),
    /** By charge id, without those that have none. */
    ofCharges: (chargeIds: readonly string[]): Promise<ReadonlyMap<string, ChargedJob>> =>
      engine.read(async (tx) => {
        const found = new Map<string, ChargedJob>()
        for (const page of fullPages(chargeIds, idsPerRead)) {
          const rows = await chargedJobs.all(tx, `WHERE j.charge_id IN (${placeholders(page)})`, page)
          for (const row of rows) found.set(row.chargeId, toJob(row))
        }
        return found
      }),
    /** Newest first, of those before the one named. */
    page: (projectId: string, before: string | null, limit: number): Promise<ChargedJob[]> =>
      engine.read(async (tx) => {
        // The project is part of the order, so that its own index gives it.
        const rows = await chargedJobs.all(
          tx,
          'WHERE j.project_id = $1 AND j.job_id < $2 ORDER BY j.project_id DESC, j.job_id DESC LIMIT $3',
          [projectId, before ?? 'job_~', limit],
        )
        return rows.map(toJob)
      }),
    /** Whether another job has this id of the provider. */
    isTaken: ({ jobId, provider }: Pick<JobRow, 'jobId' | 'provider'>, providerId: string): Promise<boolean> =>
      isTaken({ jobId, provider, providerId }),
    countOpen: (): Promise<number> =>
      engine.read(async (tx) => {
        const counted = 'SELECT COUNT(*) AS open FROM media_jobs WHERE next_poll_at IS NOT NULL'
        return (await tx.get<{ open: number }>(counted))!.open
      }),
  }
}

interface NamedJob extends Pick<JobRow, 'jobId' | 'provider'> {
  readonly providerId: string
}

async function areTaken(tx: Reader, asked: readonly NamedJob[]): Promise<boolean[]> {
  const owners = new Map<string, string>()
  const key = ({ provider, providerId }: Omit<NamedJob, 'jobId'>) => JSON.stringify([provider, providerId])
  for (const [provider, named] of Map.groupBy(asked, (job) => job.provider))
    for (const page of fullPages([...new Set(named.map(({ providerId }) => providerId))], idsPerRead)) {
      const rows = await tx.all<NamedJob>(
        `SELECT provider, provider_id AS "providerId", job_id AS "jobId" FROM media_jobs
          WHERE provider = $1 AND provider_id IN (${placeholders(page, 2)})`,
        [provider, ...page],
      )
      for (const row of rows) owners.set(key(row), row.jobId)
    }
  return asked.map((job) => (owners.get(key(job)) ?? job.jobId) !== job.jobId)
}

/** Jobs that no instance has claimed. */
const freeJobs = ({ kind }: OpenedEngine) =>
  `next_poll_at IS NOT NULL AND (claim_until IS NULL OR claim_until <= ${databaseMs[kind]})`

const queueOf = (engine: OpenedEngine) =>
  claimQueue({ table: 'media_jobs', id: 'job_id', dueAt: 'next_poll_at', condition: freeJobs(engine) })

function dueJobs({ engine }: MediaStoreDeps) {
  const queue = queueOf(engine)
  const walkProjects = `WITH RECURSIVE walk (project_id, steps) AS (
      SELECT ${projectAfter('$3')}, 1
      UNION ALL SELECT ${projectAfter('walk.project_id')}, steps + 1 FROM walk
        WHERE walk.project_id IS NOT NULL AND steps < $4)
    SELECT project_id AS "projectId", CASE WHEN EXISTS (
        SELECT 1 FROM media_jobs WHERE provider = $2 AND project_id = walk.project_id AND ${queue.isDue})
      THEN 1 ELSE 0 END AS "isDue"
    FROM walk WHERE project_id IS NOT NULL`
  return {
    /** When the next unclaimed job is due; null if there is none. */
    nextDueAt: (): Promise<number | null> =>
      engine.read(async (tx) => {
        const next = `SELECT next_poll_at AS at FROM media_jobs WHERE ${freeJobs(engine)} ORDER BY next_poll_at LIMIT 1`
        return (await tx.get<{ at: number }>(next))?.at ?? null
      }),
    openProviders: (): Promise<string[]> =>
      engine.read(async (tx) => (await tx.all<{ provider: string }>(openProviders)).map(({ provider }) => provider)),
    /** Projects with unclaimed jobs of the provider that are due at `now`, in a ring that begins after `after`. */
    dueProjects: (provider: string, now: number, after: string): Promise<string[]> =>
      engine.read(async (tx) => {
        const ring: { projectId: string; isDue: number }[] = []
        for (const first of [after, '']) {
          const left = projectsPerRead - ring.length
          if (left > 0) ring.push(...(await tx.all<(typeof ring)[number]>(walkProjects, [now, provider, first, left])))
          if (after === '') break
        }
        return [...new Set(ring.flatMap(({ projectId, isDue }) => (isDue ? [projectId] : [])))]
      }),
  }
}

function jobClaims({ engine, instanceId }: MediaStoreDeps) {
  const databaseNow = databaseMs[engine.kind]
  const skipLocked = engine.kind === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''
  const queue = queueOf(engine)
  const claimDue = queue.claim({
    set: `claimed_by = $2, claim_until = ${databaseNow} + ${claimMs}`,
    candidates: `SELECT job_id FROM media_jobs WHERE provider = $3 AND project_id = $4 AND ${queue.isDue}
      ORDER BY next_poll_at LIMIT $5 ${skipLocked}`,
    returning: jobs.list,
  })
  const adopt = [
    `UPDATE media_jobs SET next_poll_at = $1, instance_id = $2, version = version + 1
      WHERE next_poll_at > $1 AND status = 'submitting' AND instance_id <> $2 AND NOT ${hasLease(engine, 'instance_id')}`,
    `UPDATE media_jobs SET claimed_by = NULL, claim_until = NULL
      WHERE next_poll_at <= $1 AND claimed_by <> $2 AND NOT ${hasLease(engine, 'claimed_by')}`,
  ]
  const changeClaims = async (set: string, jobIds: readonly string[]): Promise<void> => {
    if (jobIds.length > 0) await engine.write((tx) => queue.change(tx, set, instanceId, jobIds))
  }
  return {
    /** Claims jobs that are due at `now`, at most so many of each project. */
    claim: (provider: string, now: number, shares: ReadonlyMap<string, number>): Promise<JobRow[]> =>
      engine.write(async (tx) => {
        const claimed: JobRow[] = []
        for (const [projectId, limit] of shares) {
          const rows = await tx.all(claimDue, [now, instanceId, provider, projectId, limit])
          claimed.push(...rows.map((row) => toJob(jobs.decode(row))))
        }
        return claimed
      }),
    renew: (jobIds: readonly string[]) => changeClaims(`claim_until = ${databaseNow} + ${claimMs}`, jobIds),
    /** Gives up the claims of this instance. */
    release: (jobIds: readonly string[]) => changeClaims('claimed_by = NULL, claim_until = NULL', jobIds),
    /** Makes jobs due at once that a dead instance was submitting or polling. Returns how many. */
    adopt: (now: number): Promise<number> =>
      engine.write(async (tx) => {
        let adopted = 0
        for (const statement of adopt) adopted += await tx.run(statement, [now, instanceId])
        return adopted
      }),
  }
}

function jobWrites({ engine }: MediaStoreDeps) {
  return {
    /** Compare-and-set: false if the job has another version by now, or has ended. Gives up the claim. */
    save: ({ jobId, version }: Pick<JobRow, 'jobId' | 'version'>, update: JobUpdate, at: number): Promise<boolean> =>
      engine.write(async (tx) => {
        const noClaim = { claimedBy: null, claimUntil: null }
        const next = { ...update, ...noClaim, updatedAt: at, version: version + 1 }
        const isOpen = 'job_id = $1 AND version = $2 AND next_poll_at IS NOT NULL'
        return (await openJobs.update(tx, next, isOpen, [jobId, version])) === 1
      }),
    /** Notes the cancellation and makes the job due at once; false if it has ended. */
    noteCancellation: (jobId: string, at: number): Promise<boolean> =>
      engine.write(async (tx) => {
        const changed = await tx.run(
          `UPDATE media_jobs SET cancel_requested_at = COALESCE(cancel_requested_at, $2), next_poll_at = $2,
            updated_at = $2, version = version + 1
          WHERE job_id = $1 AND next_poll_at IS NOT NULL`,
          [jobId, at],
        )
        return changed === 1
      }),
    /** Makes an open job due at once; the provider names it. */
    bringForward: (provider: string, providerId: string, at: number): Promise<number> =>
      engine.write((tx) =>
        tx.run(
          `UPDATE media_jobs SET next_poll_at = $3, version = version + 1
          WHERE provider = $1 AND provider_id = $2 AND next_poll_at > $3`,
          [provider, providerId, at],
        ),
      ),
  }
}

// Each step is one lookup in the index, however many jobs a project or a provider has.
const openProviders = `WITH RECURSIVE walk (provider) AS (
    SELECT (SELECT provider FROM media_jobs WHERE next_poll_at IS NOT NULL ORDER BY provider LIMIT 1)
    UNION ALL SELECT (SELECT provider FROM media_jobs WHERE next_poll_at IS NOT NULL AND provider > walk.provider
      ORDER BY provider LIMIT 1) FROM walk WHERE walk.provider IS NOT NULL)
  SELECT provider FROM walk WHERE provider IS NOT NULL`
const projectAfter = (project: string) => `(SELECT project_id FROM media_jobs
  WHERE provider = $2 AND project_id > ${project} AND next_poll_at IS NOT NULL ORDER BY project_id LIMIT 1)`
