import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPaymentStore, type PaymentStore } from '../../../../src/features/billing/payments/store/store.ts'
import { createPaymentWorker } from '../../../../src/features/billing/payments/worker.ts'
import { paymentWorld } from '../../../../testkit/payments/world.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'

const now = 1_700_000_000_000
const silent = () => {}

describe.each(engines)('the queries of payments on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let payments: PaymentStore['payments']
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine))
    payments = createPaymentStore(store).payments
  })
  afterAll(() => remove())

  const customer = async () => (await createCustomer(createRig(store))).projectId
  let keys = 0
  async function begin(projectId: string, nextQueryAt: number, maxOpen = 100) {
    keys += 1
    const wanted = {
      ...{ projectId, amountFen: 100, method: 'simulated', display: 'qr' as const, clientAddress: null },
      ...{ idempotencyDigest: `key ${keys}`, at: now, expiresAt: now + 900_000, nextQueryAt },
    }
    return (await payments.insertOrFind(wanted, maxOpen))?.row.paymentId
  }
  const claim = async (limit: number, busy: string[] = []) => {
    const rows = await payments.claim({ by: 'own', now, until: now + 180_000, limit, busy })
    for (const { paymentId } of rows) await payments.release('own', paymentId, null, {})
    return rows
  }
  const drain = async () => {
    while ((await claim(16)).length > 0);
  }

  test('hinted payments come first, then projects in turn', async () => {
    const greedy = [await customer(), await customer(), await customer(), await customer()]
    for (const projectId of greedy) for (let one = 0; one < 6; one += 1) await begin(projectId, now - 60_000 + one)
    const patient = await customer()
    const due = await begin(patient, now)
    const hinted = (await begin(await customer(), now + 60_000))!
    expect(await payments.hint(hinted, 'simulated')).toBe(true)
    expect((await claim(1)).map(({ paymentId }) => paymentId)).toEqual([hinted])
    const next = await claim(5)
    expect(new Set(next.map(({ projectId }) => projectId))).toEqual(new Set([...greedy, patient]))
    expect(next.map(({ paymentId }) => paymentId)).toContain(due)
    expect((await claim(16, greedy.slice(1))).map(({ projectId }) => projectId)).toEqual(Array(4).fill(greedy[0]))
    await drain()
  })

  test('a project never takes all slots of a worker, even with hints', async () => {
    const [greedy, patient] = [await customer(), await customer()]
    for (let one = 0; one < 30; one += 1) await payments.hint((await begin(greedy, now))!, null)
    const asked: string[] = []
    const held = Promise.withResolvers<void>()
    const worker = createPaymentWorker({
      store: createPaymentStore(store),
      checkPayment: async ({ projectId }) => {
        asked.push(projectId)
        await held.promise
        return { kind: 'credited', isNew: false }
      },
      ...{ instanceId: 'own', clock: () => now },
      schedule: { expirySeconds: 900, queryAfterSeconds: [3], queryEverySeconds: 60 },
      observer: { credited: silent, changed: silent, paidTwice: silent, faulty: silent, storeFailed: silent },
    })
    worker.wake()
    await expect.poll(() => asked.length).toBe(4)
    const paid = (await begin(patient, now + 60_000))!
    await payments.hint(paid, 'simulated')
    worker.wake()
    await expect.poll(() => asked).toContain(patient)
    expect(asked).toEqual([...Array(4).fill(greedy), patient])
    held.resolve()
    await worker.idle()
    expect(asked).toHaveLength(31)
  })

  test('a project has at most so many open payments, also if they begin at once', async () => {
    const projectId = await customer()
    const begun = await Promise.all(Array.from({ length: 12 }, () => begin(projectId, now + 60_000, 5)))
    expect(begun.filter((paymentId) => paymentId !== undefined)).toHaveLength(5)
    await payments.cancel(projectId, begun.find((paymentId) => paymentId !== undefined)!, now + 60_000)
    expect(await begin(projectId, now + 60_000, 5)).toBeDefined()
    expect(await begin(await customer(), now + 60_000, 5)).toBeDefined()
  })

  test('a project that has never paid is asked about less often', async () => {
    const world = await paymentWorld(store, 8101)
    const { provider, clock } = world
    const { query } = provider
    let queries = 0
    Object.assign(provider, {
      query: (paymentId: string) => {
        queries += 1
        return query(paymentId)
      },
    })
    const queriesOf = async (isPaid: boolean) => {
      queries = 0
      const { paymentId } = await world.create(1000)
      for (let second = 0; second < 1000; second += 1) {
        clock.now += 1000
        if (await world.store.payments.hasDue(clock.now)) await world.work()
        if (isPaid && second === 5) provider.pay(paymentId, 1000)
      }
      return queries
    }
    // After 3 and 30 seconds and then every 4 minutes; twice at the end.
    expect(await queriesOf(false)).toBe(7)
    await queriesOf(true)
    expect(await world.available()).toBe(100)
    expect(await queriesOf(false)).toBe(19)
  })
})
