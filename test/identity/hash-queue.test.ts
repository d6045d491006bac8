import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createHashQueue } from '../../src/identity/hash-queue.ts'

const isFull = { code: 'RATE_LIMITED', retryAfterSeconds: 1 }
const nothing = async () => {}

describe('the places of the hash queue', () => {
  it('refuse work that waited in vain, before it begins, while all are kept or taken', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 2, placeWaitMs: 1 })
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const begin = async () => {
      begun += 1
    }
    const kept = queue.withPlace(() => gate.promise)
    const hashing = [queue.enqueue(() => gate.promise), queue.enqueue(() => gate.promise)]
    await expect(queue.withPlace(begin)).rejects.toMatchObject(isFull)
    expect(begun).toBe(0)

    gate.resolve()
    await Promise.all([kept, ...hashing])
    await queue.withPlace(begin)
    expect(begun).toBe(1)
  })

  it('go to those who wait, in their order, as soon as they are free', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 2, placeWaitMs: 60_000 })
    const [kept, hashed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const order: string[] = []
    const first = Promise.all([queue.withPlace(() => kept.promise), queue.withPlace(() => kept.promise)])
    const waiting = ['third', 'fourth'].map((name) => queue.withPlace(async () => void order.push(name)))
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

  it('have a bounded number of requests waiting for them', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, placeWaitMs: 60_000 })
    const gate = Promise.withResolvers<void>()
    const served = [queue.withPlace(() => gate.promise), ...[1, 2, 3, 4].map(() => queue.withPlace(nothing))]
    await expect(queue.withPlace(nothing)).rejects.toMatchObject(isFull)
    gate.resolve()
    await Promise.all(served)
  })

  it('are free again after work that failed', async () => {
    const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, placeWaitMs: 60_000 })
    await expect(queue.withPlace(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    await queue.withPlace(nothing)
  })
})
