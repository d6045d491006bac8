import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { setLowBalance } from '../../src/features/notifications/events/store.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { createRecovery } from '../../src/relay/recover.ts'
import { engines, freshStore, isFullMatrix } from '../../testkit/store/engines.ts'
import { eventDifferences } from '../../testkit/store/event-differences.ts'
import { createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'
import { lowBalanceCredits } from './model.ts'
import { Player } from './player.ts'
import { sequence } from './steps.ts'

const sequences = isFullMatrix ? 1000 : 100
/** Run concurrently on one ledger, so that their commands share batches as under load. */
const atOnce = 50

describe.each(engines)('the books on %s', (name) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  const live = new Set<string>()

  beforeAll(async () => {
    opened = await freshStore(name)
    // At noon, so that only the histories begin a new day.
    rig = createRig(opened.store, { clock: () => Date.UTC(2026, 8, 3, 12) })
  })
  afterAll(() => opened.remove())

  it(`the books agree with the model after every step of ${sequences} random histories`, {
    timeout: 180_000,
  }, async () => {
    const recover = createRecovery({
      charges: rig.stores.charges,
      ledger: rig.ledger,
      lease: {
        instanceId: newId('ins'),
        start: async () => {},
        stop: async () => {},
        isHeld: () => true,
        canRecoverOthers: () => true,
        liveInstances: async () => [...live],
      },
      isUnderWay: () => false,
      wasForwarded: () => false,
      clock: rig.clock,
      ownGraceMs: 0,
      onFault: (error) => {
        throw error
      },
    })
    let played = 0
    await fc.assert(
      fc.asyncProperty(fc.array(sequence, { minLength: atOnce, maxLength: atOnce }), async (histories) => {
        await Promise.all(
          histories.map(async (history) => {
            const customer = await createCustomer(rig)
            await opened.store.write((tx) => setLowBalance(tx, customer.projectId, lowBalanceCredits))
            await new Player({ rig, customer, live, recover, leavesProcess: history.leavesProcess }).play(history)
            played += 1
          }),
        )
      }),
      { numRuns: sequences / atOnce, endOnFailure: true },
    )
    expect(played).toBe(sequences)
    expect((await reconcile(opened.store)).differences).toEqual([])
    expect(await eventDifferences(opened.store)).toEqual([])
  })
})
