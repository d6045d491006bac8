import { eventDays } from '../contract/choices.ts'
import type { IdentityStore } from '../features/accounts/ports.ts'
import type { EventPruner } from '../features/events/ports.ts'
import type { ChargePruner } from '../relay/charge-store.ts'
import type { SnapshotPruner } from '../relay/snapshot-store.ts'

interface Task {
  readonly name: string
  readonly everyMs: number
  /** Returns early once the signal is aborted. */
  readonly run: (stopping: AbortSignal) => Promise<unknown>
}

/** Runs each task at its interval, never twice at once. A failed task runs again at its next interval. */
export function startMaintenance(
  tasks: readonly Task[],
  onFailure: (name: string, error: unknown) => void,
): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  const timers = tasks.map((task) => {
    let isBusy = false
    return setInterval(() => {
      if (isBusy || stopping.signal.aborted) return
      isBusy = true
      const run = task
        .run(stopping.signal)
        .catch((error) => onFailure(task.name, error))
        .then(() => {
          isBusy = false
          running.delete(run)
        })
      running.add(run)
    }, task.everyMs).unref()
  })

  return {
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}

interface MaintenanceDeps {
  readonly identity: IdentityStore
  readonly charges: ChargePruner
  readonly snapshots: SnapshotPruner
  readonly events: EventPruner
  /** Tells the owners of keys that expire soon; returns how many warnings were due. */
  readonly warnOfExpiry: (limit: number) => Promise<number>
  readonly recover: Task['run']
  readonly pruneClips: () => Promise<unknown>
  /** Reads which providers operators took out of service on any instance. */
  readonly refreshProviders: Task['run']
  /** Logs the end of the audit log if it has moved. */
  readonly reportAuditHead: Task['run']
  /** Writes failed sign-ins of operators to the audit log, as sums; returns how many. */
  readonly sumUpSignIns: (limit: number) => Promise<number>
  readonly resultDays: number
  /** Moves old charges to archive files; null if none is ever moved. */
  readonly archive: Task['run'] | null
  readonly clock: () => number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 86_400_000
/** Small enough that no call waits long for one of these writes. */
const rowsAtOnce = 1000
const maxRounds = 500

/** Ends the charges of dead instances and deletes expired rows. */
export function createMaintenanceTasks(deps: MaintenanceDeps) {
  const { identity, charges, snapshots, events, resultDays, clock } = deps
  const projectsToPrune = new Set<string>()
  const tasks: Task[] = [
    { name: 'recover', everyMs: 5000, run: deps.recover },
    // Recovery reports a store that is away; until it is back, the switches stay as they were.
    { name: 'provider-switches', everyMs: 1000, run: (stopping) => deps.refreshProviders(stopping).catch(() => {}) },
    { name: 'audit-head', everyMs: 10_000, run: deps.reportAuditHead },
    {
      name: 'purge',
      everyMs: minuteMs,
      run: (stopping) => repeat(stopping, () => identity.write((tx) => tx.purge(clock(), rowsAtOnce))),
    },
    {
      name: 'prune-results',
      everyMs: minuteMs,
      run: (stopping) => repeat(stopping, () => charges.pruneResponses(clock() - resultDays * dayMs, rowsAtOnce)),
    },
    {
      name: 'prune-events',
      everyMs: minuteMs,
      run: (stopping) => repeat(stopping, () => events.prune(clock() - eventDays * dayMs, rowsAtOnce)),
    },
    {
      name: 'warn-of-expiry',
      everyMs: minuteMs,
      run: (stopping) => repeat(stopping, () => deps.warnOfExpiry(rowsAtOnce)),
    },
    {
      name: 'sum-up-sign-ins',
      everyMs: minuteMs,
      run: (stopping) => repeat(stopping, () => deps.sumUpSignIns(rowsAtOnce)),
    },
    { name: 'prune-clips', everyMs: hourMs, run: deps.pruneClips },
    ...(deps.archive ? [{ name: 'archive', everyMs: hourMs, run: deps.archive }] : []),
    {
      name: 'prune-snapshots',
      everyMs: minuteMs,
      run: async (stopping) => {
        const projectIds = [...projectsToPrune]
        projectsToPrune.clear()
        for (const projectId of projectIds) await snapshots.pruneExcess(projectId)
        await repeat(stopping, () => snapshots.pruneOld(rowsAtOnce))
      },
    },
  ]
  return { tasks, noteNewSnapshots: (projectId: string) => void projectsToPrune.add(projectId) }
}

/** Repeats until a round finds fewer rows than its limit, so that one run clears a whole backlog. */
async function repeat(stopping: AbortSignal, round: () => Promise<number>): Promise<void> {
  for (let rounds = 0; rounds < maxRounds && !stopping.aborted && (await round()) >= rowsAtOnce; rounds += 1);
}
