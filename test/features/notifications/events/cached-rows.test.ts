import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setLowBalance } from '../../../../src/features/notifications/events/store.ts'
import { engines, freshStore, openDatabase, type Store } from '../../../../testkit/store/engines.ts'
import {
  addCredits,
  admissionOf,
  type Customer,
  createCustomer,
  createRig,
  type Rig,
} from '../../../../testkit/store/rig.ts'

/** Two instances that each keep rows of the same project; on SQLite, which has one instance, they share its store. */
describe.each(engines)('events of two instances on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let others: Store
  let here: Rig
  let there: Rig
  let customer: Customer
  beforeAll(async () => {
    opened = await freshStore(engine)
    others = engine === 'sqlite' ? opened.store : await openDatabase(opened.database, { exclusive: false })
    here = createRig(opened.store)
    there = createRig(others)
  })
  afterAll(async () => {
    if (others !== opened.store) await others.close()
    await opened.remove()
  })
  beforeEach(async () => {
    customer = await createCustomer(here)
  })

  const call = async (rig: Rig, credits: number) => {
    const [result] = await rig.stores.batches.apply([admissionOf(rig, customer, { credits })])
    return result!.kind
  }
  const eventTypes = async () => {
    const events = await here.stores.events.list(customer.projectId, null, 100)
    return events.map(({ type }) => type).filter((type) => type !== 'order.credited' && type !== 'key.created')
  }

  it('a threshold that another instance has set counts from the next call on', async () => {
    await addCredits(here, customer.projectId, 1000)
    for (let i = 0; i < 3; i += 1) expect(await call(here, 1)).toBe('reserved')
    expect(await eventTypes()).toEqual([])
    await others.write((tx) => setLowBalance(tx, customer.projectId, 997))
    expect(await call(here, 1)).toBe('reserved')
    expect(await eventTypes()).toEqual(['credits.low'])
    await others.write((tx) => setLowBalance(tx, customer.projectId, null))
    await addCredits(there, customer.projectId, 10)
    for (let i = 0; i < 8; i += 1) expect(await call(here, 100)).toBe('reserved')
    expect(await call(here, 150)).toBe('reserved')
    expect(await eventTypes()).toEqual(['credits.low'])
  })

  it('a refusal that another instance has reported is not reported again', async () => {
    await addCredits(here, customer.projectId, 10)
    expect(await call(here, 1)).toBe('reserved')
    expect(await call(there, 20)).toBe('refused')
    for (const rig of [here, there, here]) {
      expect(await call(rig, 1)).toBe('reserved')
      expect(await call(rig, 20)).toBe('refused')
    }
    expect(await eventTypes()).toEqual(['credits.empty'])
    await addCredits(there, customer.projectId, 10)
    for (const rig of [here, there]) expect(await call(rig, 30)).toBe('refused')
    expect(await eventTypes()).toEqual(['credits.empty', 'credits.empty'])
  })

  it('a reached budget that another instance has reported is not reported again', async () => {
    await addCredits(here, customer.projectId, 1000)
    const { projectId, keyId } = customer
    await here.namedKeys.update(projectId, keyId, { budget: { credits: 10, per: 'total' } })
    expect(await call(here, 1)).toBe('reserved')
    expect(await call(there, 20)).toBe('refused')
    for (const rig of [here, there, here]) {
      expect(await call(rig, 1)).toBe('reserved')
      expect(await call(rig, 20)).toBe('refused')
    }
    expect(await eventTypes()).toEqual(['key.budget_reached'])
  })
})
