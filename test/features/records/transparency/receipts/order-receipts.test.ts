import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isoOf } from '../../../../../src/base/time.ts'
import { Refusal } from '../../../../../src/contract/errors.ts'
import { createSubjects } from '../../../../../src/features/records/transparency/receipts/subjects.ts'
import { paymentWorld } from '../../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../../testkit/store/administration.ts'
import { engines, freshStore, isFullMatrix, onDisk, type Store } from '../../../../../testkit/store/engines.ts'

const ada = { name: 'ada', via: 'web' } as const
const nothingArchived = { subject: async () => null, entriesFrom: async () => null }
const seeds = isFullMatrix ? 100 : 5

interface OrderFacts {
  readonly state: string
  readonly amountFen: number
  readonly paidFen: number | null
  readonly paidAt: string | null
  readonly credits: number
}

describe.each(engines)('receipts of orders on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine, onDisk))
  })
  afterAll(() => remove())

  /** Orders that are paid rightly, wrongly, late, twice or not at all, and operators who end some of them. */
  async function play(seed: number) {
    const world = await paymentWorld(store, seed)
    const { random, provider, clock } = world
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: null, clock: () => clock.now })
    const asked = new Map<string, { orderId: string; amountFen: number }>()
    for (let step = 0; step < 40; step += 1) {
      const ids = [...asked.keys()]
      const paymentId = ids[Math.floor(random() * ids.length)]
      const action = random()
      if (paymentId === undefined || action < 0.15) {
        const { orderId, amountFen, paymentId } = await world.create(100 * (1 + Math.floor(random() * 50)))
        asked.set(paymentId, { orderId, amountFen })
      } else if (action < 0.5) {
        const moreFen = random() < 0.5 ? 0 : 10 * Math.floor(random() * 40)
        provider.pay(paymentId, asked.get(paymentId)!.amountFen + moreFen, random() < 0.1 ? 'USD' : 'CNY')
        await world.callback(paymentId)
      } else if (action < 0.8) {
        const outcome = random() < 0.7 ? 'credit' : 'refund'
        await operate.endPayment(ada, { paymentId, outcome, reason: 'looked there' }).catch((error) => {
          if (!(error instanceof Refusal)) throw error
        })
      }
      clock.now += Math.floor(random() * 600_000)
      await world.work()
      if (random() < 0.7) await world.end()
    }
    return { ...world, asked }
  }

  it('state what was paid, when, and the credits that it buys', async () => {
    const subjects = createSubjects({ engine: store, archivedReads: nothingArchived })
    let otherAmounts = 0
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { projectId, provider, asked } = await play(21_000 + seed)
      for (const [paymentId, { orderId, amountFen }] of asked) {
        const { facts, rows } = await subjects.order(projectId, orderId)
        const { state, paidFen, paidAt, credits, ...order } = facts as OrderFacts
        expect({ seed, credits, amountFen: order.amountFen }).toEqual({ seed, credits: (paidFen ?? 0) / 10, amountFen })
        expect(rows.map(({ amount }) => amount)).toEqual(state === 'credited' ? [credits] : [])
        const paid = provider.trades.get(paymentId)!.paid.map((one) => [one.amountFen, isoOf(one.paidAt)])
        if (state === 'credited') expect(paid).toContainEqual([paidFen, paidAt])
        else expect([paidFen, paidAt]).toEqual([null, null])
        if (paidFen !== null && paidFen !== amountFen) otherAmounts += 1
      }
    }
    expect(otherAmounts).toBeGreaterThan(1)
  })
})
