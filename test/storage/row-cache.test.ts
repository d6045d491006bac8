import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newSortableId } from '../../src/base/ids.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { Admit, Command } from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { endCommand } from '../../src/relay/settle.ts'
import { emptyBatchState } from '../../src/storage/batch/rows.ts'
import { PipelinedTransaction } from '../../src/storage/postgres/pipelined-transaction.ts'
import { RowCache } from '../../src/storage/postgres/row-cache.ts'
import { admission, keyState } from '../../testkit/store/commands.ts'
import { freshStore, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, chatResult, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'
import { Random } from '../../testkit/storms/random.ts'

let count = 0
const call = (projectId = 'prj'): Admit => {
  count += 1
  return admission({
    chargeId: `chg_${count}`,
    projectId,
    keyId: `key of ${projectId}`,
    idempotencyDigest: `${count}`,
    at: 5,
  })
}

describe('the row cache', () => {
  let cache: RowCache
  beforeEach(() => {
    cache = new RowCache()
  })

  /** As a batch that loaded these rows would leave them. */
  function cacheRows(projectId: string, { lastEntryId = 10, entryIds = 1000 } = {}): void {
    const state = emptyBatchState(lastEntryId)
    const sums = { available: 90, reserved: 0, settled: 0, credited: 90 }
    const marks = { lowBalanceCredits: null, emptyAt: null }
    state.balances.set(projectId, { projectId, ...sums, ...marks, entries: 1, lastEntryId: 1 })
    state.keys.set(`key of ${projectId}`, keyState({ keyId: `key of ${projectId}`, projectId }))
    cache.store(state, decide(state, [call(projectId)]).changes, entryIds)
  }
  const isServed = (...commands: Command[]) => cache.optimistic(commands) !== null

  it('the row cache serves a batch only when all of its rows are cached', () => {
    expect(isServed(call())).toBe(false)
    cacheRows('prj')
    cacheRows('prj 2')
    expect(isServed(call(), call())).toBe(true)
    expect(isServed(call(), call('prj 2'))).toBe(true)
    cacheRows('prj')
    expect(isServed(call(), call('somebody else'))).toBe(false)
    expect(isServed({ ...call(), keyId: 'another key' })).toBe(false)
    expect(isServed({ type: 'credit', orderId: 'ord', projectId: 'prj', lotId: 'lot', at: 5 })).toBe(false)
  })

  it('the row cache is not changed by the decisions of an optimistic batch', () => {
    cacheRows('prj')
    const command = call()
    const batch = cache.optimistic([command])!
    decide(batch.state, [command])
    expect(batch.state.balances.get('prj')).toMatchObject({ available: 84, entries: 3 })
    expect(batch.expected.balances.get('prj')).toMatchObject({ available: 87, entries: 2 })
    expect(batch.expected.keys.get('key of prj')).toMatchObject({ calls: 1, windowUsed: 1 })
  })

  it('the row cache does not serve a project while another batch of it is under way', async () => {
    cacheRows('prj')
    const { promise, resolve } = Promise.withResolvers<void>()
    const batches = [cache.during([call(), call()], () => promise), cache.during([call()], async () => {})]
    await batches[1]
    expect(isServed(call())).toBe(false)
    resolve()
    await batches[0]
    expect(isServed(call())).toBe(true)
  })

  it('the row cache gives a project no entry ids from before its last entry', () => {
    cacheRows('prj', { lastEntryId: 5000, entryIds: 4000 })
    expect(isServed(call())).toBe(false)
    cacheRows('prj 2', { entryIds: 6000 })
    expect(cache.optimistic([call()])?.state.nextEntryId).toBe(6000)
    // 4000 still serves another project; then no ids are left.
    expect(cache.optimistic([call('prj 2')])?.state.nextEntryId).toBe(4000)
    expect(isServed(call('prj 2'))).toBe(false)
  })

  it('the row cache pauses for longer after each failure, and recovers after enough successes in a row', () => {
    const pausedBatches = () => {
      let batches = 0
      for (cacheRows('prj'); !isServed(call()); batches += 1) cacheRows('prj')
      return batches
    }
    const pauses: number[] = []
    for (let time = 0; time < 10; time += 1) {
      cache.failed()
      pauses.push(pausedBatches())
    }
    expect(pauses).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 256, 256])
    for (let time = 0; time < 15; time += 1) cache.succeeded()
    cache.failed()
    expect(pausedBatches()).toBe(256)
    for (let time = 0; time < 16; time += 1) cache.succeeded()
    cache.failed()
    expect(pausedBatches()).toBe(1)
  })

  it('the row cache is bounded', () => {
    for (let project = 0; project < 25_000; project += 1) cacheRows(`prj ${project}`)
    expect(isServed(call('prj 24999'))).toBe(true)
    cacheRows('prj')
    expect(isServed(call('prj 1'))).toBe(false)
  })
})

it('a call whose rows are cached is reserved and settled in one round trip each; a replay loads its rows first', async () => {
  const { store, remove } = await freshStore('postgres')
  onTestFinished(remove)
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  const loads = vi.spyOn(PipelinedTransaction.prototype, 'send')
  onTestFinished(() => loads.mockRestore())
  const { batches } = rig.stores
  const run = async (digest: string) => {
    const chargeId = newSortableId('chg', rig.clock())
    const [admitted] = await batches.apply([admissionOf(rig, customer, { chargeId, idempotencyDigest: digest })])
    if (admitted!.kind !== 'reserved') return admitted!.kind
    const priced = { operation: 'model.chat' as const, projectId: customer.projectId }
    const { command } = endCommand(priced, chargeId, chatResult('an answer') as never, rig.clock())
    return (await batches.apply([command]))[0]!.kind
  }
  expect(await run('1')).toBe('ended')
  expect(loads).toHaveBeenCalledTimes(1)
  for (const digest of ['2', '3', '4']) expect(await run(digest)).toBe('ended')
  expect(loads).toHaveBeenCalledTimes(1)
  expect(await run('3')).toBe('replay')
  expect(loads).toHaveBeenCalledTimes(2)
})

it('a charge that another gateway has ended is not ended again, although its project was loaded since', async () => {
  const { store, database, remove } = await freshStore('postgres')
  onTestFinished(remove)
  const otherStore = await openDatabase(database, { exclusive: false })
  onTestFinished(() => otherStore.close())
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  const { batches } = rig.stores
  const reserve = async (digest: string) => {
    const chargeId = newSortableId('chg', rig.clock())
    const [admitted] = await batches.apply([admissionOf(rig, customer, { chargeId, idempotencyDigest: digest })])
    expect(admitted!.kind).toBe('reserved')
    return chargeId
  }
  const chargeId = await reserve('1')
  const command: Command = {
    ...{ type: 'end', chargeId, projectId: customer.projectId, from: 'reserved', to: 'released' },
    ...{ response: null, usage: null, reason: 'PROVIDER_UNAVAILABLE', snapshots: [], decision: null, at: rig.clock() },
  }
  expect((await createRig(otherStore).stores.batches.apply([command]))[0]!.kind).toBe('ended')
  // The first finds the cached balance stale, the second is loaded because of it: then the cache is in use again.
  for (const digest of ['2', '3']) await reserve(digest)
  expect((await batches.apply([command]))[0]!.kind).toBe('already')
  expect((await reconcile(store)).differences).toEqual([])
})

it('batches of two gateways that meet in many projects, in any order, never deadlock', async () => {
  const { store, database, remove } = await freshStore('postgres')
  onTestFinished(remove)
  const otherStore = await openDatabase(database, { exclusive: false })
  onTestFinished(() => otherStore.close())
  const rigs = [createRig(store), createRig(otherStore)]
  const customers = await Promise.all(Array.from({ length: 24 }, () => createCustomer(rigs[0]!)))
  for (const { projectId } of customers) await addCredits(rigs[0]!, projectId, 10_000)
  const random = new Random(7)
  let calls = 0
  const play = async (rig: Rig) => {
    for (let round = 0; round < 60; round += 1) {
      const chosen = customers.toSorted(() => random.next() - 0.5).slice(0, 12)
      await rig.stores.batches.apply(
        chosen.map((customer) => {
          calls += 1
          const chargeId = newSortableId('chg', rig.clock())
          return admissionOf(rig, customer, { chargeId, idempotencyDigest: `${calls}` })
        }),
      )
    }
  }
  await Promise.all([...rigs, ...rigs].map(play))
  const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'
  expect(await store.read((tx) => tx.get(deadlocks))).toEqual({ deadlocks: 0 })
  expect((await reconcile(store)).differences).toEqual([])
})
