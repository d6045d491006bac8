export interface QueuedRequest {
  readonly startedAtMs: number
  /** Whether its client has gone, so that nobody waits for it. */
  readonly isAbandoned: boolean
}

export interface AdmissionQueueOptions<R extends QueuedRequest> {
  /** Requests that begin in one turn of the event loop. */
  readonly perTurn: number
  /** In a queue longer than `longQueue`, a request that waited longer than this is turned away instead of begun. */
  readonly shedAfterMs: number
  readonly longQueue: number
  readonly now: () => number
  readonly begin: (request: R) => void
  readonly turnAway: (request: R) => void
  readonly abandon: (request: R) => void
}

/**
 * Where requests wait for their turn. Only a few begin per turn of the event loop, so results of the store and responses of
 * providers never wait behind a flood of newcomers; those that arrive together share a turn, which takes an eighth off the
 * cost of a call. When a long queue moves too slowly, turning requests away empties it quickly. A short one is left alone:
 * it is no overload when the process has merely paused for a moment.
 */
export function createAdmissionQueue<R extends QueuedRequest>(options: AdmissionQueueOptions<R>) {
  const { perTurn, shedAfterMs, longQueue, now, begin, turnAway, abandon } = options
  let queue: R[] = []
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || queue.length === 0) return
    isScheduled = true
    setImmediate(turn)
  }

  function turn(): void {
    isScheduled = false
    const oldestMs = now() - shedAfterMs
    let effort = 0
    let taken = 0
    while (taken < queue.length && effort < perTurn) {
      const request = queue[taken++]!
      const isLong = queue.length - taken >= longQueue
      if (request.isAbandoned) abandon(request)
      else if (isLong && request.startedAtMs < oldestMs) {
        turnAway(request)
        effort += turnAwayEffort
      } else {
        begin(request)
        effort += 1
      }
    }
    queue = queue.slice(taken)
    schedule()
  }

  return {
    add(request: R): void {
      queue.push(request)
      schedule()
    },
    /** Requests that wait for their turn. */
    length: () => queue.length,
  }
}

/** What turning one away costs, as a part of beginning one. */
const turnAwayEffort = 0.25
