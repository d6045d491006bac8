import { createHash, type Hash } from 'node:crypto'
import { type Clock, systemClock, useClock } from '../../src/base/clock.ts'
import { resetIds } from '../../src/base/ids.ts'
import { type Network, systemNetwork, useNetwork } from '../../src/base/network.ts'
import { systemRandomness, useRandomness } from '../../src/base/randomness.ts'
import { useSometimes } from '../../src/base/sometimes.ts'
import { systemTimers, type Timer, type Timers, useTimers } from '../../src/base/timers.ts'
import { type Event, EventQueue } from './event-queue.ts'
import { Prng } from './prng.ts'

/** A program in the world, or a person: something that has its own clock, and that can be frozen and killed. */
export class Process {
  readonly name: string
  readonly #world: World
  isAlive = true
  /** When it was killed; null while it lives. */
  diedAt: number | null = null
  isFrozen = false
  readonly freezes: { readonly from: number; to: number }[] = []
  /** What became due while it was frozen. */
  deferred: Event[] = []
  /** How far its clock is ahead of the world, and by which share it runs faster. */
  skewMs = 0
  drift = 0
  /** While people do something, the world is not idle. */
  isPerson = false
  readonly #onKill: (() => void)[] = []

  constructor(name: string, world: World) {
    this.name = name
    this.#world = world
  }

  /** The time of day is corrected by NTP before it is far off. */
  now = (): number => {
    const { epoch, time } = this.#world
    const driftMs = Math.max(-maxDriftMs, Math.min(maxDriftMs, time * this.drift))
    return Math.floor(epoch + time + driftMs + this.skewMs)
  }
  monotonicMs = (): number => this.#world.time * (1 + this.drift)

  onKill(work: () => void): void {
    this.#onKill.push(work)
  }

  /** Forgets everything: nothing that it was waiting for is continued. */
  kill(): void {
    this.isAlive = false
    this.diedAt ??= this.#world.time
    this.deferred = []
    for (const work of this.#onKill) work()
  }

  freeze(): void {
    this.isFrozen = true
    this.freezes.push({ from: this.#world.time, to: Number.POSITIVE_INFINITY })
  }

  thaw(): void {
    if (!this.isFrozen) return
    this.isFrozen = false
    this.freezes.at(-1)!.to = this.#world.time
    const { deferred } = this
    this.deferred = []
    for (const { owner, label, work, isCancelled } of deferred) {
      if (!isCancelled) this.#world.schedule(0, owner, label, work)
    }
  }
}

/** How a world is run, apart from what its seed decides. */
export interface RunOptions {
  readonly onTrace?: ((line: string) => void) | null
  /** Every line of the digest: the labels of events, and traces. */
  readonly onLine?: (line: string, step: number) => void
  /** Whether the real time is over, or the world has gone far enough. */
  readonly isOver?: (step: number) => boolean
  /** From this step on, its randomness is another one. */
  readonly change?: { readonly step: number; readonly salt: number }
}

const maxDriftMs = 2000
const idleAfterMs = 5000
const quickIntervalMs = 1000
/** What waits for a gateway to look would be late otherwise. */
const longestIntervalMs = 120_000
/** Far more than any world needs. */
const maxSteps = 2_000_000

/** Node's own: the world's are virtual. */
const realSoon = setImmediate
const realPause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** Runs all promises and ticks that are waiting. Only outside of them, so never from an async function. */
const { _tickCallback: runPromises } = process as unknown as { readonly _tickCallback: () => void }

/** Then the real event loop gets a turn, so that signals arrive. */
const eventsAtOnce = 1000
/** Hashing piece by piece takes longer than hashing. */
const tracePieceLength = 65_536

/**
 * One thread, one queue of events, virtual time. Everything that programs wait for is an event of their process; after each
 * event all promises that follow from it are run, so the order of events decides everything.
 */
export class World {
  readonly random: Prng
  /** 2026-09-03, 16:00 in Shanghai. */
  readonly epoch = Date.UTC(2026, 8, 3, 8)
  /** Milliseconds since the start. */
  time = 0
  steps = 0
  /** How much more seldom than in production idle gateways look for work. */
  slowness = 1
  /** Whether intervals grow while the world is idle. */
  slowsDown = true
  /** When a person did something last. */
  #activeAt = 0
  /** How much of the time was skipped. */
  #skippedMs = 0
  /** When time was skipped last: what was under way then is late. */
  skippedAt = Number.NEGATIVE_INFINITY
  /** The current actor. */
  current: Process
  readonly outside: Process
  readonly reached = new Map<string, number>()
  /** The first thing that went wrong. */
  violation: string | null = null
  /** Whether the real time was over before the world was. */
  isCutShort = false
  readonly #queue = new EventQueue()
  readonly #trace: Hash = createHash('sha256')
  #untraced = ''
  readonly #seed: number
  readonly #run: RunOptions
  #order = 0
  #last: Event | null = null

  constructor(seed: number, run: RunOptions = {}) {
    this.#seed = seed
    this.#run = run
    this.random = new Prng(seed, 1)
    this.outside = new Process('outside', this)
    this.current = this.outside
    resetIds()
    this.#useEntropy(new Prng(seed, 2))
    useSometimes((name) => this.reach(`sometimes: ${name}`))
    const clock: Clock = { now: () => this.current.now(), monotonicMs: () => this.current.monotonicMs() }
    useClock(clock)
    useTimers(this.#timers())
  }

  #useEntropy(entropy: Prng): void {
    useRandomness({ fill: (bytes) => entropy.fill(bytes) })
  }

  #changeRandomness(salt: number): void {
    // In place, because actors keep it.
    this.random.restart(this.#seed, 16 * salt + 1)
    this.#useEntropy(new Prng(this.#seed, 16 * salt + 2))
  }

  useNetwork(network: Network): void {
    useNetwork(network)
  }

  /** Gives time, timers, randomness and network back to Node. */
  end(): void {
    useClock(systemClock)
    useTimers(systemTimers)
    useRandomness(systemRandomness)
    useSometimes(null)
    useNetwork(systemNetwork)
    resetIds()
  }

  schedule(ms: number, owner: Process, label: string, work: () => void): Event {
    this.#order += 1
    const event = { at: this.time + Math.max(0, ms), order: this.#order, owner, label, work, isCancelled: false }
    this.#queue.add(event)
    return event
  }

  /** Waits in virtual time. */
  sleep(ms: number, owner: Process = this.current, label = 'sleep'): Promise<void> {
    return new Promise((resolve) => void this.schedule(ms, owner, label, resolve))
  }

  /** Jumps ahead: what was due in between is late. */
  skip(ms: number): void {
    this.time += ms
    this.#skippedMs += ms
    this.#activeAt = this.time
    this.skippedAt = this.time
  }

  /** Longer while the world is idle: what is only repeated then costs time and changes nothing. */
  stretched(ms: number): number {
    if (!this.slowsDown) return ms
    const stretchedMs = ms * Math.max(1, (this.time - this.#activeAt) / idleAfterMs)
    return Math.max(ms, Math.min(longestIntervalMs, stretchedMs))
  }

  /** The time until an interval fires again. Loops that look for work every second may be slower in a world. */
  #intervalOf(ms: number): number {
    return this.stretched(ms <= quickIntervalMs ? ms * this.slowness : ms)
  }

  trace(line: string): void {
    const full = `${this.time.toFixed(3)} ${this.current.name} ${line}\n`
    this.#record(full)
    this.#run.onTrace?.(full)
  }

  #record(line: string): void {
    this.#untraced += line
    this.#run.onLine?.(line, this.steps)
    if (this.#untraced.length < tracePieceLength) return
    this.#trace.update(this.#untraced)
    this.#untraced = ''
  }

  traceDigest(): string {
    this.#trace.update(this.#untraced)
    this.#untraced = ''
    return this.#trace.copy().digest('hex')
  }

  reach(name: string): void {
    this.reached.set(name, (this.reached.get(name) ?? 0) + 1)
  }

  fail(what: string): void {
    if (this.violation !== null) return
    this.violation = what
    this.trace(`VIOLATION ${what}`)
  }

  /** Runs the next event and all promises that follow from it; false if there is none. */
  #step(): boolean {
    const event = this.#queue.take()
    if (!event) return false
    if (event.isCancelled || !event.owner.isAlive) return true
    this.time = Math.max(this.time, event.at)
    if (event.owner.isFrozen) {
      event.owner.deferred.push(event)
      return true
    }
    this.steps += 1
    this.#last = event
    this.current = event.owner
    if (event.owner.isPerson) this.#activeAt = this.time
    const line = `${this.time.toFixed(3)} ${event.owner.name} ${event.label}\n`
    this.#record(line)
    if (this.#run.change?.step === this.steps) this.#changeRandomness(this.#run.change.salt)
    event.work()
    runPromises()
    this.current = this.outside
    return true
  }

  /** Runs until `isOver`, or the virtual or the real time is up, or something went wrong. */
  runUntil(isOver: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.time - this.#skippedMs + limitMs
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          const result = this.#runSome(isOver, end)
          if (result === null) realSoon(run)
          else resolve(result)
        } catch (error) {
          reject(error)
        }
      }
      realSoon(run)
    })
  }

  /** Null if there is more to run. */
  #runSome(isOver: () => boolean, end: number): boolean | null {
    for (let left = eventsAtOnce; left > 0; left -= 1) {
      if (this.violation !== null) return false
      if (isOver()) return true
      this.isCutShort ||= this.#run.isOver?.(this.steps) ?? false
      if (this.isCutShort) return false
      if (this.steps > maxSteps) this.#goesInCircles()
      if (this.time - this.#skippedMs > end || !this.#step()) return isOver()
    }
    return null
  }

  #goesInCircles(): void {
    this.fail(`the world goes round in circles: ${this.#last?.owner.name} ${this.#last?.label}`)
  }

  /** Nothing of this world must go on in the next one. */
  async settled(): Promise<void> {
    this.current = this.outside
    await realPause(0)
  }

  #timers(): Timers {
    return {
      after: (ms, work) => this.#timer(ms, work),
      every: (ms, work) => {
        let inner: Timer
        const arm = (): void => {
          inner = this.#timer(this.#intervalOf(ms), () => {
            arm()
            work()
          })
        }
        arm()
        const timer: Timer = { cancel: () => inner.cancel(), unref: () => timer }
        return timer
      },
      soon: (work) => void this.schedule(0, this.current, 'soon', work),
    }
  }

  #timer(ms: number, work: () => void): Timer {
    const owner = this.current
    // As Node's timers: never less than a millisecond.
    const event = this.schedule(Math.max(1, ms) / (1 + owner.drift), owner, 'timer', work)
    const timer: Timer = {
      cancel: () => {
        event.isCancelled = true
      },
      unref: () => timer,
    }
    return timer
  }
}
