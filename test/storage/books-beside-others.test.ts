import { beforeEach, describe, expect, it } from 'vitest'
import { newSortableId } from '../../src/contract/ids.ts'
import type { Result } from '../../src/ledger/commands.ts'
import { reconcile } from '../../src/operator/reconcile.ts'
import { ending } from '../../src/relay/settle.ts'
import { engines, freshStore, openDatabase, type Store } from '../support/engines.ts'
import {
  addCredits,
  admissionOf,
  type Customer,
  chatResult,
  createCustomer,
  createRig,
  type Rig,
} from '../support/rig.ts'

/** An engine may remember rows between batches: what others write in between must count all the same. */
describe.each(engines)('the books beside other writers on %s', (engine) => {
  let rig: Rig
  let customer: Customer
  let beside: Store

  beforeEach(async () => {
    const opened = await freshStore(engine)
    rig = createRig(opened.store)
    beside = await openDatabase(opened.database, { exclusive: false })
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 9)
    return async () => {
      await beside.close()
      await opened.remove()
    }
  })

  const admit = async (digest: string): Promise<{ chargeId: string; result: Result }> => {
    const chargeId = newSortableId('chg', rig.clock())
    const [result] = await rig.stores.books.apply([admissionOf(rig, customer, { chargeId, idempotencyDigest: digest })])
    return { chargeId, result: result! }
  }
  const settle = async (target: Rig, chargeId: string): Promise<Result> => {
    const priced = { operation: 'model.chat' as const, projectId: customer.projectId }
    const { command } = ending(priced, chargeId, chatResult('an answer') as never, rig.clock())
    return (await target.stores.books.apply([command]))[0]!
  }

  it('a key that was revoked in another transaction admits nothing more', async () => {
    expect((await admit('1')).result).toEqual({ kind: 'reserved' })
    await rig.keys.revoke(customer.projectId, customer.keyId)
    expect((await admit('2')).result).toEqual({ kind: 'refused', code: 'UNAUTHORIZED' })
  })

  it('a key that another program revoked admits nothing more', async () => {
    expect((await admit('1')).result).toEqual({ kind: 'reserved' })
    await createRig(beside).keys.revoke(customer.projectId, customer.keyId)
    expect((await admit('2')).result).toEqual({ kind: 'refused', code: 'UNAUTHORIZED' })
  })

  it('credits that another program added can be spent', async () => {
    for (const digest of ['1', '2', '3']) expect((await admit(digest)).result).toEqual({ kind: 'reserved' })
    expect((await admit('4')).result).toEqual({ kind: 'refused', code: 'INSUFFICIENT_PAID_CREDITS' })
    await addCredits(createRig(beside), customer.projectId, 3)
    expect((await admit('4')).result).toEqual({ kind: 'reserved' })
  })

  it('a charge that another program ended is not ended again', async () => {
    const { chargeId } = await admit('1')
    expect(await settle(createRig(beside), chargeId)).toEqual({ kind: 'ended' })
    expect(await settle(rig, chargeId)).toMatchObject({ kind: 'already', state: 'settled' })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('what a refused batch had already decided is forgotten', async () => {
    const first = admissionOf(rig, customer, { idempotencyDigest: '1' })
    const sameCharge = { ...admissionOf(rig, customer, { idempotencyDigest: '2' }), chargeId: first.chargeId }
    await expect(rig.stores.books.apply([first, sameCharge])).rejects.toThrow()
    // All nine credits and the Idempotency-Key are still there.
    for (const digest of ['1', '2', '3']) expect((await admit(digest)).result).toEqual({ kind: 'reserved' })
    expect((await admit('4')).result).toEqual({ kind: 'refused', code: 'INSUFFICIENT_PAID_CREDITS' })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })
})
