import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newSortableId } from '../../src/contract/ids.ts'
import type { Admit, Command } from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { reconcile } from '../../src/operator/reconcile.ts'
import { ending } from '../../src/relay/settle.ts'
import { emptyBooks } from '../../src/storage/book-rows.ts'
import { Flights } from '../../src/storage/postgres/flights.ts'
import { KeptBooks } from '../../src/storage/postgres/kept-books.ts'
import { freshStore, openDatabase } from '../support/engines.ts'
import { Random } from '../support/random.ts'
import { addCredits, admissionOf, chatResult, createCustomer, createRig, type Rig } from '../support/rig.ts'

let count = 0
const call = (projectId = 'prj'): Admit => {
  count += 1
  return {
    ...{ type: 'admit', chargeId: `chg_${count}`, projectId, keyId: `key of ${projectId}`, scope: 'models:invoke' },
    ...{ limit: { max: 100, windowMs: 1000 }, fault: null, operation: 'model.chat', credits: 3, pricingVersion: 'v1' },
    ...{ leavesProcess: true, idempotencyDigest: `${count}`, fingerprint: 'f', isolationVersion: 1 },
    ...{ instanceId: 'ins', requestId: 'req', at: 5 },
  }
}

describe('what a gateway remembers of its books', () => {
  let kept: KeptBooks
  beforeEach(() => {
    kept = new KeptBooks()
  })

  /** As a batch that loaded these rows would leave them. */
  function remember(projectId: string, { lastEntryId = 10, entryIds = 1000 } = {}): void {
    const books = emptyBooks(lastEntryId)
    const sums = { available: 90, reserved: 0, settled: 0, credited: 90 }
    books.balances.set(projectId, { projectId, ...sums, entries: 1, lastEntryId: 1 })
    const key = { keyId: `key of ${projectId}`, projectId, scopes: ['models:invoke'], revokedAt: null, expiresAt: null }
    books.keys.set(key.keyId, { ...key, windowEndsAt: 0, windowUsed: 0, calls: 0, lastUsedAt: null })
    kept.keep(books, decide(books, [call(projectId)]).changes, entryIds)
  }
  const isKnown = (...commands: Command[]) => kept.guess(commands) !== null

  it('is a guess only when all of it is there', () => {
    expect(isKnown(call())).toBe(false)
    remember('prj')
    remember('prj 2')
    expect(isKnown(call(), call())).toBe(true)
    expect(isKnown(call(), call('prj 2'))).toBe(true)
    remember('prj')
    expect(isKnown(call(), call('somebody else'))).toBe(false)
    expect(isKnown({ ...call(), keyId: 'another key' })).toBe(false)
    expect(isKnown({ type: 'credit', orderId: 'ord', projectId: 'prj', lotId: 'lot', at: 5 })).toBe(false)
  })

  it('is not what the rules changed in a guess', () => {
    remember('prj')
    const command = call()
    const guess = kept.guess([command])!
    decide(guess.books, [command])
    expect(guess.books.balances.get('prj')).toMatchObject({ available: 84, entries: 3 })
    expect(guess.balances.get('prj')).toMatchObject({ available: 87, entries: 2 })
    expect(guess.keys.get('key of prj')).toMatchObject({ calls: 1, windowUsed: 1 })
  })

  it('is no guess for a project in whose books a batch is under way', async () => {
    remember('prj')
    const { promise, resolve } = Promise.withResolvers<void>()
    const batches = [kept.during([call(), call()], () => promise), kept.during([call()], async () => {})]
    await batches[1]
    expect(isKnown(call())).toBe(false)
    resolve()
    await batches[0]
    expect(isKnown(call())).toBe(true)
  })

  it('gives a project no ids from before its last entry', () => {
    remember('prj', { lastEntryId: 5000, entryIds: 4000 })
    expect(isKnown(call())).toBe(false)
    remember('prj 2', { entryIds: 6000 })
    expect(kept.guess([call()])?.books.nextEntryId).toBe(6000)
    // 4000 is still good for another project, and then there are none left.
    expect(kept.guess([call('prj 2')])?.books.nextEntryId).toBe(4000)
    expect(isKnown(call('prj 2'))).toBe(false)
  })

  it('is left alone for longer and longer when it was wrong, and trusted again once it was right for a while', () => {
    const refusals = () => {
      let batches = 0
      for (remember('prj'); !isKnown(call()); batches += 1) remember('prj')
      return batches
    }
    const pauses: number[] = []
    for (let time = 0; time < 10; time += 1) {
      kept.wasWrong()
      pauses.push(refusals())
    }
    expect(pauses).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 256, 256])
    for (let time = 0; time < 15; time += 1) kept.wasRight()
    kept.wasWrong()
    expect(refusals()).toBe(256)
    for (let time = 0; time < 16; time += 1) kept.wasRight()
    kept.wasWrong()
    expect(refusals()).toBe(1)
  })

  it('does not grow for ever', () => {
    for (let project = 0; project < 25_000; project += 1) remember(`prj ${project}`)
    expect(isKnown(call('prj 24999'))).toBe(true)
    remember('prj')
    expect(isKnown(call('prj 1'))).toBe(false)
  })
})

it('a call whose rows are remembered is reserved and settled in one flight each; a replay takes two more', async () => {
  const { store, remove } = await freshStore('postgres')
  onTestFinished(remove)
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  const flights = vi.spyOn(Flights.prototype, 'fly')
  onTestFinished(() => flights.mockRestore())
  const { books } = rig.stores
  const run = async (digest: string) => {
    const chargeId = newSortableId('chg', rig.clock())
    const [admitted] = await books.apply([admissionOf(rig, customer, { chargeId, idempotencyDigest: digest })])
    if (admitted!.kind !== 'reserved') return admitted!.kind
    const priced = { operation: 'model.chat' as const, projectId: customer.projectId }
    const { command } = ending(priced, chargeId, chatResult('an answer') as never, rig.clock())
    return (await books.apply([command]))[0]!.kind
  }
  expect(await run('1')).toBe('ended')
  expect(flights).toHaveBeenCalledTimes(1)
  for (const digest of ['2', '3', '4']) expect(await run(digest)).toBe('ended')
  expect(flights).toHaveBeenCalledTimes(1)
  expect(await run('3')).toBe('replay')
  expect(flights).toHaveBeenCalledTimes(2)
})

it('batches of two gateways that meet in many projects, in any order, never wait for each other in a circle', async () => {
  const { store, database, remove } = await freshStore('postgres')
  onTestFinished(remove)
  const beside = await openDatabase(database, { exclusive: false })
  onTestFinished(() => beside.close())
  const rigs = [createRig(store), createRig(beside)]
  const customers = await Promise.all(Array.from({ length: 24 }, () => createCustomer(rigs[0]!)))
  for (const { projectId } of customers) await addCredits(rigs[0]!, projectId, 10_000)
  const random = new Random(7)
  let calls = 0
  const play = async (rig: Rig) => {
    for (let round = 0; round < 60; round += 1) {
      const chosen = customers.toSorted(() => random.next() - 0.5).slice(0, 12)
      await rig.stores.books.apply(
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
