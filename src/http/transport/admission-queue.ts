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

interface Link<T> {
  readonly value: T
  before: Link<T> | null
  after: Link<T> | null
}

/** A list that adds and removes in constant time, also in its middle. */
class LinkedList<T> {
  #first: Link<T> | null = null
  #last: Link<T> | null = null

  get first(): T | undefined {
    return this.#first?.value
  }

  get last(): T | undefined {
    return this.#last?.value
  }

  append(value: T): Link<T> {
    const link: Link<T> = { value, before: this.#last, after: null }
    if (this.#last === null) this.#first = link
    else this.#last.after = link
    this.#last = link
    return link
  }

  prepend(value: T): Link<T> {
    const link: Link<T> = { value, before: null, after: this.#first }
    if (this.#first === null) this.#last = link
    else this.#first.before = link
    this.#first = link
    return link
  }

  /** Must be called once per link. */
  remove(link: Link<T>): void {
    if (link.before === null) this.#first = link.after
    else link.before.after = link.after
    if (link.after === null) this.#last = link.before
    else link.after.before = link.before
  }
}

interface FairQueueOptions {
  /** A queue is overloaded when it is longer than `longQueue` and its oldest request has waited longer than `maxWaitMs`. */
  readonly longQueue: number
  readonly maxWaitMs: number
}

export interface QueuedRequest {
  readonly startedAtMs: number
  /** Requesters take turns, however many requests each of them has waiting. Read once. */
  readonly requesterId: string
}

interface Entry<R> {
  readonly request: R
  readonly turns: Turns<R>
  readonly arrival: Link<Entry<R>>
  readonly own: Link<Entry<R>>
}

/** One requester's waiting requests, oldest first, and its link in the list of requesters. */
interface Turns<R> {
  readonly requesterId: string
  readonly entries: LinkedList<Entry<R>>
  link: Link<Turns<R>>
}

/**
 * Waiting requests, in an order without a clock of its own. Requesters take turns. The oldest go first until the queue is overloaded;
 * then the newest do, because their clients still wait, and the oldest are due to be refused.
 */
export class FairQueue<R extends QueuedRequest> {
  readonly #options: FairQueueOptions
  readonly #entryOf = new Map<R, Entry<R>>()
  readonly #turnsOf = new Map<string, Turns<R>>()
  readonly #arrivals = new LinkedList<Entry<R>>()
  /** The requester whose turn is next comes first; under overload, last. */
  readonly #order = new LinkedList<Turns<R>>()

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get length(): number {
    return this.#entryOf.size
  }

  add(request: R): void {
    const { requesterId } = request
    let turns = this.#turnsOf.get(requesterId)
    if (turns === undefined) {
      turns = this.#newTurns(requesterId)
    }
    // The links point back to the entry, so they are made with it.
    const entry = { request, turns } as { -readonly [K in keyof Entry<R>]: Entry<R>[K] }
    entry.arrival = this.#arrivals.append(entry)
    entry.own = turns.entries.append(entry)
    this.#entryOf.set(request, entry)
  }

  remove(request: R): boolean {
    const entry = this.#entryOf.get(request)
    if (entry === undefined) return false
    this.#entryOf.delete(request)
    this.#arrivals.remove(entry.arrival)
    entry.turns.entries.remove(entry.own)
    if (entry.turns.entries.first === undefined) {
      this.#order.remove(entry.turns.link)
      this.#turnsOf.delete(entry.turns.requesterId)
    }
    return true
  }

  takeNext(nowMs: number): R | undefined {
    const newestFirst = this.#isOverloaded(nowMs)
    const turns = newestFirst ? this.#order.last : this.#order.first
    if (turns === undefined) return undefined
    const { request } = (newestFirst ? turns.entries.last : turns.entries.first)!
    this.remove(request)
    if (turns.entries.first !== undefined) {
      this.#order.remove(turns.link)
      turns.link = newestFirst ? this.#order.prepend(turns) : this.#order.append(turns)
    }
    return request
  }

  /** Takes the oldest request if it is due to be refused. */
  takeLate(nowMs: number): R | undefined {
    if (!this.#isOverloaded(nowMs)) return undefined
    const { request } = this.#arrivals.first!
    this.remove(request)
    return request
  }

  #isOverloaded(nowMs: number): boolean {
    const { longQueue, maxWaitMs } = this.#options
    return this.length > longQueue && nowMs - this.#arrivals.first!.request.startedAtMs > maxWaitMs
  }

  #newTurns(requesterId: string): Turns<R> {
    const turns = { requesterId, entries: new LinkedList<Entry<R>>() } as Turns<R>
    turns.link = this.#order.append(turns)
    this.#turnsOf.set(requesterId, turns)
    return turns
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
