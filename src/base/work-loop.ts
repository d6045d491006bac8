import { monotonicMs } from './clock.ts'
import { after, delay, every, type Timer } from './timers.ts'

export type WorkLoop = ReturnType<typeof createWorkLoop>

interface WorkLoopOptions {
  /**
   * Begins what is due. It reads first, so that an idle gateway writes nothing. Resolves to true if there may be more, or to the
   * milliseconds after which to check again.
   */
  readonly beginDue: () => Promise<boolean | number>
  /** A check or its work failed, so the store did. Reported once until a check succeeds. */
  readonly onFault: (error: unknown) => void
  readonly pauseMs?: number
  readonly stopLimitMs?: number
}

const checkEveryMs = 1000

/** Checks again and again for due work, and keeps track of the work that it began. */
export function createWorkLoop({ beginDue, onFault, pauseMs = 0, stopLimitMs = 5000 }: WorkLoopOptions) {
  const works = new Set<Promise<void>>()
  let checking: Promise<void> | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let isRequested = false
  let isStopped = false
  let hasFailed = false
  let interval: Timer | undefined
  let timer: Timer | undefined
  let timerAt = Number.POSITIVE_INFINITY

  function report(error: unknown): void {
    if (!hasFailed) onFault(error)
    hasFailed = true
  }

  async function checkWhileRequested(): Promise<void> {
    try {
      do {
        isRequested = false
        const next = await beginDue()
        hasFailed = false
        if (next === true) isRequested = true
        else if (next !== false) wakeIn(next)
      } while (isRequested && !isStopped && pauseMs === 0)
    } catch (error) {
      report(error)
    }
    checking = null
    checkedAt = monotonicMs()
    if (isRequested && pauseMs > 0) wakeIn(pauseMs)
  }

  /** One check at a time. However many are requested during a check, one more follows it. */
  function wake(): void {
    const waitMs = checkedAt + pauseMs - monotonicMs()
    if (checking) isRequested = true
    else if (pauseMs > 0 && waitMs > 0) wakeIn(waitMs)
    else if (!isStopped) checking = checkWhileRequested()
  }

  /** Checks at that time, or earlier. What is further away is noticed by a regular check. */
  function wakeIn(ms: number): void {
    const at = monotonicMs() + ms
    if (isStopped || ms >= checkEveryMs || at >= timerAt) return
    timer?.cancel()
    timerAt = at
    timer = after(ms, () => {
      timerAt = Number.POSITIVE_INFINITY
      wake()
    }).unref()
  }

  /** Resolves once nothing is in progress: all that was due has been tried. */
  async function idle(): Promise<void> {
    while (checking || works.size > 0) await Promise.all([checking, ...works])
  }

  return {
    /** Checks at once, and from now on every second. */
    start(): void {
      interval = every(checkEveryMs, wake).unref()
      wake()
    },
    wake,
    wakeIn,
    /** Tracks work that was begun; checks again when it ends. */
    begin(work: Promise<void>): void {
      const tracked = work.catch(report).finally(() => {
        works.delete(tracked)
        wake()
      })
      works.add(tracked)
    },
    underWay: () => works.size,
    isStopping: () => isStopped,
    idle,
    /** Checks no more and waits a few seconds for the work in progress. */
    async stop(): Promise<void> {
      isStopped = true
      interval?.cancel()
      timer?.cancel()
      await Promise.race([idle(), delay(stopLimitMs, { ref: false })])
    },
  }
}
