import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, constants, getPriority, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { randomBytes } from '../../../base/randomness.ts'
import { after, soon } from '../../../base/timers.ts'
import { Refusal } from '../../../contract/errors.ts'

/** On Linux, ten steps give a thread a tenth of the time of one that competes with it. */
const steps = 10

/**
 * Gives the thread pool, which hashes passwords, a lower priority than the event loop: a flood of logins then gets only the
 * processor time that calls leave over. Linux only, where every thread has a priority of its own. The pool's other work, such
 * as DNS lookups, is short.
 */
function lowerPoolPriority(): void {
  if (process.platform !== 'linux') return
  const lower = Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW)
  try {
    for (const thread of readdirSync(tasks)) {
      if (readFileSync(`${tasks}/${thread}/comm`, 'utf8') === 'libuv-worker\n') setPriority(Number(thread), lower)
    }
  } catch {
    // A thread has ended, or /proc is hidden: hashing works with any priority.
  }
}

const tasks = '/proc/self/task'

/** Whose password it is. Never decided by the name that was typed: how long a sign-in waits must not reveal whether the name exists. */
export interface HashTurn {
  /** Known operators go first: those with a session, or at a requester where one signed in lately. The others alternate with payers. */
  readonly rank: 'known operator' | 'operator' | 'payer'
  /** Requesters of a rank take turns. */
  readonly requester: string
}

interface HashQueueOptions {
  readonly maxRunning: number
  /** For each rank. */
  readonly maxQueued: number
  /** How long a request waits for a slot. */
  readonly slotWaitMs: number
}

/** Requests that wait for a slot, for each slot there is. A refusal at once costs more: the client tries again at once. */
const waitersPerSlot = 4

/** Work that waits for a thread, and requests that wait for a slot among it; both are bounded. */
export function createHashQueue({ maxRunning, maxQueued, slotWaitMs }: HashQueueOptions) {
  const waiting = { 'known operator': new WaitingHashes(), operator: new WaitingHashes(), payer: new WaitingHashes() }
  let isPayersTurn = false
  const slotWaiters = new Set<() => void>()
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

  /** Waiting slows down a client that would retry immediately, and it may still get a slot. */
  async function takeSlot(): Promise<void> {
    if (!isFull()) {
      kept += 1
      return
    }
    if (slotWaiters.size >= maxQueued * waitersPerSlot) throw refusal()
    await new Promise<void>((resolve, reject) => {
      const timer = after(slotWaitMs, () => {
        slotWaiters.delete(take)
        reject(refusal())
      })
      const take = () => {
        timer.cancel()
        kept += 1
        resolve()
      }
      slotWaiters.add(take)
    })
  }

  function giveFreeSlots(): void {
    for (const take of slotWaiters) {
      if (isFull()) return
      slotWaiters.delete(take)
      take()
    }
  }

  /** Holds a hashing slot while `work` runs, which leads to hashing. Refuses if none gets free, before `work` costs anything. */
  async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
    await takeSlot()
    try {
      return await work()
    } finally {
      kept -= 1
      // After the next one to hash has taken the slot.
      soon(giveFreeSlots)
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
      // The next one takes over the thread directly.
      if (next === undefined) running -= 1
      else next()
      giveFreeSlots()
    }
  }
  return { enqueue, withHashSlot }
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

/** Argon2id cost. After a change, each stored digest is upgraded at its owner's next login. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

export const defaultCost: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 }

export type Passwords = ReturnType<typeof createPasswords>

interface ParsedDigest extends PasswordCost {
  readonly salt: Buffer
  readonly tag: Buffer
}

const tagLength = 32
const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** A flood must leave a processor to the event loop and the store. */
const defaultRunning = Math.min(2, Math.max(1, availableParallelism() - 1))

/** Hashes on the thread pool. At most `maxQueued` requests wait; further ones are refused. */
export function createPasswords({
  cost = defaultCost,
  maxRunning = defaultRunning,
  maxQueued = 256,
  slotWaitMs = 1000,
} = {}) {
  const { enqueue, withHashSlot } = createHashQueue({ maxRunning, maxQueued, slotWaitMs })
  const deriveTag = (password: string, parameters: Omit<ParsedDigest, 'tag'>, turn?: HashTurn) => {
    const { memoryKib: memory, passes, parallelism, salt: nonce } = parameters
    const message = password.normalize('NFC')
    return enqueue(() => derive('argon2id', { message, nonce, parallelism, tagLength, memory, passes }), turn)
  }
  const decoy: ParsedDigest = { ...cost, salt: randomBytes(16), tag: randomBytes(tagLength) }

  return {
    withHashSlot,
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16)
      return format({ ...cost, salt, tag: await deriveTag(password, { ...cost, salt }) })
    },
    /** Does the same work with or without a digest, so that timing reveals nothing. */
    async verify(password: string, digest: string | undefined, turn?: HashTurn) {
      const stored = digest === undefined ? decoy : parse(digest)
      const isMatch = timingSafeEqual(await deriveTag(password, stored, turn), stored.tag)
      const isOutdated =
        stored.memoryKib !== cost.memoryKib || stored.passes !== cost.passes || stored.parallelism !== cost.parallelism
      return { isRight: isMatch && digest !== undefined, isOutdated }
    },
  }
}

const format = ({ memoryKib, passes, parallelism, salt, tag }: ParsedDigest) =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`

const digestPattern = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([\w-]{22})\$([\w-]{43})$/

function parse(digest: string): ParsedDigest {
  const match = digestPattern.exec(digest)
  if (!match) throw new Refusal('PASSWORD_STATE_INVALID')
  const [, memoryKib, passes, parallelism, salt, tag] = match
  return {
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt!, 'base64url'),
    tag: Buffer.from(tag!, 'base64url'),
  }
}
