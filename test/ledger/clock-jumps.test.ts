import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId, newSortableId } from '../../src/base/ids.ts'
import { type BudgetPeriod, periodStart } from '../../src/contract/budget-periods.ts'
import { createNamedKeys } from '../../src/features/identity/keys/named-keys.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { ending } from '../../testkit/store/commands.ts'
import { engines, freshStore, isFullMatrix } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

type Step =
  | { readonly do: 'call' }
  /** The oldest call under way ends. */
  | { readonly do: 'end'; readonly to: 'settled' | 'released' }
  /** Another instance answers from here on, whose clock differs from the true one by so many days. */
  | { readonly do: 'clock'; readonly days: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'call' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      to: fc.constantFrom('settled' as const, 'released' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('clock' as const), days: fc.constantFrom(-1, 0, 1, 2, 40, 400) }),
  },
)
const history = fc.record({
  per: fc.constantFrom<BudgetPeriod>('day', 'month', 'total'),
  setAt: fc.constantFrom(0, 400),
  steps: fc.array(step, { minLength: 10, maxLength: 40 }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const credits = 7
const price = 3
const noon = Date.UTC(2026, 8, 15, 12)
const timeOf = (days: number) => noon + days * 86_400_000

describe.each(engines)('a budget on %s, with clocks that jump both ways', (name) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig

  beforeAll(async () => {
    opened = await freshStore(name)
    rig = createRig(opened.store, { clock: () => noon })
  })
  afterAll(() => opened.remove())

  /** Every period has a count of its own: nothing else refuses a call, and no period gets its credits twice. */
  async function play({ per, setAt, steps }: History): Promise<void> {
    const customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 200)
    const setter = createNamedKeys({ ...rig.keyDeps, clock: () => timeOf(setAt) })
    await setter.update(customer.projectId, customer.keyId, { budget: { credits, per } })
    const spent = new Map<number, number>()
    const underWay: { chargeId: string; period: number }[] = []
    let days = 0
    for (const step of steps) {
      const at = timeOf(days)
      if (step.do === 'clock') days = step.days
      if (step.do === 'call') {
        const chargeId = newSortableId('chg', at)
        const admitted = await rig.ledger.admit(
          admissionOf(rig, customer, { chargeId, credits: price, idempotencyDigest: newId('req'), at }),
        )
        const period = periodStart(per, at)
        const before = spent.get(period) ?? 0
        expect(admitted.kind).toBe(before + price <= credits ? 'reserved' : 'refused')
        if (admitted.kind !== 'reserved') continue
        spent.set(period, before + price)
        underWay.push({ chargeId, period })
      }
      if (step.do === 'end' && underWay.length > 0) {
        const { chargeId, period } = underWay.shift()!
        const { projectId } = customer
        await rig.ledger.end(
          ending({ chargeId, projectId, to: step.to, ...(step.to === 'released' && { response: null }), at }),
        )
        if (step.to === 'released') spent.set(period, spent.get(period)! - price)
      }
      const now = createNamedKeys({ ...rig.keyDeps, clock: () => timeOf(days) })
      const [key] = await now.list(customer.projectId)
      expect(key!.budgetSpent).toBe(spent.get(periodStart(per, timeOf(days))) ?? 0)
    }
  }

  it('a budget with clocks that jump both ways limits every period exactly, and the books agree', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 20, maxLength: 20 }), async (histories) => {
        await Promise.all(histories.map(play))
        expect((await reconcile(opened.store)).differences).toEqual([])
      }),
      { numRuns: isFullMatrix ? 10 : 4, endOnFailure: true },
    )
  })
})
