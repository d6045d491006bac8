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
} from './commands.ts'
import { CommitHealth } from './commit-health.ts'

/** Applies the rules to a batch of commands and commits all of the results, or none. */
export interface BookStore {
  apply(commands: readonly Command[]): Promise<CommandResult[]>
  /** Like `apply`, but leaves out projects that somebody else has locked: the result of their commands is null. */
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
  readonly refuse: (command: Refuse) => Promise<RefuseResult>
  readonly track: (command: Track) => Promise<TrackResult>
  readonly end: (command: End) => Promise<EndResult>
  readonly credit: (command: Credit) => Promise<CreditResult>
  /** Grants or withdraws credits for an operator. */
  readonly move: (command: Movement) => Promise<MovementResult>
  /** Number of commands not committed yet. */
  readonly queued: () => number
  /** Whether the last commits failed, one after another and not long ago. */
  readonly isFailing: () => boolean
  /** Whether something was committed in the last seconds. */
  readonly hasCommittedLately: () => boolean
}

export interface LedgerOptions {
  readonly books: BookStore
  readonly maxQueued?: number
  /** How long a command waits for a project that somebody else has locked. */
  readonly lockLimitMs?: number
}

/** Somebody else has locked the project for too long. Nothing was committed. */
export class ProjectLocked extends Error {
  override readonly name = 'ProjectLocked'
}

/**
 * Commits commands in batches. A full batch is sent immediately; fewer commands wait until the store is idle, so batches grow
 * with the load. A full queue refuses new calls, but always accepts the end of a charge.
 */
export function createLedger({ books, maxQueued = 4096, lockLimitMs = 5000 }: LedgerOptions): Ledger {
  const queue = books.createQueue()
  let isScheduled = false
  const health = new CommitHealth()

  async function send(batch: Batch): Promise<void> {
    const locked = await commit(books, batch.submissions, health)
    queue.done(batch, locked.length === 0 ? locked : stillWaiting(locked, lockLimitMs, health))
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
    setImmediate(() => {
      isScheduled = false
      commitFull()
      const batch = queue.takeAny()
      if (batch) void send(batch)
    })
  }

  const submit = <C extends Command>(command: C): Promise<ResultOf<C>> =>
    new Promise((resolve, reject) => {
      const fault = books.faultOf?.(command)
      if (fault) return reject(fault)
      queue.add({ command, resolve: resolve as (result: CommandResult) => void, reject })
      commitSoon()
    })

  const overloaded = { kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED', retryAfterSeconds: 1 } as const
  const isFull = () => queue.waiting >= maxQueued
  return {
    admit: async (command) => (isFull() ? overloaded : submit(command)),
    refuse: async (command) => (isFull() ? overloaded : submit(command)),
    track: submit,
    end: submit,
    credit: submit,
    move: submit,
    queued: () => queue.waiting + queue.underWay,
    isFailing: () => health.isFailing,
    hasCommittedLately: () => health.hasCommittedLately,
  }
}

/**
 * If the store rejects a batch, commits it in halves, so that only the command at fault fails. Returns the commands whose
 * project is locked.
 */
async function commit(
  books: BookStore,
  submissions: readonly Submission[],
  health: CommitHealth,
): Promise<Submission[]> {
  const commands = submissions.map(({ command }) => command)
  try {
    const results = await (books.applyUnlocked?.(commands) ?? books.apply(commands))
    const locked: Submission[] = []
    for (const [index, submission] of submissions.entries()) {
      const result = results[index]!
      if (result === null) locked.push(submission)
      else submission.resolve(result)
    }
    if (locked.length < submissions.length) health.committed()
    return locked
  } catch (error) {
    const isUnavailable = books.isUnavailable(error)
    if (isUnavailable) health.unavailable()
    if (submissions.length === 1 || isUnavailable) {
      for (const { reject } of submissions) reject(error)
      return []
    }
    const middle = submissions.length >> 1
    const first = await commit(books, submissions.slice(0, middle), health)
    return [...first, ...(await commit(books, submissions.slice(middle), health))]
  }
}

/** Gives up on the commands that have waited too long for a locked project. */
function stillWaiting(locked: readonly Submission[], limitMs: number, health: CommitHealth): Submission[] {
  const now = performance.now()
  return locked.filter((submission) => {
    submission.lockedSince ??= now
    if (now - submission.lockedSince < limitMs) return true
    health.locked(submission)
    submission.reject(new ProjectLocked(`the project ${submission.command.projectId} was locked for ${limitMs} ms`))
    return false
  })
}
