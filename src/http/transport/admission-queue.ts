import { FairQueue, type FairQueueOptions, type QueuedRequest } from './fair-queue.ts'

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

  /** How many strangers' requests may begin now. */
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
    /** Waiting requests. */
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
