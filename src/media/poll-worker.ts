import { setTimeout as delay } from 'node:timers/promises'
import type { JobClaims, JobRow } from './ports.ts'

export interface PollWorkerDeps {
  readonly jobs: JobClaims
  readonly poll: (job: JobRow, stopping: AbortSignal) => Promise<void>
  readonly clock: () => number
  /** False while other instances may consider this one dead: it claims nothing then. */
  readonly isLeaseHeld: () => boolean
  readonly canAdopt: () => boolean
  readonly onFault: (error: unknown, context: { jobId?: string }) => void
}

/** At most this many polls begin in one turn, and a turn takes at least this long: 100 polls a second for each instance. */
const perTurn = 10
const turnMs = 100
/** Without work, how often the store is asked: another instance may have noted a cancellation or a callback. */
const idleMs = 1000
const maxUnderWay = 32
const renewMs = 5000
const adoptMs = 2000
const stopMs = 3000

/**
 * Polls the jobs that are due, whichever instance created them. Each is claimed first, so that one instance polls it at a
 * time; the claims of an instance that died end by themselves, and others take its jobs over.
 */
export function createPollWorker(deps: PollWorkerDeps) {
  const { jobs, clock } = deps
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let turnAt = Number.POSITIVE_INFINITY
  let turn: Promise<void> | null = null
  let upkeep: NodeJS.Timeout | undefined
  let adoptedAt = Number.NEGATIVE_INFINITY

  async function takeTurn(): Promise<number> {
    if (!deps.isLeaseHeld()) return idleMs
    if (performance.now() - adoptedAt >= adoptMs && deps.canAdopt()) {
      adoptedAt = performance.now()
      await jobs.adopt(clock())
    }
    const room = Math.min(perTurn, maxUnderWay - underWay.size)
    if (room === 0) return turnMs
    const dueAt = await jobs.nextDueAt()
    if (dueAt === null) return idleMs
    if (dueAt > clock()) return Math.min(idleMs, Math.max(turnMs, dueAt - clock()))
    for (const job of await jobs.claim(clock(), room)) begin(job)
    return turnMs
  }

  function begin(job: JobRow): void {
    const poll = deps
      .poll(job, stopping.signal)
      .catch((error) => {
        deps.onFault(error, { jobId: job.jobId })
        return jobs.release([job.jobId]).catch(() => {})
      })
      .finally(() => underWay.delete(job.jobId))
    underWay.set(job.jobId, poll)
  }

  function schedule(inMs: number): void {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    turnAt = performance.now() + inMs
    timer = setTimeout(run, inMs).unref()
  }

  function run(): void {
    turnAt = Number.POSITIVE_INFINITY
    turn = takeTurn()
      .catch((error) => {
        deps.onFault(error, {})
        return idleMs
      })
      .then((nextMs) => {
        turn = null
        schedule(nextMs)
      })
  }

  return {
    start() {
      schedule(0)
      upkeep = setInterval(() => {
        jobs.renew([...underWay.keys()]).catch((error) => deps.onFault(error, {}))
      }, renewMs).unref()
    },
    /** Makes sure that a job that is due then is not noticed late. */
    notice(dueAt: number): void {
      const inMs = Math.max(turnMs, dueAt - clock())
      if (turn === null && turnAt !== Number.POSITIVE_INFINITY && performance.now() + inMs < turnAt) schedule(inMs)
    },
    underWay: () => underWay.size,
    /** Begins no poll any more and waits a moment for those under way; their claims are given up. */
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      clearInterval(upkeep)
      await turn
      const left = [...underWay.keys()]
      await Promise.race([Promise.all(underWay.values()), delay(stopMs, undefined, { ref: false })])
      await jobs.release(left.filter((jobId) => underWay.has(jobId))).catch(() => {})
    },
  }
}

export type PollWorker = ReturnType<typeof createPollWorker>
