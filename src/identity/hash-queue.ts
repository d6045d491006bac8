import { Refusal } from '../contract/errors.ts'
import { lowerPoolPriority } from './hash-priority.ts'

export interface HashQueueOptions {
  readonly maxRunning: number
  readonly maxQueued: number
  /** How long a request waits for a place. */
  readonly placeWaitMs: number
}

/** Requests that wait for a place, for each place there is. A refusal at once costs more: the client tries again at once. */
const waitersPerPlace = 4

/** Work that waits for a thread, and requests that wait for a place among it; both are bounded. */
export function createHashQueue({ maxRunning, maxQueued, placeWaitMs }: HashQueueOptions) {
  const waiting: (() => void)[] = []
  const withoutPlace = new Set<() => void>()
  let running = 0
  let kept = 0
  let isLowered = false

  const isFull = () => waiting.length + kept >= maxQueued

  /** Whoever waits slows down a client that tries again at once, and may still get a place. */
  async function takePlace(): Promise<void> {
    if (!isFull()) {
      kept += 1
      return
    }
    if (withoutPlace.size >= maxQueued * waitersPerPlace) throw refusal()
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        withoutPlace.delete(take)
        reject(refusal())
      }, placeWaitMs)
      const take = () => {
        clearTimeout(timer)
        kept += 1
        resolve()
      }
      withoutPlace.add(take)
    })
  }

  function giveFreePlaces(): void {
    for (const take of withoutPlace) {
      if (isFull()) return
      withoutPlace.delete(take)
      take()
    }
  }

  async function withPlace<T>(work: () => Promise<T>): Promise<T> {
    await takePlace()
    try {
      return await work()
    } finally {
      kept -= 1
      // After whoever goes on to hash has taken the place.
      setImmediate(giveFreePlaces)
    }
  }

  async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (running >= maxRunning) {
      if (waiting.length >= maxQueued) throw refusal()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    running += 1
    try {
      const result = work()
      // The first work starts the threads of the pool.
      if (!isLowered) lowerPoolPriority()
      isLowered = true
      return await result
    } finally {
      running -= 1
      waiting.shift()?.()
      giveFreePlaces()
    }
  }
  return { enqueue, withPlace }
}

const refusal = () => new Refusal('RATE_LIMITED', { retryAfterSeconds: 1 })
