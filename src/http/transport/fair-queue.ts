import { type Link, LinkedList } from './linked-list.ts'

export interface FairQueueOptions {
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

/** One requester's waiting requests, oldest first, and its place among the requesters. */
interface Turns<R> {
  readonly requesterId: string
  readonly entries: LinkedList<Entry<R>>
  place: Link<Turns<R>>
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

  /** Whether the request was waiting. */
  remove(request: R): boolean {
    const entry = this.#entryOf.get(request)
    if (entry === undefined) return false
    this.#entryOf.delete(request)
    this.#arrivals.remove(entry.arrival)
    entry.turns.entries.remove(entry.own)
    if (entry.turns.entries.first === undefined) {
      this.#order.remove(entry.turns.place)
      this.#turnsOf.delete(entry.turns.requesterId)
    }
    return true
  }

  /** Takes the request to begin next. */
  takeNext(nowMs: number): R | undefined {
    const newestFirst = this.#isOverloaded(nowMs)
    const turns = newestFirst ? this.#order.last : this.#order.first
    if (turns === undefined) return undefined
    const { request } = (newestFirst ? turns.entries.last : turns.entries.first)!
    this.remove(request)
    if (turns.entries.first !== undefined) {
      this.#order.remove(turns.place)
      turns.place = newestFirst ? this.#order.prepend(turns) : this.#order.append(turns)
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
    turns.place = this.#order.append(turns)
    this.#turnsOf.set(requesterId, turns)
    return turns
  }
}
