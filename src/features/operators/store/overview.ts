import type { DayNumber } from '../../../base/time.ts'
import type { Reader } from '../../../storage/engine.ts'

/** Sums over all projects. They read a row for each project, so their callers keep them for a while. */
export interface StoreTotals {
  readonly available: number
  readonly reserved: number
  readonly settled: number
  /** Bought and granted, less what was withdrawn. */
  readonly credited: number
  readonly granted: number
  readonly withdrawn: number
}

export async function readTotals(tx: Reader): Promise<StoreTotals> {
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

export interface SettledOnDay {
  readonly day: DayNumber
  readonly operation: string
  readonly calls: number
  readonly credits: number
}

/** What all projects settled from a day on. */
export const readSettledDays = (tx: Reader, since: DayNumber): Promise<SettledOnDay[]> =>
  tx.all<SettledOnDay>(
    `SELECT day, operation, SUM(calls) AS calls, SUM(credits) AS credits FROM usage_days WHERE day >= $1
    GROUP BY day, operation ORDER BY day, operation`,
    [since],
  )

export interface OpenWork {
  readonly open: number
  readonly credits: number
  readonly oldestAt: number | null
  readonly pendingApprovals: number
}

/** What waits for an operator. */
export async function readOpenWork(tx: Reader): Promise<OpenWork> {
  const reviews = await tx.get<Omit<OpenWork, 'pendingApprovals'>>(
    `SELECT COUNT(*) AS open, COALESCE(SUM(credits), 0) AS credits, MIN(reserved_at) AS "oldestAt" FROM reviewable_charges`,
  )
  const approvals = await tx.get<{ pending: number }>(
    "SELECT COUNT(*) AS pending FROM approvals WHERE state = 'pending'",
  )
  return { ...reviews!, pendingApprovals: approvals!.pending }
}

export interface InstanceRow {
  readonly instanceId: string
  readonly startedAt: number
  readonly leaseUntil: number
}

/** None where the file lock is the lease. */
export const readInstances = (tx: Reader): Promise<InstanceRow[]> =>
  tx.all<InstanceRow>(
    `SELECT instance_id AS "instanceId", started_at AS "startedAt", lease_until AS "leaseUntil"
    FROM instances ORDER BY started_at, instance_id LIMIT 1000`,
  )
