import type { ContentFacts } from '../../ledger/jobs.ts'
import type { Engine, Writer } from '../../storage/engine.ts'
import type { OpenedEngine } from '../../storage/open-store.ts'
import { databaseMs, fullPages, placeholders } from '../../storage/sql-text.ts'
import type { ChargedJob, JobClaims, JobReader, JobRow, JobStore, JobWriter } from './ports.ts'

export interface MediaStoreOptions {
  readonly engine: OpenedEngine
  readonly instanceId: string
}

/** Jobs as callers read them and as the poll worker claims and changes them. The ledger's batches create and end them. */
export const createMediaStore = ({ engine, instanceId }: MediaStoreOptions): JobStore => ({
  ...jobReader(engine),
  ...jobClaims(engine, instanceId),
  ...jobWriter(engine),
})

/** How long a claim lasts unless it is renewed. */
const claimMs = 15_000

const idsPerRead = 32
/** A look for projects whose turn it is goes on from where the last one ended. */
const projectsPerLook = 256

const jobColumns = `j.job_id AS "jobId", j.project_id AS "projectId", j.charge_id AS "chargeId", j.provider,
  j.provider_id AS "providerId", j.prompt, j.seconds, j.size, j.test_only AS "testOnly", j.status, j.progress,
  j.error_code AS "errorCode", j.created_at AS "createdAt", j.updated_at AS "updatedAt", j.finished_at AS "finishedAt",
  j.deadline_at AS "deadlineAt", j.cancel_requested_at AS "cancelRequestedAt", j.polls, j.misses, j.silences,
  j.content_tries AS "contentTries", j.content_type AS "contentType", j.content_bytes AS "bytes",
  j.content_sha256 AS "sha256", j.content_expires_at AS "expiresAt", j.version`

const chargedJobs = `SELECT ${jobColumns}, c.credits, c.state AS "chargeState"
  FROM media_jobs j JOIN charges c ON c.charge_id = j.charge_id`

type Flat<J> = Omit<J, 'testOnly' | 'content'> & { testOnly: number } & {
  [K in keyof ContentFacts]: ContentFacts[K] | null
}

function toJob<J extends JobRow>({ testOnly, contentType, bytes, sha256, expiresAt, ...row }: Flat<J>): J {
  const content = bytes === null ? null : { contentType, bytes, sha256, expiresAt }
  return { ...row, testOnly: testOnly === 1, content } as unknown as J
}

function jobReader(engine: Engine): JobReader {
  const one = (where: string, params: readonly string[]) =>
    engine.read(async (tx) => {
      const row = await tx.get<Flat<ChargedJob>>(`${chargedJobs} WHERE ${where}`, params)
      return row && toJob<ChargedJob>(row)
    })
  return {
    find: (projectId, jobId) => one('j.job_id = $1 AND j.project_id = $2', [jobId, projectId]),
    ofCharge: (chargeId) => one('j.charge_id = $1', [chargeId]),
    ofCharges: (chargeIds) =>
      engine.read(async (tx) => {
        const jobs = new Map<string, ChargedJob>()
        for (const page of fullPages(chargeIds, idsPerRead)) {
          const rows = await tx.all<Flat<ChargedJob>>(
            `${chargedJobs} WHERE j.charge_id IN (${placeholders(page)})`,
            page,
          )
          for (const row of rows) jobs.set(row.chargeId, toJob<ChargedJob>(row))
        }
        return jobs
      }),
    page: (projectId, before, limit) =>
      engine.read(async (tx) => {
        // The project is part of the order, so that its own index gives it.
        const rows = await tx.all<Flat<ChargedJob>>(
          `${chargedJobs} WHERE j.project_id = $1 AND j.job_id < $2 ORDER BY j.project_id DESC, j.job_id DESC LIMIT $3`,
          [projectId, before ?? 'job_~', limit],
        )
        return rows.map((row) => toJob<ChargedJob>(row))
      }),
    isTaken: ({ jobId, provider }, providerId) =>
      engine.read(async (tx) => {
        const taken = await tx.get(
          'SELECT 1 AS taken FROM media_jobs WHERE provider = $1 AND provider_id = $2 AND job_id <> $3',
          [provider, providerId, jobId],
        )
        return taken !== undefined
      }),
    countOpen: () =>
      engine.read(async (tx) => {
        const row = await tx.get<{ open: number }>(
          'SELECT COUNT(*) AS open FROM media_jobs WHERE next_poll_at IS NOT NULL',
        )
        return row!.open
      }),
  }
}

function jobClaims(engine: OpenedEngine, instanceId: string): JobClaims {
  const { databaseMs, skipLocked, hasLease } = dialects[engine.kind]
  const isFree = `next_poll_at IS NOT NULL AND (claim_until IS NULL OR claim_until <= ${databaseMs})`
  const claim = `UPDATE media_jobs AS j SET claimed_by = $1, claim_until = ${databaseMs} + ${claimMs}
    WHERE job_id IN (
      SELECT job_id FROM media_jobs WHERE provider = $2 AND project_id = $3 AND ${isFree} AND next_poll_at <= $4
      ORDER BY next_poll_at LIMIT $5 ${skipLocked})
    AND ${isFree} RETURNING ${jobColumns.replaceAll('j.', skipLocked ? 'j.' : '')}`
  // Each step is one look into the index, however many jobs a project or a provider has.
  const openProviders = `WITH RECURSIVE walk (provider) AS (
      SELECT (SELECT provider FROM media_jobs WHERE next_poll_at IS NOT NULL ORDER BY provider LIMIT 1)
      UNION ALL SELECT (SELECT provider FROM media_jobs WHERE next_poll_at IS NOT NULL AND provider > walk.provider
        ORDER BY provider LIMIT 1) FROM walk WHERE walk.provider IS NOT NULL)
    SELECT provider FROM walk WHERE provider IS NOT NULL`
  const projectAfter = (project: string) => `(SELECT project_id FROM media_jobs
    WHERE provider = $1 AND project_id > ${project} AND next_poll_at IS NOT NULL ORDER BY project_id LIMIT 1)`
  const walkProjects = `WITH RECURSIVE walk (project_id, steps) AS (
      SELECT ${projectAfter('$2')}, 1
      UNION ALL SELECT ${projectAfter('walk.project_id')}, steps + 1 FROM walk
        WHERE walk.project_id IS NOT NULL AND steps < $3)
    SELECT project_id AS "projectId", CASE WHEN EXISTS (
        SELECT 1 FROM media_jobs WHERE provider = $1 AND project_id = walk.project_id AND ${isFree} AND next_poll_at <= $4)
      THEN 1 ELSE 0 END AS "isDue"
    FROM walk WHERE project_id IS NOT NULL`
  const adopt = [
    `UPDATE media_jobs SET next_poll_at = $1, instance_id = $2, version = version + 1
      WHERE next_poll_at > $1 AND status = 'submitting' AND instance_id <> $2 AND NOT ${hasLease('instance_id')}`,
    `UPDATE media_jobs SET claimed_by = NULL, claim_until = NULL
      WHERE next_poll_at <= $1 AND claimed_by <> $2 AND NOT ${hasLease('claimed_by')}`,
  ]
  const ofThisInstance = (tx: Writer, set: string, jobIds: readonly string[]) =>
    tx.run(
      `UPDATE media_jobs SET ${set} WHERE claimed_by = $1 AND job_id IN (${jobIds.map((_, i) => `$${i + 2}`).join(', ')})`,
      [instanceId, ...jobIds],
    )
  return {
    nextDueAt: () =>
      engine.read(async (tx) => {
        const row = await tx.get<{ at: number }>(
          `SELECT next_poll_at AS at FROM media_jobs WHERE ${isFree} ORDER BY next_poll_at LIMIT 1`,
        )
        return row?.at ?? null
      }),
    openProviders: () =>
      engine.read(async (tx) => {
        const rows = await tx.all<{ provider: string }>(openProviders)
        return rows.map(({ provider }) => provider)
      }),
    dueProjects: (provider, now, after) =>
      engine.read(async (tx) => {
        const ring: { projectId: string; isDue: number }[] = []
        for (const from of [after, '']) {
          const left = projectsPerLook - ring.length
          if (left > 0) ring.push(...(await tx.all<(typeof ring)[number]>(walkProjects, [provider, from, left, now])))
          if (after === '') break
        }
        return [...new Set(ring.flatMap(({ projectId, isDue }) => (isDue ? [projectId] : [])))]
      }),
    claim: (provider, now, shares) =>
      engine.write(async (tx) => {
        const jobs: JobRow[] = []
        for (const [projectId, limit] of shares) {
          const rows = await tx.all<Flat<JobRow>>(claim, [instanceId, provider, projectId, now, limit])
          jobs.push(...rows.map((row) => toJob<JobRow>(row)))
        }
        return jobs
      }),
    async renew(jobIds) {
      if (jobIds.length === 0) return
      await engine.write((tx) => ofThisInstance(tx, `claim_until = ${databaseMs} + ${claimMs}`, jobIds))
    },
    async release(jobIds) {
      if (jobIds.length === 0) return
      await engine.write((tx) => ofThisInstance(tx, 'claimed_by = NULL, claim_until = NULL', jobIds))
    },
    adopt: (now) =>
      engine.write(async (tx) => {
        let adopted = 0
        for (const statement of adopt) adopted += await tx.run(statement, [now, instanceId])
        return adopted
      }),
  }
}

function jobWriter(engine: Engine): JobWriter {
  return {
    save: ({ jobId, version }, update, at) =>
      engine.write(async (tx) => {
        const changed = await tx.run(
          `UPDATE media_jobs SET status = $3, provider_id = $4, progress = $5, polls = $6, misses = $7, silences = $8,
            content_tries = $9, next_poll_at = $10, updated_at = $11, claimed_by = NULL, claim_until = NULL,
            version = version + 1
          WHERE job_id = $1 AND version = $2 AND next_poll_at IS NOT NULL`,
          [
            jobId,
            version,
            update.status,
            update.providerId,
            update.progress,
            update.polls,
            update.misses,
            update.silences,
            update.contentTries,
            update.nextPollAt,
            at,
          ],
        )
        return changed === 1
      }),
    noteCancellation: (jobId, at) =>
      engine.write(async (tx) => {
        const changed = await tx.run(
          `UPDATE media_jobs SET cancel_requested_at = COALESCE(cancel_requested_at, $2), next_poll_at = $2,
            updated_at = $2, version = version + 1
          WHERE job_id = $1 AND next_poll_at IS NOT NULL`,
          [jobId, at],
        )
        return changed === 1
      }),
    async bringForward(provider, providerId, at) {
      await engine.write((tx) =>
        tx.run(
          `UPDATE media_jobs SET next_poll_at = $3, version = version + 1
          WHERE provider = $1 AND provider_id = $2 AND next_poll_at > $3`,
          [provider, providerId, at],
        ),
      )
    },
  }
}

/** What the engines write differently: the clock of the database, and how to tell whether another instance is alive. */
const dialects = {
  sqlite: {
    databaseMs: databaseMs.sqlite,
    skipLocked: '',
    // The store belongs to one instance: every other one is from an earlier run.
    hasLease: (_: string) => '(1 = 0)',
  },
  postgres: {
    databaseMs: databaseMs.postgres,
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    hasLease: (column: string) =>
      `EXISTS (SELECT 1 FROM instances i WHERE i.instance_id = ${column}
        AND i.lease_until > ${databaseMs.postgres})`,
  },
} as const
