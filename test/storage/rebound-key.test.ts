import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { End } from '../../src/ledger/commands.ts'
import { ending, settledResponse } from '../../testkit/store/commands.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, type Customer, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

describe.each(engines)('a key that is freed and bound again within one batch on %s', (engine) => {
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

  const admission = (idempotencyDigest: string) => admissionOf(rig, customer, { idempotencyDigest })
  const endOf = (chargeId: string, to: 'released' | 'settled'): End =>
    ending({
      chargeId,
      projectId: customer.projectId,
      to,
      response: to === 'settled' ? settledResponse : null,
      at: rig.clock(),
    })

  it('a key that is freed and bound again within one batch belongs to the later call, and no other call of the batch is affected', async () => {
    const [refused, bystander] = [admission('key 1'), admission('key 2')]
    expect(await rig.stores.batches.apply([refused, bystander])).toEqual([{ kind: 'reserved' }, { kind: 'reserved' }])
    const again = admission('key 1')
    expect(
      await rig.stores.batches.apply([
        endOf(refused.chargeId, 'released'),
        again,
        endOf(bystander.chargeId, 'settled'),
        admission('key 3'),
      ]),
    ).toEqual([{ kind: 'ended' }, { kind: 'reserved' }, { kind: 'ended' }, { kind: 'reserved' }])
    expect(await rig.stores.batches.apply([admission('key 1')])).toEqual([
      { kind: 'under_way', chargeId: again.chargeId },
    ])
    expect(await reconcile(opened.store)).toMatchObject({ isSound: true, differences: [] })
  })

  it('a charge may end in the batch that reserved it', async () => {
    const charge = admission('key 4')
    expect(await rig.stores.batches.apply([charge, endOf(charge.chargeId, 'settled')])).toEqual([
      { kind: 'reserved' },
      { kind: 'ended' },
    ])
    expect(await rig.stores.charges.find(charge.chargeId)).toMatchObject({ state: 'settled' })
    expect(await reconcile(opened.store)).toMatchObject({ isSound: true, differences: [] })
  })
})
