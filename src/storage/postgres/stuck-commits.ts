import { StoreUnavailable } from '../engine.ts'

interface StuckCommitsOptions {
  /** How many may be left behind. */
  readonly limit: number
  /** Which of these sessions of the server still wait for a synchronous standby. */
  readonly stillWaiting: (pids: readonly number[]) => Promise<readonly number[]>
}

/**
 * Sessions that were given up during a commit. While a synchronous standby is away, the server keeps each of them until the standby is
 * back, although its client is gone: a gateway that opened another one for every attempt would use up all connections of the server.
 */
export class StuckCommits {
  readonly #options: StuckCommitsOptions
  #pids: readonly number[] = []
  #question: Promise<void> | null = null

  constructor(options: StuckCommitsOptions) {
    this.#options = options
  }

  add(pid: number): void {
    this.#pids = [...this.#pids, pid]
  }

  /** Whether there may be too many: the server must be asked. */
  get mayRefuse(): boolean {
    return this.#pids.length >= this.#options.limit
  }

  /** Rejects while too many of them still wait on the server. */
  async refuse(): Promise<void> {
    if (!this.mayRefuse) return
    this.#question ??= this.#ask().finally(() => {
      this.#question = null
    })
    await this.#question
    if (this.mayRefuse)
      throw new StoreUnavailable(`${this.#pids.length} commits still wait for the synchronous standby of PostgreSQL`)
  }

  async #ask(): Promise<void> {
    const asked = this.#pids
    // A server that does not respond has none: the next connection fails by itself.
    const waiting = await this.#options.stillWaiting(asked).catch((): number[] => [])
    this.#pids = this.#pids.filter((pid) => waiting.includes(pid) || !asked.includes(pid))
  }
}

/** Other sessions that were given up end by themselves: the server cancels their statements, or notices the lost connection. */
export const selectWaiting = `
  SELECT coalesce(array_agg(pid), '{}') AS waiting FROM pg_stat_activity
  WHERE pid = ANY($1::int[]) AND application_name = 'api-relay-gateway' AND wait_event = 'SyncRep'`
