import type { Session } from './session.ts'

/** A query without an answer for this long makes its server suspect. */
export const silenceMs = 500
const tickMs = 250
/** Long queries are silent too: while one runs, the server is asked this often. */
const pauseMs = 2000

/** Notices within a tick when sessions get no answers, and calls `onSilence`, which asks the server. */
export class ConnectionWatch {
  readonly sessions = new Set<Session>()
  readonly #onSilence: () => void
  #timer: NodeJS.Timeout | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence
  }

  add(session: Session): void {
    this.sessions.add(session)
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref()
  }

  /** The sessions that wait for an answer for too long. */
  silent(now: number): Session[] {
    return [...this.sessions].filter((session) => session.silentForMs(now) >= silenceMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const now = performance.now()
    if (this.silent(now).length === 0 || now - this.#askedAt < pauseMs) return
    this.#askedAt = now
    this.#onSilence()
  }
}
