import { setTimeout as delay } from 'node:timers/promises'
import { mediaOperation } from '../../contract/prices.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ContentFiles } from './content-files.ts'
import {
  afterFetch,
  afterLook,
  afterRead,
  endCommand,
  type FetchResult,
  type JobDecision,
  jobResponse,
  type PollTiming,
  reviewed,
} from './job-machine.ts'
import { type JobClaims, type JobRow, type JobStore, providerJob } from './ports.ts'
import type { MediaProvider } from './providers/provider.ts'

export interface PollDeps {
  readonly jobs: Pick<JobStore, 'save' | 'release' | 'ofCharge' | 'isTaken'>
  readonly ledger: Pick<Ledger, 'end'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly files: Pick<ContentFiles, 'keep'>
  readonly timing: PollTiming
  readonly clock: () => number
  readonly random: () => number
  readonly onSettled: (charge: { operation: typeof mediaOperation; credits: number }) => void
  readonly onReview: (context: { jobId: string; chargeId: string; reason: string | null }) => void
}

/** How long a clip may take to arrive. */
const maxFetchMs = 600_000

/** Asks the provider about one claimed job and commits what follows. Nothing is committed once `stopping` is aborted. */
export async function pollJob(deps: PollDeps, job: JobRow, stopping: AbortSignal): Promise<void> {
  const provider = deps.providers.get(job.provider)
  const moment = () => ({ now: deps.clock(), random: deps.random() })
  let decision = await ask(deps, job, provider, moment)
  if (decision.kind === 'fetch' && !stopping.aborted)
    decision = afterFetch(job, await fetchContent(deps, job, provider!, stopping), deps.timing, moment())
  // Our own shutdown breaks connections: what that looks like says nothing about the job.
  if (stopping.aborted || decision.kind === 'fetch') return deps.jobs.release([job.jobId])
  if (decision.kind === 'keep') {
    const isSaved = await deps.jobs.save(job, decision.update, deps.clock())
    // Changed meanwhile, by a cancellation for instance: the next poll sees it.
    return isSaved ? undefined : deps.jobs.release([job.jobId])
  }
  if (decision.charge === 'manual_review')
    deps.onReview({ jobId: job.jobId, chargeId: job.chargeId, reason: decision.errorCode })
  const { kind } = await deps.ledger.end(endCommand(job, decision, deps.clock(), jobResponse(job.chargeId)))
  if (kind !== 'ended' || decision.charge !== 'settled') return
  const charged = await deps.jobs.ofCharge(job.chargeId)
  if (charged) deps.onSettled({ operation: mediaOperation, credits: charged.credits })
}

async function ask(
  { timing, jobs }: PollDeps,
  job: JobRow,
  provider: MediaProvider | undefined,
  moment: () => { now: number; random: number },
): Promise<JobDecision> {
  const { providerId: id } = job
  if (id === null) {
    const look = (await provider?.look(providerJob(job))) ?? { kind: 'no_answer' }
    // The unique index decides a race of two jobs for one id: the loser fails, is asked about again and ends here.
    if (look.kind === 'found' && (await jobs.isTaken(job, look.id))) return reviewed('PROVIDER_JOB_ID_REUSED')
    return afterLook(job, look, timing, moment())
  }
  // A provider that is no longer configured cannot be asked.
  const read = (await provider?.read({ ...providerJob(job), id })) ?? { kind: 'no_answer' }
  return afterRead(job, read, timing, moment())
}

async function fetchContent(
  { files }: PollDeps,
  job: JobRow,
  provider: MediaProvider,
  stopping: AbortSignal,
): Promise<FetchResult> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(maxFetchMs)])
  const content = await provider.open({ ...providerJob(job), id: job.providerId! }, signal)
  if (content.kind === 'opened') return files.keep(job, content)
  // Refused by ourselves: nothing was asked, so nothing is known about the clip.
  return content.code === 'PROVIDER_CAPACITY_EXHAUSTED' ? { kind: 'not_kept' } : { kind: 'invalid' }
}

interface PollWorkerDeps {
  readonly jobs: JobClaims
  readonly poll: (job: JobRow, stopping: AbortSignal) => Promise<void>
  readonly clock: () => number
  /** False while other instances may consider this one dead: it claims nothing then. */
  readonly isLeaseHeld: () => boolean
  readonly canAdopt: () => boolean
  readonly onFault: (error: unknown, context: { jobId?: string }) => void
}

/** For each provider at most this many polls begin in a turn, and a turn takes at least this long: 100 polls a second. */
const perTurn = 10
const turnMs = 100
/** Without work, how often the store is asked: another instance may have noted a cancellation or a callback. */
const idleMs = 1000
/** For each provider. */
const maxUnderWay = 32
/** Of these, for projects that have no poll under way: the polls of others may hang. */
const keptSlots = 8
const renewMs = 5000
const adoptMs = 2000
const stopMs = 3000

/**
 * Polls the jobs that are due, whichever instance created them. Each is claimed first, so that one instance polls it at a
 * time; the claims of an instance that died end by themselves, and others take its jobs over. Each provider has its own slots,
 * and projects take turns for them, so that jobs that hang hold up nobody else's.
 */
export function createPollWorker(deps: PollWorkerDeps) {
  const { jobs, clock } = deps
  const stopping = new AbortController()
  const underWay = new Map<string, { readonly job: JobRow; readonly poll: Promise<void> }>()
  /** The project that had the last turn, by provider. */
  const lastTurns = new Map<string, string>()
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
    const dueAt = await jobs.nextDueAt()
    if (dueAt === null) return idleMs
    if (dueAt > clock()) return Math.min(idleMs, Math.max(turnMs, dueAt - clock()))
    for (const provider of await jobs.openProviders()) await beginDue(provider)
    return turnMs
  }

  async function beginDue(provider: string): Promise<void> {
    const polled = [...underWay.values()].flatMap(({ job }) => (job.provider === provider ? [job.projectId] : []))
    if (polled.length === maxUnderWay) return
    const projects = await jobs.dueProjects(provider, clock(), lastTurns.get(provider) ?? '')
    const shares = sharesOf(projects, polled)
    if (shares.size === 0) return
    lastTurns.set(provider, [...shares.keys()].at(-1)!)
    for (const job of await jobs.claim(provider, clock(), shares)) begin(job)
  }

  function begin(job: JobRow): void {
    const poll = deps
      .poll(job, stopping.signal)
      .catch((error) => {
        deps.onFault(error, { jobId: job.jobId })
        return jobs.release([job.jobId]).catch(() => {})
      })
      .finally(() => underWay.delete(job.jobId))
    underWay.set(job.jobId, { job, poll })
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
      await Promise.race([
        Promise.all([...underWay.values()].map(({ poll }) => poll)),
        delay(stopMs, undefined, { ref: false }),
      ])
      await jobs.release(left.filter((jobId) => underWay.has(jobId))).catch(() => {})
    },
  }
}

/** How many polls each project may begin, in the order of their turns. `polled` has an entry for each poll under way. */
function sharesOf(projects: readonly string[], polled: readonly string[]): Map<string, number> {
  const busy = new Set(polled)
  const shares = new Map<string, number>()
  let left = Math.min(perTurn, maxUnderWay - polled.length)
  let unkept = maxUnderWay - keptSlots - polled.length
  for (let begun = -1; begun !== left; ) {
    begun = left
    for (const project of projects) {
      const isFirst = !busy.has(project)
      if (left === 0 || (!isFirst && unkept <= 0)) continue
      busy.add(project)
      shares.set(project, (shares.get(project) ?? 0) + 1)
      left -= 1
      unkept -= 1
    }
  }
  return shares
}
