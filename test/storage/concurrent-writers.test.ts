import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newSortableId } from '../../src/base/ids.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { CommandResult } from '../../src/ledger/commands.ts'
import { endCommand } from '../../src/relay/settle.ts'
import { engines, freshStore, openDatabase, type Store } from '../../testkit/store/engines.ts'
import {
  addCredits,
  admissionOf,
  type Customer,
  chatResult,
  createCustomer,
  createRig,
  type Rig,
} from '../../testkit/store/rig.ts'

/** An engine may cache rows between batches: what others write in between must still count. */
describe.each(engines)('the books with concurrent writers on %s', (engine) => {
  let rig: Rig
  let customer: Customer
  let otherStore: Store

  beforeAll(async () => {
    const opened = await freshStore(engine)
    rig = createRig(opened.store)
    otherStore = await openDatabase(opened.database, { exclusive: false })
    return async () => {
      await otherStore.close()
      await opened.remove()
    }
  })
  beforeEach(async () => {
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 9)
  })

  const admit = async (
    digest: string,
    { by = rig, max = 1000 } = {},
  ): Promise<{ chargeId: string; result: CommandResult }> => {
    const chargeId = newSortableId('chg', rig.clock())
    const limit = { max, windowMs: 1e9 }
    const command = admissionOf(rig, customer, { chargeId, idempotencyDigest: digest, limit })
    return { chargeId, result: (await by.stores.batches.apply([command]))[0]! }
  }
  const settle = async (target: Rig, chargeId: string): Promise<CommandResult> => {
    const priced = { operation: 'model.chat' as const, projectId: customer.projectId }
    const { command } = endCommand(priced, chargeId, chatResult('an answer') as never, rig.clock())
    return (await target.stores.batches.apply([command]))[0]!
  }

  it('a key that was revoked in another transaction admits nothing more', async () => {
    expect((await admit('1')).result).toEqual({ kind: 'reserved' })
    await rig.keys.revoke(customer.projectId, customer.keyId)
    expect((await admit('2')).result).toEqual({ kind: 'refused', code: 'UNAUTHORIZED' })
  })

  it('a key that another program revoked admits nothing more', async () => {
    expect((await admit('1')).result).toEqual({ kind: 'reserved' })
    await createRig(otherStore).keys.revoke(customer.projectId, customer.keyId)
    expect((await admit('2')).result).toEqual({ kind: 'refused', code: 'UNAUTHORIZED' })
  })

  it('credits that another program added can be spent', async () => {
    for (const digest of ['1', '2', '3']) expect((await admit(digest)).result).toEqual({ kind: 'reserved' })
    expect((await admit('4')).result).toMatchObject({ kind: 'refused', code: 'INSUFFICIENT_PAID_CREDITS' })
    await addCredits(createRig(otherStore), customer.projectId, 3)
    expect((await admit('4')).result).toEqual({ kind: 'reserved' })
  })

  it('credits that another program added are not lost by the next call', async () => {
    for (const digest of ['1', '2']) await admit(digest)
    await addCredits(createRig(otherStore), customer.projectId, 3)
    expect((await admit('3')).result).toEqual({ kind: 'reserved' })
    expect(await rig.stores.creditsOf(customer.projectId)).toMatchObject({ available: 3, reserved: 9 })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('a charge that another program released is not settled', async () => {
    const { chargeId } = await admit('1')
    const released = { type: 'end', chargeId, projectId: customer.projectId, from: 'reserved', to: 'released' } as const
    const nothing = { response: null, usage: null, reason: null, snapshots: [], decision: null, at: rig.clock() }
    await createRig(otherStore).stores.batches.apply([{ ...released, ...nothing }])
    expect(await settle(rig, chargeId)).toEqual({ kind: 'already', state: 'released', response: null })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('credits that another program spent are gone', async () => {
    for (const digest of ['1', '2']) expect((await admit(digest)).result).toEqual({ kind: 'reserved' })
    expect((await admit('3', { by: createRig(otherStore) })).result).toEqual({ kind: 'reserved' })
    expect((await admit('4')).result).toMatchObject({ kind: 'refused', code: 'INSUFFICIENT_PAID_CREDITS' })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('calls that another program counted, refused ones too, count against the limit', async () => {
    for (const digest of ['1', '2']) await admit(digest, { max: 3 })
    const faulty = {
      ...admissionOf(rig, customer, { limit: { max: 3, windowMs: 1e9 } }),
      fault: 'INVALID_PROMPT' as const,
    }
    await createRig(otherStore).stores.batches.apply([faulty])
    expect((await admit('3', { max: 3 })).result).toMatchObject({ kind: 'refused', code: 'RATE_LIMITED' })
  })

  it('an Idempotency-Key that another program used is replayed', async () => {
    await admit('1')
    const other = createRig(otherStore)
    const { chargeId } = await admit('2', { by: other })
    expect((await admit('2')).result).toEqual({ kind: 'under_way', chargeId })
    await settle(other, chargeId)
    expect((await admit('2')).result).toMatchObject({ kind: 'replay', response: { status: 200 } })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('entries form one chain, from any number of writers', async () => {
    const other = createRig(otherStore)
    const reserved: string[] = []
    for (const [place, by] of [rig, other, rig].entries()) reserved.push((await admit(`${place}`, { by })).chargeId)
    for (const [place, by] of [other, rig, other].entries()) {
      expect(await settle(by, reserved[place]!)).toEqual({ kind: 'ended' })
    }
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('a charge that another program ended is not ended again', async () => {
    const { chargeId } = await admit('1')
    expect(await settle(createRig(otherStore), chargeId)).toEqual({ kind: 'ended' })
    expect(await settle(rig, chargeId)).toMatchObject({ kind: 'already', state: 'settled' })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })

  it('nothing that a failed batch decided is remembered', async () => {
    const first = admissionOf(rig, customer, { idempotencyDigest: '1' })
    const sameCharge = { ...admissionOf(rig, customer, { idempotencyDigest: '2' }), chargeId: first.chargeId }
    await expect(rig.stores.batches.apply([first, sameCharge])).rejects.toThrow()
    // All nine credits and the Idempotency-Key are still there.
    for (const digest of ['1', '2', '3']) expect((await admit(digest)).result).toEqual({ kind: 'reserved' })
    expect((await admit('4')).result).toMatchObject({ kind: 'refused', code: 'INSUFFICIENT_PAID_CREDITS' })
    expect((await reconcile(rig.engine)).differences).toEqual([])
  })
})
