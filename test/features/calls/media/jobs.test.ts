import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../src/contract/validate.ts'
import { MediaJob, MediaJobPage } from '../../../../src/features/calls/media/contract.ts'
import { decideReview } from '../../../../src/features/calls/reviews/reviews.ts'
import { createReviewStore } from '../../../../src/features/calls/reviews/store.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { createLedger } from '../../../../src/ledger/ledger.ts'
import { createBatchStore } from '../../../../src/storage/batch-store.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../../../../testkit/gateway/media-customer.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { clip, type FakeMediaProvider, startMediaProvider } from '../../../../testkit/providers/media-provider.ts'
import { type EngineName, httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const isJob = compile(MediaJob)

const settled = [
  'late-response',
  'waver',
  'flaky',
  'late-clip',
  'lose-response',
  'garbled-response',
  'lose-response late-clip',
]
const released = {
  fail: 'PROVIDER_JOB_FAILED',
  truncated: 'PROVIDER_CONTRACT_INVALID',
  'wrong-type': 'PROVIDER_CONTRACT_INVALID',
  'no-clip': 'PROVIDER_CONTRACT_INVALID',
  empty: 'PROVIDER_CONTRACT_INVALID',
  short: 'PROVIDER_CONTRACT_INVALID',
  endless: 'PROVIDER_CONTRACT_INVALID',
  'lose-request': 'PROVIDER_JOB_NOT_ACCEPTED',
}
const reviewed = {
  forget: 'PROVIDER_JOB_FORGOTTEN',
  'forget-late hang': 'PROVIDER_JOB_FORGOTTEN',
  'lose-response no-search': 'PROVIDER_JOB_UNTRACEABLE',
  'lose-response mute-search': 'PROVIDER_JOB_UNTRACEABLE',
}

/** All engines at once: some of the jobs take many seconds in which nothing happens. */
const rigs = new Map<EngineName, Awaited<ReturnType<typeof startRig>>>()
beforeAll(async () => {
  await Promise.all(httpEngines.map(async (engine) => rigs.set(engine, await startRig(engine))))
})

async function startRig(engine: EngineName) {
  const provider = await startMediaProvider()
  const gateway = await startGateway({ engine, file: mediaFile(provider) })
  const customer = await PayingCustomer.join(gateway)
  const media = mediaOf(customer)

  /** Creates a job that behaves as its prompt says; resolves when it has ended, with what became of its charge. */
  async function run(prompt: string, more: object = {}) {
    const created = await media.create(prompt, more)
    expect({ prompt, status: created.status }).toEqual({ prompt, status: 202 })
    const { jobId } = created.body
    const job = await media.ends(jobId)
    expect(isJob(job)).toEqual({ ok: true })
    const { state, chargedCredits } = (await customer.browser.get(`/v1/console/usage/${job.chargeId}`)).body
    return { job, created, state, chargedCredits }
  }

  const prompts = [...settled, ...Object.keys(released), ...Object.keys(reviewed)]
  const runs = new Map(prompts.map((prompt) => [prompt, run(prompt)]))
  return { provider, gateway, customer, media, run, runs }
}

describe.each(httpEngines)('media jobs on %s', (engine) => {
  let provider: FakeMediaProvider
  let gateway: Gateway
  let customer: PayingCustomer
  let media: ReturnType<typeof mediaOf>
  const run = (prompt: string, more: object = {}) => rigs.get(engine)!.run(prompt, more)
  const ended = (prompts: readonly string[]) =>
    Promise.all(prompts.map((prompt) => rigs.get(engine)!.runs.get(prompt)!))

  beforeAll(() => {
    ;({ provider, gateway, customer, media } = rigs.get(engine)!)
  })
  afterAll(async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const report = await reconcile(store)
    await store.close()
    await gateway.stop()
    await provider.close()
    expect(report.differences).toEqual([])
    expect(new Set(provider.submitted).size).toBe(provider.submitted.length)
  })

  it('a completed job is charged once, by the second, and its clip can be fetched', async () => {
    const { job, created, state, chargedCredits } = await run('a paper boat', { seconds: 4, size: '854x480' })
    expect(created.headers).toMatchObject({ location: `/v1/media/jobs/${job.jobId}`, 'retry-after': '1' })
    expect(created.body).toMatchObject({ status: 'queued', content: null, finishedAt: null, reservedCredits: 20 })
    expect(job).toMatchObject({ status: 'completed', progress: 100, error: null, testOnly: false, resolution: null })
    expect({ state, chargedCredits }).toEqual({ state: 'settled', chargedCredits: 20 })
    const content = await media.get(job.content!.url)
    expect(content.status).toBe(200)
    expect(content.headers).toMatchObject({ 'content-type': 'video/mp4', 'content-length': String(clip.length) })
    expect(job.content).toMatchObject({ bytes: clip.length, contentType: 'video/mp4' })
    const receipt = await customer.browser.get(`/v1/console/usage/${job.chargeId}`)
    expect(receipt.body).toMatchObject({ state: 'settled', operation: 'media.video', usage: { seconds: 4 } })
  })

  it('a provider that is slow, wavers or loses its responses is waited for, and paid', async () => {
    for (const { job, state, chargedCredits } of await ended(settled)) {
      const { prompt, status, content } = job
      expect({ prompt, status, state, chargedCredits, bytes: content?.bytes }).toEqual({
        ...{ prompt, status: 'completed', state: 'settled', chargedCredits: 10, bytes: clip.length },
      })
    }
  })

  it('a job that failed, was not accepted or has no valid clip costs nothing', async () => {
    for (const { job, state } of await ended(Object.keys(released))) {
      const { prompt, status, content, error } = job
      const code = released[prompt as keyof typeof released]
      expect({ prompt, status, state, content, code: error?.code }).toEqual({
        ...{ prompt, status: 'failed', state: 'released', content: null, code },
      })
    }
  })

  it('a job with an unknown outcome is held for review, and shows what an operator decides', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const decide = {
      reviews: createReviewStore(store),
      ledger: createLedger({ store: createBatchStore(store) }),
      clock: Date.now,
    }
    for (const [index, { job, state }] of (await ended(Object.keys(reviewed))).entries()) {
      const { prompt, status, resolution, error, jobId, chargeId } = job
      const code = reviewed[prompt as keyof typeof reviewed]
      expect({ prompt, status, state, resolution, code: error?.code }).toEqual({
        ...{ prompt, status: 'unknown', state: 'manual_review', resolution: null, code },
      })
      const to = index % 2 === 0 ? 'settled' : 'released'
      await decideReview(
        decide,
        { name: 'a test', via: 'command line' },
        { chargeId, to, reason: 'asked the provider' },
      )
      expect(await media.read(jobId)).toMatchObject({ status: 'unknown', resolution: to })
    }
    await store.close()
  })

  it('a job never moves to another project, whatever the provider responds', async () => {
    const owner = mediaOf(await PayingCustomer.join(gateway))
    const { jobId } = (await owner.create('theirs')).body
    const theirs = await owner.becomes(jobId, 'completed')
    const outcomes = {
      // Its own job is among those that were listed.
      'lose-response unfiltered': ['completed', 'settled', undefined],
      'lose-request unfiltered': ['unknown', 'manual_review', 'PROVIDER_JOB_UNTRACEABLE'],
      // The response was about another job, the search finds the right one.
      'other-job': ['completed', 'settled', undefined],
      'lose-response nameless': ['unknown', 'manual_review', 'PROVIDER_JOB_UNTRACEABLE'],
      nameless: ['unknown', 'manual_review', 'PROVIDER_JOB_UNTRACEABLE'],
      'used-id': ['unknown', 'manual_review', 'PROVIDER_JOB_ID_REUSED'],
      'lose-response used-id': ['unknown', 'manual_review', 'PROVIDER_JOB_ID_REUSED'],
    }
    const seen = await Promise.all(Object.keys(outcomes).map(async (prompt) => [prompt, await run(prompt)] as const))
    expect(
      Object.fromEntries(seen.map(([prompt, { job, state }]) => [prompt, [job.status, state, job.error?.code]])),
    ).toEqual(outcomes)
    // From now on, the ids of this provider are looked up before they are written.
    expect(await run('used-id again')).toMatchObject({
      state: 'manual_review',
      job: { error: { code: 'PROVIDER_JOB_ID_REUSED' } },
    })
    // Their own clips, not the one of the oldest job.
    for (const [, { job }] of seen)
      if (job.status === 'completed') expect(provider.fetched(job.jobId)).toBeGreaterThan(0)
    expect(await owner.read(jobId)).toEqual(theirs)
  })

  it('of two jobs that get one id at the same time one goes to review, and other calls go on', async () => {
    const prompts = ['same-id', 'same-id', ...Array.from({ length: 6 }, () => 'hang')]
    const created = await Promise.all(prompts.map((prompt) => media.create(prompt)))
    expect(created.map(({ status }) => status)).toEqual(prompts.map(() => 202))
    const twins = await Promise.all(created.slice(0, 2).map(({ body }) => media.ends(body.jobId)))
    // The provider denies that id afterwards, so the first job is held for review as well, but for another reason.
    expect(twins.map(({ error }) => error?.code).sort()).toEqual(['PROVIDER_JOB_FORGOTTEN', 'PROVIDER_JOB_ID_REUSED'])
    for (const { body } of created.slice(2)) expect((await media.cancel(body.jobId)).status).toBe(202)
    for (const { body } of created) await media.ends(body.jobId)
  })

  it('a refused submission returns its code, is released, stored and replayed, and its job is kept as failed', async () => {
    const before = await customer.credits()
    for (const [prompt, status, code] of [
      ['refuse', 502, 'PROVIDER_REQUEST_REJECTED'],
      ['break', 503, 'PROVIDER_UNAVAILABLE'],
      ['redirect', 502, 'PROVIDER_REDIRECT_FORBIDDEN'],
    ] as const) {
      const key = customer.newKey()
      const first = await media.create(prompt, {}, key)
      const sent = provider.submitted.length
      const again = await media.create(prompt, {}, key)
      expect([first.status, first.body.error.code]).toEqual([status, code])
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([status, first.text, 'true'])
      expect(provider.submitted.length).toBe(sent)
      for (const { headers } of [first, again]) {
        const hint = code === 'PROVIDER_REDIRECT_FORBIDDEN' ? 'never' : 'new-key'
        expect([headers['x-should-retry'], headers['retry-hint']]).toEqual([String(prompt === 'break'), hint])
      }
      const [job] = (await media.get('/v1/media/jobs?limit=1')).body.items
      expect(job).toMatchObject({ status: 'failed', prompt, error: { code } })
      for (const { headers } of [first, again]) expect(headers['x-charge-id']).toBe(job.chargeId)
    }
    expect(await customer.credits()).toEqual(before)
  })

  it('a repeated key returns the same job as it is now, and charges nothing', async () => {
    const key = customer.newKey()
    const first = await media.create('again', {}, key)
    const { jobId } = first.body
    await media.becomes(jobId, 'completed')
    const before = await customer.credits()
    const replay = await media.create('again', {}, key)
    expect([replay.status, replay.headers['idempotent-replayed'], replay.body.status]).toEqual([
      202,
      'true',
      'completed',
    ])
    expect(replay.body.jobId).toBe(jobId)
    expect(await customer.credits()).toEqual(before)
    expect((await media.create('something else', {}, key)).body.error.code).toBe('IDEMPOTENCY_CONFLICT')
    const both = await Promise.all([media.create('twins', {}, `${key}2`), media.create('twins', {}, `${key}2`)])
    expect(both.map(({ status }) => status)).toEqual([202, 202])
    expect(both[0]!.body.jobId).toBe(both[1]!.body.jobId)
  })

  it('a cancelled job is released when the provider confirms, and charged when it was completed before', async () => {
    const cancelled = (await media.create('hang')).body.jobId
    expect((await media.cancel(cancelled)).status).toBe(202)
    const job = await media.becomes(cancelled, 'cancelled')
    expect(job).toMatchObject({ error: { code: 'PROVIDER_JOB_CANCELLED' }, content: null })
    expect((await media.cancel(cancelled)).status).toBe(200)

    const stubborn = (await media.create('hang ignore-cancel')).body.jobId
    expect((await media.cancel(stubborn)).body.error.code).toBe('JOB_NOT_CANCELLABLE')

    provider.takesMs = 300
    const { body } = await media.create('keep-going')
    expect((await media.cancel(body.jobId)).status).toBe(202)
    expect(await media.becomes(body.jobId, 'completed')).toMatchObject({ content: { bytes: clip.length } })
    provider.takesMs = 0
  })

  it('the list of media jobs has the jobs of the project, newest first, page by page', async () => {
    const page = (await media.get('/v1/media/jobs?limit=2')).body
    expect(compile(MediaJobPage)(page)).toEqual({ ok: true })
    const next = (await media.get(`/v1/media/jobs?limit=2&after=${page.nextCursor}`)).body
    const ids = [...page.items, ...next.items].map(({ jobId }: MediaJob) => jobId)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    for (const query of ['limit=0', 'limit=101', 'after=x', 'before=1'])
      expect((await media.get(`/v1/media/jobs?${query}`)).body.error.code).toBe('REQUEST_TARGET_INVALID')
  })

  it("another project's job does not exist", async () => {
    const { jobId } = (await media.create('mine')).body
    await media.becomes(jobId, 'completed')
    const other = mediaOf(await PayingCustomer.join(gateway))
    for (const path of [`/v1/media/jobs/${jobId}`, `/v1/media/jobs/${jobId}/content`])
      expect((await other.get(path)).body.error.code).toBe('JOB_NOT_FOUND')
    expect((await other.cancel(jobId)).body.error.code).toBe('JOB_NOT_FOUND')
    expect((await other.get('/v1/media/jobs')).body.items).toEqual([])
  })
})
