import { monotonicMs as clockMs } from '../../../base/clock.ts'
import { type DayNumber, dayOf, dayText, isoOf, isoOrNull, startOfDay } from '../../../base/time.ts'
import type { Replay } from '../../../ledger/replay.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import { integer, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import type { MoneySums } from '../../billing/payments/store/sums.ts'
import { countCreated } from '../../identity/accounts/store.ts'
import type { ReconcileRuns } from '../../records/reconcile/runs.ts'
import { failuresBetween } from '../providers/provider-day.ts'
import type { ProviderStates } from '../providers/provider-states.ts'
import type { Activity } from './activity.ts'
import { type OperatorOverview, overviewDays } from './contract.ts'

export interface OverviewDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly activity: Activity
  readonly providers: ProviderStates
  readonly runs: ReconcileRuns
  readonly money: MoneySums
  readonly lease: {
    readonly instanceId: string
    isHeld(): boolean
    liveInstances(): Promise<string[]>
  }
  readonly clock: () => number
  readonly monotonicMs?: () => number
}

const freshMs = 1000
/** These read a row for each project. */
const totalsFreshMs = 10_000
/** These read every order. */
const daysFreshMs = 60_000

/** What happens now. Everybody who asks within a second gets the same response, so that watching costs the store little. */
export function createOverview(deps: OverviewDeps): () => Promise<OperatorOverview> {
  const { engine, clock, monotonicMs = clockMs } = deps
  const totals = keptFor(totalsFreshMs, monotonicMs, () =>
    engine.read(async (tx) => ({
      credits: await readTotals(tx),
      days: await readSettledDays(tx, dayOf(clock()) - overviewDays + 1),
    })),
  )
  const lastDays = keptFor(daysFreshMs, monotonicMs, () => readLastDays(deps))
  return keptFor(freshMs, monotonicMs, async () => {
    const [{ credits, days }, now, live, [lastReconcile], openMoney, yesterdays] = await Promise.all([
      totals(),
      engine.read(async (tx) => ({ work: await readOpenWork(tx), instances: await readInstances(tx) })),
      deps.lease.liveInstances(),
      deps.runs.list(1),
      deps.money.open(),
      lastDays(),
    ])
    const { open, credits: held, oldestAt, pendingApprovals } = now.work
    const activity = deps.activity.now()
    return {
      instance: { instanceId: deps.lease.instanceId, ...activity },
      days: days.map(publicDay),
      credits: publicTotals(credits),
      reviews: { open, credits: held, oldestAt: isoOrNull(oldestAt) },
      pendingApprovals,
      openMoney,
      lastDays: yesterdays,
      providers: deps.providers.list(),
      failingProviders: deps.providers.failing(),
      instances: instancesOf(deps.lease, now.instances, { live, startedAt: activity.startedAt }),
      lastReconcile: lastReconcile ?? null,
    }
  })
}

/** Yesterday and the day before, in Shanghai. */
function readLastDays({ engine, clock, money }: OverviewDeps) {
  const today = dayOf(clock())
  return Promise.all(
    [today - 1, today - 2].map(async (day) => {
      const [from, to] = [startOfDay(day), startOfDay(day + 1)]
      const sql = 'SELECT COALESCE(SUM(credits), 0) AS credits FROM usage_days WHERE day = $1'
      const settled = await engine.read((tx) => tx.get<{ credits: number }>(sql, [day]))
      return {
        day: dayText(day),
        accounts: await countCreated(engine, from, to),
        ...(await money.between(from, to)),
        settledCredits: Number(settled!.credits),
        failures: await failuresBetween(engine, from, to),
      }
    }),
  )
}

/** Reads again when the last response is too old; callers share a read that is in progress. */
export function keptFor<T>(ms: number, monotonicMs: () => number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | null = null
  return () => {
    if (kept && monotonicMs() - kept.at < ms) return kept.value
    const value = read()
    const current = { at: monotonicMs(), value }
    kept = current
    value.catch(() => {
      if (kept === current) kept = null
    })
    return value
  }
}

const publicDay = ({ day, operation, calls, credits }: SettledOnDay): OperatorOverview['days'][number] => ({
  day: dayText(day),
  operation: operation as OperatorOverview['days'][number]['operation'],
  calls,
  credits,
})

const publicTotals = ({ credited, granted, withdrawn, settled, reserved, available }: StoreTotals) => ({
  bought: credited - granted + withdrawn,
  granted,
  withdrawn,
  spent: settled,
  reserved,
  available,
})

function instancesOf(
  { instanceId, isHeld }: OverviewDeps['lease'],
  rows: readonly RowOf<typeof instances.columns>[],
  { live, startedAt }: { readonly live: readonly string[]; readonly startedAt: string },
): OperatorOverview['instances'] {
  if (rows.length === 0) return [{ instanceId, isThis: true, startedAt, leaseUntil: null, isLive: isHeld() }]
  return rows.map((row) => ({
    instanceId: row.instanceId,
    isThis: row.instanceId === instanceId,
    startedAt: isoOf(row.startedAt),
    leaseUntil: isoOf(row.leaseUntil),
    isLive: live.includes(row.instanceId),
  }))
}

/** Sums over all projects. They read a row for each project, so their callers keep them for a while. */
type StoreTotals = Omit<Replay, 'entryId' | 'seq'>

async function readTotals(tx: Reader): Promise<StoreTotals> {
  const balances = await tx.get<Omit<StoreTotals, 'granted' | 'withdrawn'>>(
    `SELECT COALESCE(SUM(available), 0) AS available, COALESCE(SUM(reserved), 0) AS reserved,
      COALESCE(SUM(settled), 0) AS settled, COALESCE(SUM(credited), 0) AS credited FROM balances`,
  )
  const moved = await tx.get<Pick<StoreTotals, 'granted' | 'withdrawn'>>(
    `SELECT COALESCE(SUM(CASE WHEN kind = 'grant' THEN amount ELSE 0 END), 0) AS granted,
      COALESCE(SUM(CASE WHEN kind = 'withdraw' THEN amount ELSE 0 END), 0) AS withdrawn FROM operator_movements`,
  )
  return { ...balances!, ...moved! }
}

interface SettledOnDay {
  readonly day: DayNumber
  readonly operation: string
  readonly calls: number
  readonly credits: number
}

/** What all projects settled from a day on. */
const readSettledDays = (tx: Reader, since: DayNumber): Promise<SettledOnDay[]> =>
  tx.all<SettledOnDay>(
    `SELECT day, operation, SUM(calls) AS calls, SUM(credits) AS credits FROM usage_days WHERE day >= $1
    GROUP BY day, operation ORDER BY day, operation`,
    [since],
  )

interface OpenWork {
  readonly open: number
  readonly credits: number
  readonly oldestAt: number | null
  readonly pendingApprovals: number
}

async function readOpenWork(tx: Reader): Promise<OpenWork> {
  const reviews = await tx.get<Omit<OpenWork, 'pendingApprovals'>>(
    `SELECT COUNT(*) AS open, COALESCE(SUM(credits), 0) AS credits, MIN(reserved_at) AS "oldestAt" FROM reviewable_charges`,
  )
  const approvals = await tx.get<{ pending: number }>(
    "SELECT COUNT(*) AS pending FROM approvals WHERE state = 'pending'",
  )
  return { ...reviews!, pendingApprovals: approvals!.pending }
}

const instances = rowMapper('instances', { instanceId: text(), startedAt: integer(), leaseUntil: integer() })

/** None where the file lock is the lease. */
const readInstances = (tx: Reader) => instances.all(tx, 'ORDER BY started_at, instance_id LIMIT 1000')
