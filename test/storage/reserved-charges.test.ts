import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSortableId } from '../../src/base/ids.ts'
import { scopes } from '../../src/contract/prices.ts'
import type { Engine, Reader } from '../../src/storage/engine.ts'
import { createReservedReader } from '../../src/storage/postgres/reserved-charges.ts'
import { paymentWorld } from '../../testkit/payments/world.ts'
import { createTestAdministration } from '../../testkit/store/administration.ts'
import { ending } from '../../testkit/store/commands.ts'
import { freshStore, type Store } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, type Customer, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

const minuteMs = 60_000

/** How many ledger entries this connection has read; some of them in earlier transactions. */
async function entriesReadBy(tx: Reader): Promise<number> {
  const row = await tx.get<{ n: number }>(
    "SELECT COALESCE(idx_tup_fetch, 0)::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'ledger_entries'",
  )
  return row!.n
}

describe("recovery's search for reserved charges on PostgreSQL", () => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let store: Store
  let rig: Rig
  let busy: Customer
  let quiet: Customer
  let now = 1_700_000_000_000
  let counting: Pick<Engine, 'read'>
  /** Of ledger entries, by the last read of `counting`. */
  let entriesRead = 0
  let search: () => Promise<string[]>
  const owners = new Map<string, Customer>()

  beforeAll(async () => {
    fresh = await freshStore('postgres')
    store = fresh.store
    rig = createRig(store, { clock: () => now })
    ;[busy, quiet] = [await createCustomer(rig), await createCustomer(rig)]
    for (const { projectId } of [busy, quiet]) await addCredits(rig, projectId, 10_000)
    counting = {
      read: (work) =>
        store.read(async (tx) => {
          const before = await entriesReadBy(tx)
          const result = await work(tx)
          entriesRead = (await entriesReadBy(tx)) - before
          return result
        }),
    }
    const reserved = createReservedReader(counting, { clock: () => now })
    search = async () => (await reserved('', 500)).map(({ chargeId }) => chargeId)
  })
  afterAll(() => fresh.remove())

  async function reserve(customer: Customer): Promise<string> {
    now += 10
    const chargeId = newSortableId('chg', now)
    await rig.ledger.admit(admissionOf(rig, customer, { chargeId }))
    owners.set(chargeId, customer)
    return chargeId
  }
  const end = (chargeId: string, { projectId }: Customer, to: 'settled' | 'manual_review' = 'settled') =>
    rig.ledger.end(ending({ chargeId, projectId, to, at: now }))
  /** What following every ledger to its oldest open call finds. */
  const openCalls = async () =>
    (
      await store.read((tx) =>
        tx.all<{ id: string }>('SELECT charge_id AS id FROM reserved_charges ORDER BY charge_id'),
      )
    ).map(({ id }) => id)

  test("recovery's search for reserved charges on PostgreSQL finds calls of any age, also among charges in review", async () => {
    const old = [await reserve(busy), await reserve(quiet)]
    await end(await reserve(busy), busy, 'manual_review')
    now += 60 * minuteMs
    for (let i = 0; i < 50; i += 1) await end(await reserve(busy), busy)
    const recent = [await reserve(busy), await reserve(quiet)]
    expect(await search()).toEqual([...old, ...recent])
    expect(await openCalls()).toEqual([...old, ...recent])
    expect(entriesRead).toBeGreaterThan(50)
  })

  test("recovery's search for reserved charges on PostgreSQL follows no ledger to a call that it found before", async () => {
    for (let i = 0; i < 50; i += 1) await end(await reserve(busy), busy)
    expect(await search()).toEqual(await openCalls())
    // Only the charge in review.
    expect(entriesRead).toBeLessThan(5)
  })

  test("recovery's search for reserved charges on PostgreSQL follows no ledger while all open calls are recent", async () => {
    for (const chargeId of await openCalls()) await end(chargeId, owners.get(chargeId)!)
    expect(await openCalls()).toEqual([])
    const open = await reserve(busy)
    for (let i = 0; i < 50; i += 1) await end(await reserve(busy), busy)
    expect(await search()).toEqual([open])
    expect(entriesRead).toBeLessThan(5)
    now += 5 * minuteMs
    expect(await search()).toEqual([open])
    await end(open, busy)
  })

  test("the credits of an open refund lead neither recovery's search nor the view back to the first entry", async () => {
    const world = await paymentWorld(store, 7000)
    const { projectId, clock } = world
    const { paymentId } = await world.create(10_000)
    world.provider.pay(paymentId, 10_000)
    clock.now += 3000
    await world.work()
    const payer = { projectId, ...(await world.rig.keys.create(projectId, scopes)) }
    const call = async () => {
      const chargeId = newSortableId('chg', clock.now)
      await world.rig.ledger.admit(admissionOf(world.rig, payer, { chargeId }))
      return chargeId
    }
    for (let i = 0; i < 50; i += 1) await end(await call(), payer)
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: null, clock: () => clock.now })
    const refund = { paymentId, amountFen: 5000, reference: 'half', reason: 'asked for it' }
    await operate.refundPayment({ name: 'ada', via: 'web' }, refund)
    const open = await call()
    expect((await world.rig.stores.creditsOf(projectId)).reserved).toBeGreaterThan(500)
    expect(await search()).toEqual([open])
    expect(entriesRead).toBeLessThan(5)
    expect(await counting.read((tx) => tx.all('SELECT charge_id AS id FROM reserved_charges'))).toEqual([{ id: open }])
    expect(entriesRead).toBeLessThan(5)
  })
})
