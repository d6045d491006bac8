export interface AdmissionRequest extends QueuedRequest {
  /** Whether it carries a key that was valid lately. Read once. */
  readonly isKnown: boolean
}

export interface AdmissionQueueOptions<R> extends FairQueueOptions {
  /** Requests begun per turn of the event loop. */
  readonly perTurn: number
  readonly now: () => number
  readonly begin: (request: R) => void
  /** Refuses a request as cheaply as possible. */
  readonly shed: (request: R) => void
  /** Runs a turn after the sockets were read, or after a pause; for tests. */
  readonly soon?: (turn: () => void) => void
  readonly later?: (turn: () => void, ms: number) => void
}

/**
 * Begins only a few requests per turn of the event loop, so that store results and provider responses never wait behind a
 * flood of new requests. Requests that arrive together begin together, which makes a call 12 % cheaper.
 *
 * Requests with a known key go first. While such requests come, the others are begun at a slow pace: a stranger whose
 * connections wait for their responses sends no more than it gets.
 */
export function createAdmissionQueue<R extends AdmissionRequest>(options: AdmissionQueueOptions<R>) {
  const { perTurn, now, begin, shed, soon = setImmediate, later = setTimeout } = options
  const known = new FairQueue<R>(options)
  const strangers = new FairQueue<R>(options)
  let isTurnSoon = false
  let isTurnLater = false
  let begun = 0
  let knownBegunAtMs = Number.NEGATIVE_INFINITY
  let strangersDue = strangersAtOnce
  let countedAtMs = 0

  function schedule(): void {
    if (isTurnSoon) return
    if (known.length > 0 || (strangers.length > 0 && countDue(now()) >= strangersPerBatch)) {
      isTurnSoon = true
      soon(turnSoon)
    } else if (strangers.length > 0 && !isTurnLater) {
      isTurnLater = true
      later(turnLater, pauseMs)
    }
  }

  function turnSoon(): void {
    isTurnSoon = false
    turn()
  }

  function turnLater(): void {
    isTurnLater = false
    if (!isTurnSoon) turn()
  }

  function turn(): void {
    const nowMs = now()
    if (serve(known, perTurn, nowMs) > 0) knownBegunAtMs = nowMs
    const due = countDue(nowMs)
    if (due >= strangersPerBatch) strangersDue -= serve(strangers, Math.min(perTurn, Math.floor(due)), nowMs)
    schedule()
  }

  /** Begins up to `count` requests, and refuses one that waited too long for every few of them. */
  function serve(queue: FairQueue<R>, count: number, nowMs: number): number {
    for (let served = 0; served < count; served += 1) {
      const request = queue.takeNext(nowMs)
      if (request === undefined) return served
      begin(request)
      begun += 1
      const late = begun % begunPerShed === 0 ? queue.takeLate(nowMs) : undefined
      if (late !== undefined) shed(late)
    }
    return count
  }

  function countDue(nowMs: number): number {
    const isContended = nowMs - knownBegunAtMs < contendedMs
    strangersDue = isContended
      ? Math.min(strangersAtOnce, strangersDue + (nowMs - countedAtMs) * strangersPerMs)
      : strangersAtOnce
    countedAtMs = nowMs
    return strangersDue
  }

  return {
    add(request: R): void {
      const queue = request.isKnown ? known : strangers
      queue.add(request)
      schedule()
    },
    /** For a client that has disconnected. Whether the request was waiting. */
    remove: (request: R) => known.remove(request) || strangers.remove(request),
    length: () => known.length + strangers.length,
  }
}

/** A refusal invites the next attempt, so an overloaded gateway spends a twentieth of its time on them and lets the others wait. */
const begunPerShed = 4
/** How long after a request with a known key the pace of strangers is slow. */
const contendedMs = 50
/** Their pace then, about a twentieth of the event loop, and how many may begin at once after a while without any. */
const strangersPerMs = 0.5
const strangersAtOnce = 64
/** They begin together, which wakes up the process less often. */
const strangersPerBatch = 8
const pauseMs = strangersPerBatch / strangersPerMs

interface FairQueueOptions {
  /** A queue is overloaded when it is longer than `longQueue` and its oldest request has waited longer than `maxWaitMs`. */
  readonly longQueue: number
  readonly maxWaitMs: number
}

export interface QueuedRequest {
  readonly startedAtMs: number
  /** Requesters take turns, however many requests each of them has waiting. Read once. */
  readonly requesterId: string
  /** The requester's requests, while this one is among them; for the queue. */
  queuedIn?: object | null
}

/** One requester's waiting requests, oldest first. */
class Turns<R extends QueuedRequest> {
  readonly requesterId: string
  readonly requests = new Deque<R>()

  constructor(requesterId: string) {
    this.requesterId = requesterId
  }
}

/**
 * A queue in an array. It lets go of what was taken at once: what a long-lived object still refers to is copied into the old
 * generation with all that belongs to it, which once cost a call a tenth of its time.
 */
class Deque<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get first(): T | undefined {
    return this.#items[this.#head]
  }

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const item = this.#items[this.#head]
    this.#items[this.#head] = undefined
    this.#head += 1
    if (this.#head >= this.#items.length) {
      this.#items.length = 0
      this.#head = 0
    } else if (this.#head === maxGap) {
      this.#items = this.#items.slice(maxGap)
      this.#head = 0
    }
    return item
  }

  pop(): T | undefined {
    const item = this.#items.pop()
    if (this.#head >= this.#items.length) {
      this.#items.length = 0
      this.#head = 0
    }
    return item
  }

  remove(item: T): void {
    const at = this.#items.indexOf(item, this.#head)
    if (at >= 0) this.#items.splice(at, 1)
  }
}

const maxGap = 1024

/**
 * Waiting requests, in an order without a clock of its own. Requesters take turns. The oldest go first until the queue is overloaded;
 * then the newest do, because their clients still wait, and the oldest are due to be refused.
 */
export class FairQueue<R extends QueuedRequest> {
  readonly #options: FairQueueOptions
  readonly #turnsOf = new Map<string, Turns<R>>()
  /** All requests, oldest first; those that were taken are dropped when they come first. */
  readonly #arrivals = new Deque<R>()
  /** The requester whose turn is next comes first; under overload, last. */
  readonly #order: Turns<R>[] = []
  #length = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get length(): number {
    return this.#length
  }

  add(request: R): void {
    const { requesterId } = request
    let turns = this.#turnsOf.get(requesterId)
    if (turns === undefined) {
      turns = new Turns<R>(requesterId)
      this.#turnsOf.set(requesterId, turns)
      this.#order.push(turns)
    }
    turns.requests.push(request)
    this.#arrivals.push(request)
    request.queuedIn = turns
    this.#length += 1
  }

  remove(request: R): boolean {
    const turns = request.queuedIn as Turns<R> | null | undefined
    if (!turns || this.#turnsOf.get(turns.requesterId) !== turns) return false
    turns.requests.remove(request)
    if (turns.requests.length === 0) this.#order.splice(this.#order.indexOf(turns), 1)
    this.#forget(request, turns)
    return true
  }

  takeNext(nowMs: number): R | undefined {
    const newestFirst = this.#isOverloaded(nowMs)
    const turns = newestFirst ? this.#order.pop() : this.#order.shift()
    if (turns === undefined) return undefined
    const request = (newestFirst ? turns.requests.pop() : turns.requests.shift())!
    if (turns.requests.length > 0) {
      if (newestFirst) this.#order.unshift(turns)
      else this.#order.push(turns)
    }
    this.#forget(request, turns)
    return request
  }

  /** Takes the oldest request if it is due to be refused. */
  takeLate(nowMs: number): R | undefined {
    if (!this.#isOverloaded(nowMs)) return undefined
    const request = this.#arrivals.first!
    this.remove(request)
    return request
  }

  #forget(request: R, turns: Turns<R>): void {
    request.queuedIn = null
    this.#length -= 1
    if (turns.requests.length === 0) this.#turnsOf.delete(turns.requesterId)
    while (this.#arrivals.length > 0 && !this.#arrivals.first!.queuedIn) this.#arrivals.shift()
  }

  #isOverloaded(nowMs: number): boolean {
    const { longQueue, maxWaitMs } = this.#options
    return this.length > longQueue && nowMs - this.#arrivals.first!.startedAtMs > maxWaitMs
  }
}

export interface RecentKeys {
  /** The project of a key that was valid when it was last used. */
  projectOf(token: string): string | undefined
  remember(token: string, projectId: string): void
  forget(token: string): void
}

/** Half of a key: too long to guess, no use as a key, and cheaper than a digest. */
const tokenLength = 22

/** Identifies the key of an Authorization header; undefined if the header cannot hold one. */
export const keyTokenOf = (authorization: string): string | undefined =>
  authorization.length >= 2 * tokenLength ? authorization.slice(-tokenLength) : undefined

/** Remembers keys after they were found to be valid, so that no stranger can fill it. */
export function createRecentKeys(maxKeys = 10_000): RecentKeys {
  const projects = new Map<string, string>()
  return {
    projectOf: (token) => projects.get(token),
    remember(token, projectId) {
      if (projects.get(token) === projectId) return
      if (projects.size >= maxKeys) projects.delete(projects.keys().next().value!)
      // Copied, because a slice would keep the whole key in memory.
      projects.set(Buffer.from(token, 'latin1').toString('latin1'), projectId)
    },
    forget: (token) => void projects.delete(token),
  }
}
