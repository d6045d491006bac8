import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { StoreUnavailable } from '../../src/storage/engine.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import {
  addCredits,
  type Customer,
  chatCall,
  chatResult,
  createCustomer,
  createRig,
  createTestRelay,
  type Rig,
  testOperations,
} from '../../testkit/store/rig.ts'

describe.each(engines)('on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let customer: Customer
  beforeAll(async () => {
    opened = await freshStore(engine)
    rig = createRig(opened.store)
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 100)
  })
  afterAll(() => opened.remove())

  it('a charge that the store lost after admitting it is reported, and never answered as settled', async () => {
    const faults: string[] = []
    // Stands for a failover to a standby that was behind: the store knows nothing of the charge.
    const losing = { ...rig.ledger, end: async () => ({ kind: 'unknown' as const }) }
    const relay = createTestRelay(
      rig,
      testOperations(async () => chatResult('paid for')),
      { ledger: losing, onFault: (error) => faults.push((error as Error).name) },
    )
    const noted: (string | null)[] = []
    const call = {
      ...chatCall(customer, 'lost', 'prompt'),
      onCharge: (chargeId: string | null) => noted.push(chargeId),
    }
    await expect(relay.run(call)).rejects.toMatchObject({ name: 'ChargeLost' })
    // The response names the charge.
    expect(noted).toEqual([expect.stringMatching(/^chg_/)])
    expect(faults).toEqual(['ChargeLost'])
    // No retry can bring it back.
    expect(relay.underWay()).toBe(0)
  })

  it('a reservation that was committed although its call failed is released at once, so that the repeated call need not wait', async () => {
    const before = await rig.stores.creditsOf(customer.projectId)
    let isFirst = true
    const ledger: Rig['ledger'] = {
      ...rig.ledger,
      admit: async (command) => {
        const result = await rig.ledger.admit(command)
        if (!isFirst) return result
        isFirst = false
        throw new StoreUnavailable('the connection was cut', { mayHaveCommitted: true })
      },
    }
    const relay = createTestRelay(
      rig,
      testOperations(async () => chatResult('sent')),
      { ledger },
    )
    const call = chatCall(customer, 'doubtful', 'prompt')
    await expect(relay.run(call)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    // No recovery runs here.
    expect(await relay.run(call)).toMatchObject({ status: 200, isReplay: false })
    expect(relay.underWay()).toBe(0)
    expect(await rig.stores.creditsOf(customer.projectId)).toEqual({ ...before!, available: before!.available - 3 })
  })

  it('a call whose lease ran out while it was admitted is released and not forwarded', async () => {
    const before = await rig.stores.creditsOf(customer.projectId)
    let isHeld = true
    let forwarded = 0
    const ledger: Rig['ledger'] = {
      ...rig.ledger,
      admit: async (command) => {
        const result = await rig.ledger.admit(command)
        isHeld = false
        return result
      },
    }
    const relay = createTestRelay(
      rig,
      testOperations(async () => {
        forwarded += 1
        return chatResult('sent')
      }),
      { ledger, isLeaseHeld: () => isHeld },
    )
    const call = chatCall(customer, 'late', 'prompt')
    await expect(relay.run(call)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
    expect(forwarded).toBe(0)
    expect(await rig.stores.creditsOf(customer.projectId)).toEqual(before)
    isHeld = true
    // Its key is free again.
    const next = createTestRelay(
      rig,
      testOperations(async () => chatResult('now')),
    )
    expect(await next.run(call)).toMatchObject({ status: 200, isReplay: false })
    expect((await reconcile(opened.store)).differences).toEqual([])
  })
})
