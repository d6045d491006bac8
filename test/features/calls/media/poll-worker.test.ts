import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId, newSortableId } from '../../../../src/base/ids.ts'
import { createPollWorker, type PollDeps, pollJob } from '../../../../src/features/calls/media/polling.ts'
import type { JobRow, JobStore } from '../../../../src/features/calls/media/store.ts'
import { createMediaStore } from '../../../../src/features/calls/media/store.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'
import {
  addCredits,
  admissionOf,
  type Customer,
  createCustomer,
  createRig,
  type Rig,
} from '../../../../testkit/store/rig.ts'

const hanging = 2000
const now = 1_800_000_000_000

describe('a poll worker whose provider never answers', () => {
  afterEach(() => void vi.useRealTimers())

  it('a poll worker whose provider never answers stops in three seconds, with thousands of jobs open', async () => {
    vi.useFakeTimers()
    const open = new Map(Array.from({ length: 3000 }, (_, index) => [`job_${index}`, `prj_${index % 50}`]))
    const released: string[] = []
    const jobs: Partial<JobStore> = {
      adopt: async () => 0,
      nextDueAt: async () => now,
      openProviders: async () => ['media_provider_a'],
      dueProjects: async () => [...new Set(open.values())],
      async claim(provider, _at, shares) {
        const due = [...open].filter(([, projectId]) => shares.has(projectId)).slice(0, shares.size)
        for (const [jobId] of due) open.delete(jobId)
        return due.map(([jobId, projectId]) => ({ jobId, projectId, provider }) as JobRow)
      },
      renew: async () => {},
      release: async (jobIds) => void released.push(...jobIds),
    }
    const worker = createPollWorker({
      jobs: jobs as JobStore,
      poll: () => new Promise(() => {}),
      clock: () => now,
      isLeaseHeld: () => true,
      canAdopt: () => true,
      onFault: (error) => expect.fail(String(error)),
    })
    worker.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(worker.underWay()).toBe(32)
    let isStopped = false
    const stopped = worker.stop().then(() => {
      isStopped = true
    })
    await vi.advanceTimersByTimeAsync(2999)
    expect([isStopped, worker.underWay()]).toEqual([false, 32])
    await vi.advanceTimersByTimeAsync(1)
    await stopped
    expect(released).toHaveLength(32)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a gateway whose lease has lapsed', () => {
  afterEach(() => void vi.useRealTimers())

  it('a gateway without a lease claims no job that is due', async () => {
    vi.useFakeTimers()
    let isHeld = false
    const asked = vi.fn(async () => null)
    const worker = createPollWorker({
      jobs: { adopt: asked, nextDueAt: asked, renew: async () => {}, release: async () => {} } as unknown as JobStore,
      poll: async () => expect.fail('a job was polled'),
      clock: () => now,
      isLeaseHeld: () => isHeld,
      canAdopt: () => true,
      onFault: (error) => expect.fail(String(error)),
    })
    worker.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).not.toHaveBeenCalled()
    isHeld = true
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toHaveBeenCalled()
    await worker.stop()
  })

  it.each([
    ['claimed', 0],
    ['asked about', 1],
  ])('a gateway whose lease lapses while a job is %s gives the job up and does not end it', async (_, renewals) => {
    const did: string[] = []
    let left = renewals
    const read = async () => {
      did.push('asked')
      return { kind: 'reported', status: 'failed' }
    }
    const deps = {
      jobs: { release: async (jobIds: readonly string[]) => void did.push(`released ${jobIds}`) },
      ledger: { end: async () => void did.push('ended') },
      providers: new Map([['media_provider_a', { read }]]),
      clock: () => now,
      random: () => 0.5,
      isLeaseHeld: () => left-- > 0,
      onReview: () => {},
    } as unknown as PollDeps
    const job = { jobId: 'job_1', provider: 'media_provider_a', providerId: 'up-1' } as JobRow
    await pollJob(deps, job, new AbortController().signal)
    expect(did).toEqual([...(renewals > 0 ? ['asked'] : []), 'released job_1'])
  })
})

describe.each(engines)('open jobs on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let rig: Rig
  let greedy: Customer
  let modest: Customer

  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine))
    rig = createRig(store, { clock: () => now })
    greedy = await createCustomer(rig)
    modest = await createCustomer(rig)
    for (const { projectId } of [greedy, modest]) await addCredits(rig, projectId, 100_000)
    // The oldest of all, so that they come first wherever age decides.
    await create(greedy, 'media_provider_a', hanging, now - 60_000)
  })
  afterAll(() => remove())

  async function create(customer: Customer, provider: string, count: number, nextPollAt: number) {
    const jobIds = Array.from({ length: count }, () => newSortableId('job', now))
    await Promise.all(
      jobIds.map((jobId) =>
        rig.ledger.admit(
          admissionOf(rig, customer, {
            operation: 'media.video',
            idempotencyDigest: jobId,
            job: {
              ...{ jobId, provider, prompt: 'a boat', seconds: 2, size: '480x270', testOnly: false },
              ...{ deadlineAt: now + 60_000, nextPollAt },
            },
          }),
        ),
      ),
    )
    return jobIds
  }

  it('open jobs cannot have one id at their provider, and only the command at fault fails', async () => {
    const jobIds = await create(modest, 'media_provider_c', 3, now + 1)
    const change = { status: 'queued' as const, progress: null, nextPollAt: now + 1 }
    const tracked = await Promise.allSettled(
      jobIds.map(async (jobId, index) => {
        const { chargeId, projectId } = (await rig.stores.mediaJobs.find(modest.projectId, jobId))!
        const job = { jobId, ...change, providerId: index < 2 ? 'up-1' : 'up-2' }
        return rig.ledger.track({ type: 'track', chargeId, projectId, job, at: now })
      }),
    )
    expect(tracked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(tracked[2]!.status).toBe('fulfilled')
    const jobs = await Promise.all(jobIds.map((jobId) => rig.stores.mediaJobs.find(modest.projectId, jobId)))
    expect(jobs.map((job) => job!.providerId).sort()).toEqual(['up-1', 'up-2', null].sort())
    const loser = jobs.find((job) => job!.providerId === null)!
    expect(await rig.stores.mediaJobs.isTaken(loser, 'up-1')).toBe(true)
    expect(await rig.stores.mediaJobs.isTaken(jobs[2]!, 'up-2')).toBe(false)
  })

  it('open jobs keep what another instance found out when their submission turns out to be lost', async () => {
    const [jobId] = await create(modest, 'media_provider_c', 1, now + 1)
    const job = (await rig.stores.mediaJobs.find(modest.projectId, jobId!))!
    const found = { status: 'in_progress' as const, providerId: 'up-found', progress: 40 }
    await rig.stores.mediaJobs.save(job, { ...job, ...found, nextPollAt: now + 1 }, now)
    const lost = { status: 'submitting' as const, providerId: null, progress: null, nextPollAt: now + 2 }
    const { chargeId, projectId } = job
    await rig.ledger.track({ type: 'track', chargeId, projectId, job: { jobId: jobId!, ...lost }, at: now })
    expect(await rig.stores.mediaJobs.find(modest.projectId, jobId!)).toMatchObject(found)
  })

  it('open jobs are claimed by one instance at a time, until it gives them up', async () => {
    const [jobId] = await create(modest, 'media_provider_d', 1, now)
    const instances = ['ins_1', 'ins_2'].map((instanceId) => createMediaStore({ engine: store, instanceId }))
    const claim = (jobs: JobStore) => jobs.claim('media_provider_d', now, new Map([[modest.projectId, 5]]))
    const claimed = await Promise.all(instances.map(claim))
    expect(claimed.flat().map((job) => job.jobId)).toEqual([jobId])
    const [holder, other] = claimed[0]!.length > 0 ? instances : instances.toReversed()
    await other!.release([jobId!])
    expect(await claim(other!)).toEqual([])
    await holder!.release([jobId!])
    expect((await claim(other!)).map((job) => job.jobId)).toEqual([jobId])
  })

  /** Polls that never end, unless `responses` says so. */
  function startWorker(responses: (job: JobRow) => boolean = () => false) {
    const polled: JobRow[] = []
    const jobs = createMediaStore({ engine: store, instanceId: newId('ins') })
    const worker = createPollWorker({
      jobs,
      poll: async (job, stopping) => {
        polled.push(job)
        if (responses(job)) await rig.stores.mediaJobs.save(job, { ...job, status: 'queued', nextPollAt: now + 1 }, now)
        else await new Promise((resolve) => stopping.addEventListener('abort', resolve))
      },
      clock: () => now,
      isLeaseHeld: () => true,
      canAdopt: () => true,
      onFault: (error) => expect.fail(String(error)),
    })
    worker.start()
    return { worker, polled, has: (jobId: string | undefined) => polled.some((job) => job.jobId === jobId) }
  }

  it('open jobs of other projects and other providers are polled while thousands hang', async () => {
    const { worker, polled, has } = startWorker()
    await expect.poll(() => polled.length, { timeout: 20_000 }).toBeGreaterThan(20)
    const [atOther] = await create(greedy, 'media_provider_b', 1, now)
    const [ofOther] = await create(modest, 'media_provider_a', 1, now)
    await expect.poll(() => has(atOther) && has(ofOther), { timeout: 20_000 }).toBe(true)
    await worker.stop()
  })

  it('open jobs are polled by turns of their projects from the start of an instance on', async () => {
    const [ofOther] = await create(modest, 'media_provider_a', 1, now)
    // Claims of an instance that is no more.
    await store.write((tx) => tx.run('UPDATE media_jobs SET claimed_by = $1, claim_until = $2', ['ins_gone', now * 2]))
    const { worker, polled, has } = startWorker()
    await expect.poll(() => has(ofOther), { timeout: 20_000 }).toBe(true)
    expect(polled.findIndex(({ jobId }) => jobId === ofOther)).toBeLessThan(10)
    await worker.stop()
  })

  it('open jobs of a provider that is no longer configured are polled too', async () => {
    const [orphan] = await create(modest, 'retired_provider', 1, now)
    const { worker, has } = startWorker()
    await expect.poll(() => has(orphan), { timeout: 20_000 }).toBe(true)
    await worker.stop()
  })

  it('open jobs get all slots but the reserved ones when no others wait, and each is polled once when it is due', async () => {
    const due = 60
    // Accepted, because the submissions of a dead instance are asked about at once.
    await store.write(async (tx) => {
      await tx.run("UPDATE media_jobs SET status = 'queued', next_poll_at = $1", [now + 1])
      await tx.run(
        `UPDATE media_jobs SET next_poll_at = $1 WHERE job_id IN (SELECT job_id FROM media_jobs
          WHERE project_id = $2 AND provider = 'media_provider_a' LIMIT ${due})`,
        [now, greedy.projectId],
      )
    })
    const held = startWorker()
    await expect.poll(() => held.worker.underWay(), { timeout: 20_000 }).toBe(24)
    await held.worker.stop()
    expect(held.polled).toHaveLength(24)
    const { worker, polled } = startWorker(() => true)
    await expect.poll(() => polled.length, { timeout: 20_000 }).toBe(due)
    expect(new Set(polled.map(({ jobId }) => jobId)).size).toBe(due)
    await worker.stop()
  })
})
