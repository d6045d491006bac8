import { Refusal } from '../contract/errors.ts'
import { lowerPoolPriority } from './hash-priority.ts'

/** Whose password it is. Never decided by the name that was typed: how long a sign-in waits must not tell whether the name exists. */
export interface HashTurn {
  /** Known operators go first: those with a session, or at a requester where one signed in lately. The others alternate with payers. */
  readonly rank: 'known operator' | 'operator' | 'payer'
  /** Requesters of a rank take turns. */
  readonly requester: string
}

export interface HashQueueOptions {
  readonly maxRunning: number
  /** For each rank. */
  readonly maxQueued: number
  /** How long a request waits for a place. */
  readonly placeWaitMs: number
}

/** Requests that wait for a place, for each place there is. A refusal at once costs more: the client tries again at once. */
const waitersPerPlace = 4

/** Work that waits for a thread, and requests that wait for a place among it; both are bounded. */
export function createHashQueue({ maxRunning, maxQueued, placeWaitMs }: HashQueueOptions) {
  const waiting = { 'known operator': new WaitingHashes(), operator: new WaitingHashes(), payer: new WaitingHashes() }
  let isPayersTurn = false
  const withoutPlace = new Set<() => void>()
  let running = 0
  let kept = 0
  let isLowered = false

  const isFull = () => waiting.payer.length + kept >= maxQueued

  function takeNext(): (() => void) | undefined {
    const { payer, operator } = waiting
    isPayersTurn = !isPayersTurn
    const [first, second] = isPayersTurn ? [payer, operator] : [operator, payer]
    return waiting['known operator'].take() ?? first.take() ?? second.take()
  }

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

  async function enqueue<T>(work: () => Promise<T>, { rank, requester }: HashTurn = somePayer): Promise<T> {
    if (running < maxRunning) running += 1
    else {
      if (waiting[rank].length >= maxQueued) throw refusal()
      await new Promise<void>((resolve) => waiting[rank].add(requester, resolve))
    }
    try {
      const result = work()
      // The first work starts the threads of the pool.
      if (!isLowered) lowerPoolPriority()
      isLowered = true
      return await result
    } finally {
      const next = takeNext()
      // The next one takes over the thread, so that nobody comes between.
      if (next === undefined) running -= 1
      else next()
      giveFreePlaces()
    }
  }
  return { enqueue, withPlace }
}

const somePayer: HashTurn = { rank: 'payer', requester: '' }

/** Work that waits; requesters take turns, however much each of them has waiting. */
class WaitingHashes {
  readonly #byRequester = new Map<string, (() => void)[]>()
  length = 0

  add(requester: string, start: () => void): void {
    const own = this.#byRequester.get(requester)
    if (own === undefined) this.#byRequester.set(requester, [start])
    else own.push(start)
    this.length += 1
  }

  take(): (() => void) | undefined {
    for (const [requester, own] of this.#byRequester) {
      const start = own.shift()
      // To the end of the map.
      this.#byRequester.delete(requester)
      if (own.length > 0) this.#byRequester.set(requester, own)
      this.length -= 1
      return start
    }
    return undefined
  }
}

const refusal = () => new Refusal('RATE_LIMITED', { retryAfterSeconds: 1 })
