import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createHashQueue, type HashTurn } from '../../../../src/features/identity/accounts/passwords.ts'

const isFull = { code: 'RATE_LIMITED', retryAfterSeconds: 1 }
const nothing = async () => {}

describe('the places of the hash queue', () => {
  it('the places of the hash queue refuse work that waited too long, before it begins, while all are reserved or taken', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 2, slotWaitMs: 1 })
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const begin = async () => {
      begun += 1
    }
    const kept = queue.withHashSlot(() => gate.promise)
    const hashing = [queue.enqueue(() => gate.promise), queue.enqueue(() => gate.promise)]
    await expect(queue.withHashSlot(begin)).rejects.toMatchObject(isFull)
    expect(begun).toBe(0)

    gate.resolve()
    await Promise.all([kept, ...hashing])
    await queue.withHashSlot(begin)
    expect(begun).toBe(1)
  })

  it('the places of the hash queue go to those who wait, in their order, as soon as they are free', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 2, slotWaitMs: 60_000 })
    const [kept, hashed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const order: string[] = []
    const first = Promise.all([queue.withHashSlot(() => kept.promise), queue.withHashSlot(() => kept.promise)])
    const waiting = ['third', 'fourth'].map((name) => queue.withHashSlot(async () => void order.push(name)))
    const hashing = first.then(() => [1, 2, 3].map(() => queue.enqueue(() => hashed.promise)))
    kept.resolve()
    const running = await hashing
    await setImmediate()
    // Those who kept the places went on to hash, and so have them still.
    expect(order).toEqual([])
    hashed.resolve()
    await Promise.all([...running, ...waiting])
    expect(order).toEqual(['third', 'fourth'])
  })

  it('the places of the hash queue have a bounded number of requests waiting for them', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, slotWaitMs: 60_000 })
    const gate = Promise.withResolvers<void>()
    const served = [queue.withHashSlot(() => gate.promise), ...[1, 2, 3, 4].map(() => queue.withHashSlot(nothing))]
    await expect(queue.withHashSlot(nothing)).rejects.toMatchObject(isFull)
    gate.resolve()
    await Promise.all(served)
  })

  it('the places of the hash queue are free again after work that failed', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, slotWaitMs: 60_000 })
    await expect(queue.withHashSlot(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    await queue.withHashSlot(nothing)
  })
})

describe('the turns of the hash queue', () => {
  /** A queue with one thread, whose hashes end one by one. Names the requesters in the order of their hashes. */
  function busyQueue() {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 256, slotWaitMs: 1 })
    const hashed: string[] = []
    const done: Promise<void>[] = []
    const first = Promise.withResolvers<void>()
    done.push(queue.enqueue(() => first.promise, { rank: 'operator', requester: 'running' }))
    return {
      queue,
      ask(rank: HashTurn['rank'], requester: string, count = 1) {
        for (let i = 0; i < count; i += 1)
          done.push(queue.enqueue(async () => void hashed.push(requester), { rank, requester }))
      },
      async turns() {
        first.resolve()
        await Promise.all(done)
        return hashed
      },
    }
  }

  it('the turns of the hash queue give another requester the second turn, behind 32 sign-ins of a stranger', async () => {
    const { ask, turns } = busyQueue()
    ask('operator', 'stranger', 32)
    ask('operator', 'owner')
    expect((await turns()).indexOf('owner')).toBe(1)
  })

  it('the turns of the hash queue give a known operator the first one, behind strangers at any number of addresses', async () => {
    const { ask, turns } = busyQueue()
    for (let i = 0; i < 200; i += 1) ask(i % 2 === 0 ? 'operator' : 'payer', `stranger ${i}`)
    ask('known operator', 'owner')
    expect((await turns()).indexOf('owner')).toBe(0)
  })

  it('the turns of the hash queue alternate between operators and payers, so that neither waits for a flood of the other', async () => {
    for (const [flood, one] of [
      ['payer', 'operator'],
      ['operator', 'payer'],
    ] as const) {
      const { ask, turns } = busyQueue()
      for (let i = 0; i < 200; i += 1) ask(flood, `stranger ${i}`)
      ask(one, 'owner')
      expect((await turns()).indexOf('owner')).toBeLessThan(2)
    }
  })

  it('the turns of the hash queue are never more than the threads are many, and one that failed passes its turn on', async () => {
    const queue = createHashQueue({ maxRunning: 2, maxQueued: 256, slotWaitMs: 1 })
    let running = 0
    let most = 0
    const hash = (fails: boolean) =>
      queue.enqueue(async () => {
        most = Math.max(most, ++running)
        await setImmediate()
        running -= 1
        if (fails) throw new Error('failed')
      })
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => hash(i % 3 === 0)))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7)
    expect(most).toBe(2)
  })

  it('the turns of the hash queue are bounded by rank: a full queue of payers refuses no operator', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, slotWaitMs: 1 })
    const gate = Promise.withResolvers<void>()
    const waiting = [queue.enqueue(() => gate.promise), queue.enqueue(nothing)]
    await expect(queue.enqueue(nothing)).rejects.toMatchObject(isFull)
    for (const rank of ['operator', 'known operator'] as const) {
      waiting.push(queue.enqueue(nothing, { rank, requester: 'owner' }))
      await expect(queue.enqueue(nothing, { rank, requester: 'owner' })).rejects.toMatchObject(isFull)
    }
    gate.resolve()
    await Promise.all(waiting)
  })
})
