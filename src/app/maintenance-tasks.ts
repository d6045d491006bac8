import { eventDays } from '../contract/choices.ts'
import type { IdentityStore } from '../features/accounts/ports.ts'
import type { EventPruner } from '../features/events/ports.ts'
import type { Task } from '../ops/maintenance.ts'
import { dayMs, hourMs, minuteMs, repeat, rowsAtOnce } from '../ops/maintenance.ts'
import type { ChargePruner } from '../relay/charge-store.ts'
import type { SnapshotPruner } from '../relay/snapshot-store.ts'

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
