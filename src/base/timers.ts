/** A timer that can be cancelled. `unref` lets the process end while it waits. */
export interface Timer {
  cancel(): void
  unref(): Timer
}

export interface Timers {
  after(ms: number, work: () => void): Timer
  every(ms: number, work: () => void): Timer
  /** After the input that has already arrived was read. */
  soon(work: () => void): void
}

class SystemTimer implements Timer {
  readonly #timeout: NodeJS.Timeout

  constructor(timeout: NodeJS.Timeout) {
    this.#timeout = timeout
  }

  cancel(): void {
    // Ends intervals too.
    clearTimeout(this.#timeout)
  }

  unref(): Timer {
    this.#timeout.unref()
    return this
  }
}

export const systemTimers: Timers = {
  after: (ms, work) => new SystemTimer(setTimeout(work, ms)),
  every: (ms, work) => new SystemTimer(setInterval(work, ms)),
  soon: (work) => void setImmediate(work),
}

let timers = systemTimers

/** Replaces the timers of this thread; for the simulation. */
export function useTimers(others: Timers): void {
  timers = others
}

export const after = (ms: number, work: () => void): Timer => timers.after(ms, work)
export const every = (ms: number, work: () => void): Timer => timers.every(ms, work)
export const soon = (work: () => void): void => timers.soon(work)

/** Resolves after a time; rejects if the signal is aborted first. With `ref: false` the process may end while it waits. */
export function delay(ms: number, options: { signal?: AbortSignal; ref?: boolean } = {}): Promise<void> {
  const { signal, ref = true } = options
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal))
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    if (!ref) timer.unref()
    function onAbort() {
      timer.cancel()
      reject(abortError(signal!))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** As Node's own delay rejects. */
const abortError = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  })

/** Aborts after a time, for the same reason as `AbortSignal.timeout`. The process may end while it waits. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  after(ms, () => controller.abort(reason())).unref()
  return controller.signal
}
