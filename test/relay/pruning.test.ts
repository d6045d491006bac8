import { beforeEach, describe, expect, it } from 'vitest'
import { decideReview } from '../../src/features/calls/reviews/reviews.ts'
import { createReviewStore } from '../../src/features/calls/reviews/store.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { Relay } from '../../src/relay/relay.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import {
  addCredits,
  type ChatOutcome,
  type Customer,
  chatCall,
  chatResult,
  createCustomer,
  createRig,
  createTestRelay,
  type Rig,
  testOperations,
} from '../../testkit/store/rig.ts'

const dayMs = 86_400_000
const resultDays = 30
const uncertain: ChatOutcome = { kind: 'uncertain', reason: 'PROVIDER_CONNECTION_LOST', sent: true }

describe.each(engines)('pruning stored responses on %s', (engine) => {
  let rig: Rig
  let customer: Customer
  let now: number
  let outcome: Promise<ChatOutcome>
  let relay: Relay
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1)
    const fresh = await freshStore(engine)
    rig = createRig(fresh.store, { clock: () => now })
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 100)
    relay = createTestRelay(
      rig,
      testOperations(() => outcome),
    )
    return () => fresh.remove()
  })

  const call = () => relay.run(chatCall(customer, 'key', 'prompt'))
  /** As the maintenance task and the command do, at this moment. */
  const prune = () => rig.stores.charges.pruneResponses(now - resultDays * dayMs, 100)
  const differences = async () =>
    (await reconcile(rig.engine, { resultsKeptSince: now - resultDays * dayMs })).differences
  const decide = async (to: 'settled' | 'released') => {
    const reviews = createReviewStore(rig.engine)
    const [held] = await reviews.waiting('', 1)
    const actor = { name: 'operator', via: 'command line' } as const
    const decision = { chargeId: held!.chargeId, to, reason: 'asked the provider' }
    await decideReview({ reviews, ledger: rig.ledger, clock: () => now }, actor, decision)
  }

  it('pruning stored responses keeps the response of a charge in review, however old it is', async () => {
    outcome = Promise.resolve(uncertain)
    await call()
    now += 400 * dayMs
    expect(await prune()).toBe(0)
    expect(await call()).toMatchObject({ status: 202, isReplay: true })
    expect(await differences()).toEqual([])
  })

  it.each([
    ['settled', 202],
    ['released', 502],
  ] as const)(
    'pruning stored responses keeps the response of a review that is %s late for the full retention time',
    async (to, status) => {
      outcome = Promise.resolve(uncertain)
      await call()
      now += 45 * dayMs
      await decide(to)
      now += resultDays * dayMs
      expect(await prune()).toBe(0)
      expect(await call()).toMatchObject({ status, isReplay: true })
      expect(await differences()).toEqual([])

      now += 1
      expect(await prune()).toBe(1)
      await expect(call()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
      expect(await differences()).toEqual([])
    },
  )

  it('pruning stored responses counts from the end of a call, not from its start', async () => {
    const provider = Promise.withResolvers<ChatOutcome>()
    outcome = provider.promise
    const running = call()
    await expect.poll(() => rig.stores.charges.reserved('', 1)).toHaveLength(1)
    now += 60_000
    provider.resolve(chatResult('at last'))
    await running
    now += resultDays * dayMs - 30_000
    expect(await prune()).toBe(0)
    expect(await differences()).toEqual([])
  })

  it('a missing response of a charge in review is reported, however old it is', async () => {
    outcome = Promise.resolve(uncertain)
    await call()
    now += 400 * dayMs
    await rig.engine.write((tx) => tx.run('DELETE FROM charge_responses'))
    expect(await differences()).toMatchObject([{ invariant: 'I3', what: 'stored response', found: 'none' }])
  })
})
