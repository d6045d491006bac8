import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/base/ids.ts'
import { endCommand, released } from '../../../../src/features/calls/media/job-transitions.ts'
import type { MediaProvider } from '../../../../src/features/calls/media/providers/provider.ts'
import { createSubmit } from '../../../../src/features/calls/media/submit.ts'
import { createEnding } from '../../../../src/relay/settle.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'
import { addCredits, type Customer, createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'

const now = 1_800_000_000_000

describe.each(engines)('media submissions on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let rig: Rig
  let customer: Customer

  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine))
    rig = createRig(store, { clock: () => now })
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 10_000)
  })
  afterAll(() => remove())

  /** A gateway whose provider names each job by its prompt. */
  function startSubmitting(whileSending: (chargeId: string) => Promise<void> = async () => {}) {
    const cancelled: string[] = []
    const reviews: (string | null)[] = []
    const provider: Partial<MediaProvider> = {
      testOnly: false,
      timeoutMs: 1000,
      async submit({ reference, prompt, projectId }) {
        const job = await rig.stores.mediaJobs.find(projectId, reference)
        await whileSending(job!.chargeId)
        return { kind: 'accepted', id: prompt, status: 'queued', progress: 0 }
      },
      async cancel({ id }) {
        cancelled.push(id)
        return { kind: 'accepted' }
      },
    }
    const submit = createSubmit({
      ledger: rig.ledger,
      ending: createEnding({ ledger: rig.ledger, onFault: (error) => expect.fail(String(error)) }),
      jobs: rig.stores.mediaJobs,
      providers: new Map([['media_provider_a', provider as MediaProvider]]),
      defaultProvider: 'media_provider_a',
      creditsPerSecond: 10,
      deadlineSeconds: 60,
      firstPollMs: 1000,
      instanceId: rig.instanceId,
      callsPerKey: { max: 1000, windowSeconds: 60 },
      clock: rig.clock,
      isLeaseHeld: () => true,
      onDue: () => {},
      onReview: ({ reason }) => void reviews.push(reason),
      onLost: () => expect.fail('nothing is lost here'),
    })
    const create = (prompt: string) =>
      submit.run({
        request: { prompt },
        principal: customer,
        address: '127.0.0.1',
        idempotencyDigest: newId('key'),
        requestId: newId('req'),
      })
    return { create, cancelled, reviews }
  }

  /** Another instance asked the provider, which did not know the job yet. */
  async function giveUp(chargeId: string) {
    const job = await rig.stores.mediaJobs.ofCharge(chargeId)
    const ended = await rig.ledger.end(endCommand(job!, released('failed', 'PROVIDER_JOB_NOT_ACCEPTED'), now))
    expect(ended.kind).toBe('ended')
  }

  const failed = {
    kind: 'job',
    job: { status: 'failed', chargeState: 'released', errorCode: 'PROVIDER_JOB_NOT_ACCEPTED' },
  }

  it('a job that another instance gave up while it was submitted is cancelled at its provider', async () => {
    const { create, cancelled, reviews } = startSubmitting(giveUp)
    expect(await create('its-own-id')).toMatchObject(failed)
    expect([cancelled, reviews]).toEqual([['its-own-id'], []])
  })

  it('a job that was given up never cancels the job of another, whose id its provider named', async () => {
    const first = startSubmitting()
    expect(await first.create('shared-id')).toMatchObject({ job: { status: 'queued', providerId: 'shared-id' } })
    const second = startSubmitting(giveUp)
    // The second time, ids of this provider are looked up before they are written.
    for (const _ of ['found afterwards', 'found before']) expect(await second.create('shared-id')).toMatchObject(failed)
    expect([second.cancelled, second.reviews]).toEqual([[], []])
  })
})
