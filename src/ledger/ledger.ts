import { monotonicMs as clockMs } from '../base/clock.ts'
import { sometimes } from '../base/sometimes.ts'
import { soon } from '../base/timers.ts'
import type { Batch, BatchQueue, Submission } from './batch-queue.ts'
import type {
  Admit,
  AdmitResult,
  Command,
  CommandResult,
  Credit,
  CreditResult,
  End,
  EndResult,
  Movement,
  MovementResult,
  Refuse,
  RefuseResult,
  ResultOf,
  Track,
  TrackResult,
  Use,
  UseResult,
} from './commands.ts'
import type { Hold, HoldResult, Unhold, UnholdResult } from './payments.ts'

/** Applies the rules to a batch of commands and commits all of the results, or none. */
export interface BatchStore {
  apply(commands: readonly Command[]): Promise<CommandResult[]>
  /** Like `apply`, but leaves out projects that another session has locked: the result of their commands is null. */
  applyUnlocked?(commands: readonly Command[]): Promise<(CommandResult | null)[]>
  /** Why the store can never write a command; it would make its whole batch fail. */
  faultOf?(command: Command): Error | null
  /** True if the store could not be reached; false if it rejected the commands. */
  isUnavailable(error: unknown): boolean
  /** A new queue with this store's batch policy. */
  createQueue(): BatchQueue
}

/** Every change of credits. Each promise resolves only after its commit is on disk. */
export interface Ledger {
  readonly admit: (command: Admit) => Promise<AdmitResult>
  readonly use: (command: Use) => Promise<UseResult>
  readonly refuse: (command: Refuse) => Promise<RefuseResult>
  readonly track: (command: Track) => Promise<TrackResult>
  readonly end: (command: End) => Promise<EndResult>
  readonly credit: (command: Credit) => Promise<CreditResult>
  /** Grants or withdraws credits for an operator. */
  readonly move: (command: Movement) => Promise<MovementResult>
  /** Holds the credits of a refund, and ends it. */
  readonly hold: (command: Hold) => Promise<HoldResult>
  readonly unhold: (command: Unhold) => Promise<UnholdResult>
  readonly queued: () => number
  /** Whether the last commits failed, one after another. */
  readonly isFailing: () => boolean
  /** Commits in a row that found the store unavailable. */
  readonly failures: () => number
  /** A check that needs as much room as a commit succeeded; `failuresBefore` is what `failures` was when it began. */
  readonly checked: (failuresBefore: number) => void
  /** Whether something was committed in the last seconds. */
  readonly hasCommittedLately: () => boolean
}

export interface LedgerOptions {
  readonly store: BatchStore
  readonly maxQueued?: number
  /** How long a command waits for a project that another session has locked, or behind commits that fail. */
  readonly waitLimitMs?: number
  readonly monotonicMs?: () => number
}

/** Another session has locked the project for too long. Nothing was committed. */
export class ProjectLocked extends Error {
  override readonly name = 'ProjectLocked'
}

/** The commits before it took too long and failed. Nothing was committed. */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
}

/** Whether a commit that failed may have happened anyway. */
export const mayHaveCommitted = (error: unknown): boolean =>
  (error as { mayHaveCommitted?: unknown } | null)?.mayHaveCommitted === true

/** Commits commands in batches. A full queue refuses new calls, but always accepts the end of a charge. */
export function createLedger(options: LedgerOptions): Ledger {
  const { store, maxQueued = 4096, waitLimitMs = 5000, monotonicMs = clockMs } = options
  const queue = store.createQueue()
  const health = new CommitHealth(monotonicMs)
  const commitSoon = createCommitter({
    store,
    queue,
    health,
    limits: createWaitLimits(waitLimitMs, monotonicMs, health),
  })

  const submit = <C extends Command>(command: C): Promise<ResultOf<C>> =>
    new Promise((resolve, reject) => {
      const fault = store.faultOf?.(command)
      if (fault) return reject(fault)
      queue.add({ command, resolve: resolve as (result: CommandResult) => void, reject, since: monotonicMs() })
      commitSoon()
    })

  const overloaded = { kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED', retryAfterSeconds: 1 } as const
  const isFull = () => queue.waiting >= maxQueued
  return {
    admit: async (command) => (isFull() ? overloaded : submit(command)),
    use: async (command) => (isFull() ? overloaded : submit(command)),
    refuse: async (command) => (isFull() ? overloaded : submit(command)),
    track: submit,
    end: submit,
    credit: submit,
    move: submit,
    hold: submit,
    unhold: submit,
    queued: () => queue.waiting + queue.underWay,
    isFailing: () => health.isFailing,
    failures: () => health.failures,
    checked: (failuresBefore) => health.checked(failuresBefore),
    hasCommittedLately: () => health.hasCommittedLately,
  }
}

type WaitLimits = ReturnType<typeof createWaitLimits>

/** Rejects commands that have waited too long. */
function createWaitLimits(waitLimitMs: number, monotonicMs: () => number, health: CommitHealth) {
  const hasWaited = ({ since }: Submission) => monotonicMs() - since >= waitLimitMs
  return {
    /** While commits fail, each takes long: callers that have waited for some of them get a response before the next. */
    isInTime(submission: Submission): boolean {
      if (!hasWaited(submission)) return true
      sometimes('a command is refused because commits before it failed for too long')
      submission.reject(new LedgerUnavailable(`nothing was committed for ${waitLimitMs} ms`))
      return false
    },
    /** Gives up on a locked project after a while. */
    canWaitOn(submission: Submission): boolean {
      if (!hasWaited(submission)) return true
      health.locked(submission)
      const { projectId } = submission.command
      submission.reject(new ProjectLocked(`the project ${projectId} was locked for ${waitLimitMs} ms`))
      return false
    },
  }
}

interface CommitterDeps {
  readonly store: BatchStore
  readonly queue: BatchQueue
  readonly health: CommitHealth
  readonly limits: WaitLimits
}

/** Sends full batches at once. Fewer commands wait until the store is idle, so batches grow with the load. */
function createCommitter({ store, queue, health, limits }: CommitterDeps): () => void {
  let isScheduled = false

  async function send(batch: Batch): Promise<void> {
    const submissions = health.isDown ? batch.submissions.filter(limits.isInTime) : batch.submissions
    const locked = submissions.length === 0 ? [] : await commit(store, submissions, health)
    queue.done(batch, locked.length === 0 ? locked : locked.filter(limits.canWaitOn))
    commitSoon()
  }

  function commitFull(): void {
    for (let batch = queue.takeFull(); batch; batch = queue.takeFull()) void send(batch)
    for (let batch = queue.takeLocked(); batch; batch = queue.takeLocked()) void send(batch)
  }

  function commitSoon(): void {
    commitFull()
    if (isScheduled || !queue.canTakeAny) return
    isScheduled = true
    // In the next turn of the event loop, so that calls that arrive together commit together.
    soon(() => {
      isScheduled = false
      commitFull()
      const batch = queue.takeAny()
      if (batch) void send(batch)
    })
  }

  return commitSoon
}

/**
 * If the store rejects a batch, commits it in halves, so that only the command at fault fails. Returns the commands whose
 * project is locked.
 */
async function commit(
  store: BatchStore,
  submissions: readonly Submission[],
  health: CommitHealth,
): Promise<Submission[]> {
  const commands = submissions.map(({ command }) => command)
  try {
    const results = await (store.applyUnlocked?.(commands) ?? store.apply(commands))
    const locked: Submission[] = []
    for (const [index, submission] of submissions.entries()) {
      const result = results[index]!
      if (result === null) locked.push(submission)
      else submission.resolve(result)
    }
    if (locked.length < submissions.length) health.committed()
    return locked
  } catch (error) {
    const isUnavailable = store.isUnavailable(error)
    if (isUnavailable) health.unavailable()
    if (submissions.length === 1 || isUnavailable) {
      for (const { reject } of submissions) reject(error)
      return []
    }
    const middle = submissions.length >> 1
    const first = await commit(store, submissions.slice(0, middle), health)
    return [...first, ...(await commit(store, submissions.slice(middle), health))]
  }
}

const failuresToReport = 3

const lockReportMs = 10_000

const recentMs = 5000

/**
 * Whether the last commits failed. That the store is unavailable is reported until a commit, or a check that needs as much room,
 * succeeds. One project that is locked or damaged does not count: the others still commit. Locks age, because no check says
 * when they end.
 */
class CommitHealth {
  readonly #monotonicMs: () => number
  readonly #lockedProjects = new Set<string>()
  #failuresInARow = 0
  #locksInARow = 0
  #lastLockMs = Number.NEGATIVE_INFINITY
  #lastCommitMs = Number.NEGATIVE_INFINITY

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  get isFailing(): boolean {
    if (this.#failuresInARow >= failuresToReport) return true
    return this.#locksInARow >= failuresToReport && this.#monotonicMs() - this.#lastLockMs < lockReportMs
  }

  /** Whether the last commit found the store unavailable. */
  get isDown(): boolean {
    return this.#failuresInARow + this.#locksInARow > 0
  }

  get failures(): number {
    return this.#failuresInARow
  }

  get hasCommittedLately(): boolean {
    return this.#monotonicMs() - this.#lastCommitMs < recentMs
  }

  committed(): void {
    this.#lastCommitMs = this.#monotonicMs()
    this.#failuresInARow = 0
    this.#locksInARow = 0
    if (this.#lockedProjects.size > 0) this.#lockedProjects.clear()
  }

  /** A check that needs as much room as a commit has succeeded. It says nothing about failures after it began. */
  checked(failuresBefore: number): void {
    if (this.#failuresInARow === failuresBefore) this.#failuresInARow = 0
  }

  unavailable(): void {
    this.#failuresInARow += 1
  }

  /** Gave up on commands of a project that another session has locked. */
  locked({ command }: Submission): void {
    if (this.#lockedProjects.size < failuresToReport) this.#lockedProjects.add(command.projectId)
    if (this.#lockedProjects.size === 1) return
    this.#locksInARow += 1
    this.#lastLockMs = this.#monotonicMs()
  }
}
