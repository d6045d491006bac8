import { createHash, type Hash } from 'node:crypto'
import { type Clock, systemClock, useClock } from '../../src/base/clock.ts'
import { resetIds } from '../../src/base/ids.ts'
import { type Network, systemNetwork, useNetwork } from '../../src/base/network.ts'
import { systemRandomness, useRandomness } from '../../src/base/randomness.ts'
import { systemTimers, type Timer, type Timers, useTimers } from '../../src/base/timers.ts'
import { Prng } from './prng.ts'

interface Event {
  readonly at: number
  readonly order: number
  readonly owner: Process
  readonly label: string
  readonly work: () => void
  isCancelled: boolean
}

/** A program in the world, or a person: something that has its own clock, and that can be frozen and killed. */
export class Process {
  readonly name: string
  readonly #world: World
  isAlive = true
  isFrozen = false
  /** What became due while it was frozen. */
  deferred: Event[] = []
  /** How far its clock is ahead of the world, and by which share it runs faster. */
  skewMs = 0
  drift = 0
  /** Whether it may have real files open now. */
  usesFiles = true
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
    this.deferred = []
    for (const work of this.#onKill) work()
  }

  freeze(): void {
    this.isFrozen = true
  }

  thaw(): void {
    this.isFrozen = false
    const { deferred } = this
    this.deferred = []
    for (const { owner, label, work, isCancelled } of deferred) {
      if (!isCancelled) this.#world.schedule(0, owner, label, work)
    }
  }
}

const maxDriftMs = 2000
/** Far more than any world needs. */
const maxSteps = 2_000_000

/** The immediates and resources of Node itself: the world's own are virtual. */
const realSoon = setImmediate
const turn = () => new Promise<void>((resolve) => void realSoon(resolve))
const realPause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

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
  /** The current actor. */
  current: Process
  readonly outside: Process
  readonly reached = new Map<string, number>()
  /** The first thing that went wrong. */
  violation: string | null = null
  /** Whether the real time was over before the world was. */
  isCutShort = false
  readonly #isOver: () => boolean
  readonly #queue = new EventQueue()
  readonly #trace: Hash = createHash('sha256')
  readonly #onTrace: ((line: string) => void) | null
  #order = 0
  #last = ''

  constructor(seed: number, onTrace: ((line: string) => void) | null = null, isOver: () => boolean = () => false) {
    this.#isOver = isOver
    this.random = new Prng(seed, 1)
    this.outside = new Process('outside', this)
    this.outside.usesFiles = false
    this.current = this.outside
    this.#onTrace = onTrace
    const entropy = new Prng(seed, 2)
    resetIds()
    useRandomness({ fill: (bytes) => entropy.fill(bytes) })
    const clock: Clock = { now: () => this.current.now(), monotonicMs: () => this.current.monotonicMs() }
    useClock(clock)
    useTimers(this.#timers())
  }

  useNetwork(network: Network): void {
    useNetwork(network)
  }

  /** Gives time, timers, randomness and network back to Node. */
  end(): void {
    useClock(systemClock)
    useTimers(systemTimers)
    useRandomness(systemRandomness)
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

  trace(line: string): void {
    const full = `${this.time.toFixed(3)} ${this.current.name} ${line}\n`
    this.#trace.update(full)
    this.#onTrace?.(full)
  }

  traceDigest(): string {
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

  /** Runs the next event; false if there is none. */
  async step(): Promise<boolean> {
    const event = this.#queue.take()
    if (!event) return false
    if (event.isCancelled || !event.owner.isAlive) return true
    this.time = Math.max(this.time, event.at)
    if (event.owner.isFrozen) {
      event.owner.deferred.push(event)
      return true
    }
    this.steps += 1
    this.#last = `${event.owner.name} ${event.label}`
    this.current = event.owner
    this.#trace.update(`${this.time.toFixed(3)} ${event.owner.name} ${event.label}\n`)
    event.work()
    await this.#settle()
    this.current = this.outside
    return true
  }

  /** Runs until `isOver`, or the virtual or the real time is up, or something went wrong. */
  async runUntil(isOver: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.time + limitMs
    while (this.violation === null && !isOver()) {
      this.isCutShort ||= this.#isOver()
      if (this.isCutShort) return false
      if (this.steps > maxSteps) this.fail(`the world goes round in circles: ${this.#last}`)
      if (this.time > end || !(await this.step())) return isOver()
    }
    return this.violation === null
  }

  /** Nothing of this world must go on in the next one. */
  async settled(): Promise<void> {
    this.current = this.outside
    do await realPause(2)
    while (hasFileWork())
  }

  /** Waits for all promises that follow, and for the few real files that the event has opened, while virtual time stands still. */
  async #settle(): Promise<void> {
    await turn()
    if (!this.current.usesFiles || !hasFileWork()) return
    // Between two file operations there may be a moment in which none is listed.
    for (let idle = 0; idle < 4; ) {
      await turn()
      idle = hasFileWork() ? 0 : idle + 1
    }
  }

  #timers(): Timers {
    return {
      after: (ms, work) => this.#timer(ms, work),
      every: (ms, work) => {
        let inner: Timer
        const arm = (): void => {
          inner = this.#timer(ms, () => {
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

const hasFileWork = () =>
  process.getActiveResourcesInfo().some((type) => type.startsWith('FSReq') || type === 'CloseReq')

/** A binary heap by time, then by order. */
class EventQueue {
  readonly #events: Event[] = []

  add(event: Event): void {
    const events = this.#events
    let at = events.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, events[parent]!)) break
      events[at] = events[parent]!
      at = parent
    }
    events[at] = event
  }

  take(): Event | undefined {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (first === undefined || last === undefined || events.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= events.length) break
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child += 1
      if (!isBefore(events[child]!, last)) break
      events[at] = events[child]!
      at = child
    }
    events[at] = last
    return first
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)
