import { setTimeout as delay } from 'node:timers/promises'

/** Looks for work again and again, and keeps track of the work that it began. */
export interface WorkLoop {
  /** Looks at once, and from now on every second. */
  readonly start: () => void
  /** Looks now. */
  readonly wake: () => void
  /** Tracks work that was begun; looks again when it ends. */
  readonly begin: (work: Promise<void>) => void
  /** How much work is under way. */
  readonly underWay: () => number
  readonly isStopping: () => boolean
  /** Resolves once nothing is under way: all that was due has been tried. */
  readonly idle: () => Promise<void>
  /** Looks no more and waits a few seconds for the work under way. */
  readonly stop: () => Promise<void>
}

export interface WorkLoopDeps {
  /** Begins what is due. Resolves to true if there may be more. It reads first, so that an idle gateway writes nothing. */
  readonly look: () => Promise<boolean>
  /** A look or its work failed, so the store did. Reported once until a look succeeds. */
  readonly onFault: (error: unknown) => void
}

const lookEveryMs = 1000
const stopLimitMs = 5000

export function createWorkLoop({ look, onFault }: WorkLoopDeps): WorkLoop {
  const works = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let hasFailed = false

  function report(error: unknown): void {
    if (!hasFailed) onFault(error)
    hasFailed = true
  }

  const looks = createLooks(async () => {
    const mayBeMore = await look()
    hasFailed = false
    return mayBeMore
  }, report)

  async function idle(): Promise<void> {
    while (looks.underWay() || works.size > 0) await Promise.all([looks.underWay(), ...works])
  }

  return {
    start() {
      timer = setInterval(looks.request, lookEveryMs).unref()
      looks.request()
    },
    wake: looks.request,
    begin(work) {
      const tracked = work.catch(report).finally(() => {
        works.delete(tracked)
        looks.request()
      })
      works.add(tracked)
    },
    underWay: () => works.size,
    isStopping: looks.isStopped,
    idle,
    async stop() {
      looks.stop()
      clearInterval(timer)
      await Promise.race([idle(), delay(stopLimitMs, undefined, { ref: false })])
    },
  }
}

/** One look at a time. However many are requested during a look, one more follows it. */
function createLooks(look: () => Promise<boolean>, onFault: (error: unknown) => void) {
  let underWay: Promise<void> | null = null
  let isRequested = false
  let isStopped = false

  async function lookWhileRequested(): Promise<void> {
    try {
      while (isRequested && !isStopped) {
        isRequested = false
        if (await look()) isRequested = true
      }
    } catch (error) {
      onFault(error)
    }
    underWay = null
  }

  return {
    request(): void {
      isRequested = true
      if (!underWay && !isStopped) underWay = lookWhileRequested()
    },
    underWay: () => underWay,
    isStopped: () => isStopped,
    stop(): void {
      isStopped = true
    },
  }
}
