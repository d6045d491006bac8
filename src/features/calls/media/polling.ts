import { monotonicMs } from '../../../base/clock.ts'
import { sometimes } from '../../../base/sometimes.ts'
import { every, type Timer, timeoutSignal } from '../../../base/timers.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import { mediaOperation } from '../../../contract/prices.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { ContentFiles } from './content-files.ts'
import {
  afterFetch,
  afterFind,
  afterRead,
  endCommand,
  type FetchResult,
  type JobDecision,
  type PollTiming,
  reviewed,
} from './job-transitions.ts'
import type { MediaProvider } from './providers/provider.ts'
import { type JobRow, type JobStore, providerJob } from './store.ts'

export interface PollDeps {
  readonly jobs: Pick<JobStore, 'save' | 'release' | 'ofCharge' | 'isTaken'>
  readonly ledger: Pick<Ledger, 'end'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly files: Pick<ContentFiles, 'keep'>
  readonly timing: PollTiming
  readonly clock: () => number
  readonly random: () => number
  /** False while other instances may consider this one dead. */
  readonly isLeaseHeld: () => boolean
  readonly onSettled: (charge: { operation: typeof mediaOperation; credits: number }) => void
  readonly onReview: (context: { jobId: string; chargeId: string; reason: string | null }) => void
}

/** How long a clip may take to arrive. */
const maxFetchMs = 600_000

/**
 * Asks the provider about one claimed job and commits what follows. Nothing is committed once `stopping` is aborted or the lease has
 * lapsed: others may have claimed the job since, and know more.
 */
export async function pollJob(deps: PollDeps, job: JobRow, stopping: AbortSignal): Promise<void> {
  // Committing the claim may have taken longer than the lease.
  if (sometimes('the lease lapses while a poll is claimed', !deps.isLeaseHeld())) return deps.jobs.release([job.jobId])
  const provider = deps.providers.get(job.provider)
  const moment = () => ({ now: deps.clock(), random: deps.random() })
  let decision = await ask(deps, job, provider, moment)
  if (decision.kind === 'fetch' && !stopping.aborted)
    decision = afterFetch(job, await fetchContent(deps, job, provider!, stopping), deps.timing, moment())
  // Our own shutdown breaks connections: what that looks like says nothing about the job.
  if (stopping.aborted || !deps.isLeaseHeld() || decision.kind === 'fetch') return deps.jobs.release([job.jobId])
  if (decision.kind === 'keep') {
    const isSaved = await deps.jobs.save(job, decision.update, deps.clock())
    if (isSaved) return
    // Changed since, for example by a cancellation: the next poll sees it.
    sometimes('a media job changes while its provider is asked')
    return deps.jobs.release([job.jobId])
  }
  if (decision.charge === 'manual_review')
    deps.onReview({ jobId: job.jobId, chargeId: job.chargeId, reason: decision.errorCode })
  const { kind } = await deps.ledger.end(endCommand(job, decision, deps.clock()))
  if (kind === 'already') sometimes('two instances end the same media job')
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
    const found = (await provider?.find(providerJob(job))) ?? { kind: 'no_response' }
    // The unique index decides a race of two jobs for one id: the loser fails, is asked about again and ends here.
    if (found.kind === 'found') sometimes('a media job whose submission got no response is found')
    if (found.kind === 'found' && (await jobs.isTaken(job, found.id))) return reviewed('PROVIDER_JOB_ID_REUSED')
    return afterFind(job, found, timing, moment())
  }
  // A provider that is no longer configured cannot be asked.
  const read = (await provider?.read({ ...providerJob(job), id })) ?? { kind: 'no_response' }
  return afterRead(job, read, timing, moment())
}

async function fetchContent(
  { files }: PollDeps,
  job: JobRow,
  provider: MediaProvider,
  stopping: AbortSignal,
): Promise<FetchResult> {
  const signal = AbortSignal.any([stopping, timeoutSignal(maxFetchMs)])
  const content = await provider.open({ ...providerJob(job), id: job.providerId! }, signal)
  if (content.kind === 'opened') return files.keep(job, content)
  // Refused by ourselves: nothing was asked, so nothing is known about the clip.
  return content.code === 'PROVIDER_CAPACITY_EXHAUSTED' ? { kind: 'not_kept' } : { kind: 'invalid' }
}

interface PollWorkerDeps {
  readonly jobs: JobStore
  readonly poll: (job: JobRow, stopping: AbortSignal) => Promise<void>
  readonly clock: () => number
  /** Without a lease it claims nothing. */
  readonly isLeaseHeld: () => boolean
  readonly canAdopt: () => boolean
  readonly onFault: (error: unknown, context: { jobId?: string }) => void
}

/** For each provider at most this many polls begin in a turn, and a turn takes at least this long: 100 polls a second. */
const perTurn = 10
const turnMs = 100
/** For each provider. */
const maxUnderWay = 32
/** Of these, for projects that have no poll in progress: the polls of others may hang. */
const keptSlots = 8
const renewMs = 5000
const adoptMs = 2000
const stopLimitMs = 3000

/**
 * Polls the jobs that are due, whichever instance created them. Each is claimed first, so that one instance polls it at a
 * time; the claims of an instance that died end by themselves, and others take its jobs over. Each provider has its own slots,
 * and projects take turns for them, so that jobs that hang hold up no other project's.
 */
export function createPollWorker(deps: PollWorkerDeps) {
  const { jobs, clock } = deps
  const stopping = new AbortController()
  const underWay = new Map<string, JobRow>()
  /** The project that had the last turn, by provider. */
  const lastTurns = new Map<string, string>()
  const loop = createWorkLoop({ beginDue, onFault: (error) => deps.onFault(error, {}), pauseMs: turnMs, stopLimitMs })
  let upkeep: Timer | undefined
  let adoptedAt = Number.NEGATIVE_INFINITY

  async function beginDue(): Promise<boolean | number> {
    if (!deps.isLeaseHeld()) return false
    if (monotonicMs() - adoptedAt >= adoptMs && deps.canAdopt()) {
      adoptedAt = monotonicMs()
      await jobs.adopt(clock())
    }
    const dueAt = await jobs.nextDueAt()
    if (dueAt === null) return false
    if (dueAt > clock()) return dueAt - clock()
    for (const provider of await jobs.openProviders()) await beginOf(provider)
    return true
  }

  async function beginOf(provider: string): Promise<void> {
    const polled = [...underWay.values()].flatMap((job) => (job.provider === provider ? [job.projectId] : []))
    if (polled.length === maxUnderWay) return
    const projects = await jobs.dueProjects(provider, clock(), lastTurns.get(provider) ?? '')
    const shares = sharesOf(projects, polled)
    if (shares.size === 0) return
    lastTurns.set(provider, [...shares.keys()].at(-1)!)
    for (const job of await jobs.claim(provider, clock(), shares)) loop.begin(poll(job))
  }

  async function poll(job: JobRow): Promise<void> {
    const { jobId } = job
    underWay.set(jobId, job)
    try {
      await deps.poll(job, stopping.signal)
    } catch (error) {
      deps.onFault(error, { jobId })
      await jobs.release([jobId]).catch(() => {})
    } finally {
      underWay.delete(jobId)
    }
  }

  return {
    start() {
      loop.start()
      upkeep = every(renewMs, () => {
        jobs.renew([...underWay.keys()]).catch((error) => deps.onFault(error, {}))
      }).unref()
    },
    /** Makes sure that a job that is due then is not noticed late. */
    notice: (dueAt: number): void => loop.wakeIn(Math.max(0, dueAt - clock())),
    underWay: loop.underWay,
    /** Begins no poll any more and waits a moment for those in progress; their claims are given up. */
    async stop(): Promise<void> {
      stopping.abort()
      upkeep?.cancel()
      await loop.stop()
      await jobs.release([...underWay.keys()]).catch(() => {})
    },
  }
}

/** How many polls each project may begin, in the order of their turns. `polled` has an entry for each poll in progress. */
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
