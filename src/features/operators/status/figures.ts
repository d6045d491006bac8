import { dayMs, hourMs, minuteMs } from '../../../base/time.ts'
import { type BillableOperation, billableOperations } from '../../../contract/prices.ts'
import type { OperationFigures, OperationStatus, StatusPeriod } from '../../../documents/status.ts'
import { type Engine, type Reader, type ScriptStatement, writeScript } from '../../../storage/engine.ts'
import { insertScript } from '../../../storage/sql-text.ts'
import type { Activity, MinuteOutcomes } from '../overview/activity.ts'

/** Each period is added up from the spans that began in it, so that a page needs few rows. */
const periods: Readonly<Record<StatusPeriod, { readonly spanMs: number; readonly spans: number }>> = {
  lastHour: { spanMs: 5 * minuteMs, spans: 12 },
  lastDay: { spanMs: hourMs, spans: 24 },
  last90Days: { spanMs: dayMs, spans: 90 },
}

/** A period with fewer calls has no figures: they would show what single customers do. */
export const fewestCalls = 20

/** Stored with the calls that failed. */
const failedMs = 0

interface CallCount {
  readonly spanMs: number
  readonly startsAt: number
  readonly operation: string
  readonly latencyMs: number
  calls: number
}

interface FiguresDeps {
  readonly engine: Pick<Engine, 'write' | 'script'>
  readonly activity: Pick<Activity, 'ended'>
  readonly clock: () => number
}

/** Stores what the instance counted in memory, a minute at a time. Instances add to the same rows. */
export function createFiguresWriter({ engine, activity, clock }: FiguresDeps) {
  let stored = -1

  /** With `isLast`, what the current minute has counted too. A crash loses a minute. */
  async function store({ isLast = false } = {}): Promise<void> {
    const minute = Math.floor(clock() / minuteMs)
    // After a clock that was set back.
    stored = Math.min(stored, minute - 1)
    const outcomes = isLast ? activity.ended(stored, minute + 1) : activity.ended(stored)
    const counts = countsOf(outcomes)
    if (counts.length > 0) await writeScript(engine, [...insertScript(counts, addCalls, valuesOf), ...prunes(clock())])
    stored = isLast ? minute : minute - 1
  }

  return { store }
}

/** Sorted, so that two instances lock the same rows in the same order. */
function countsOf(outcomes: readonly MinuteOutcomes[]): CallCount[] {
  const counts = new Map<string, CallCount>()
  for (const { spanMs } of Object.values(periods)) {
    for (const { minute, operation, failed, succeeded } of outcomes) {
      if (!billableOperations.includes(operation as BillableOperation)) continue
      const startsAt = spanStart(minute * minuteMs, spanMs)
      const add = (latencyMs: number, calls: number) => {
        const id = `${spanMs} ${startsAt} ${operation} ${latencyMs}`
        const count = counts.get(id) ?? { spanMs, startsAt, operation, latencyMs, calls: 0 }
        count.calls += calls
        counts.set(id, count)
      }
      if (failed > 0) add(failedMs, failed)
      for (const { latencyMs, calls } of succeeded) add(inTwoDigits(latencyMs), calls)
    }
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}

const spanStart = (at: number, spanMs: number) => at - (at % spanMs)

/** Rounded up: 1.2 becomes 2, and 1234 becomes 1300. */
export function inTwoDigits(ms: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(ms)) - 1)
  return Math.ceil(ms / step) * step
}

const valuesOf = ({ spanMs, startsAt, operation, latencyMs, calls }: CallCount) => [
  ...[spanMs, startsAt, operation, latencyMs, calls],
]

const addCalls = (values: string) =>
  `INSERT INTO operation_calls (span_ms, starts_at, operation, latency_ms, calls) VALUES ${values}
  ON CONFLICT (span_ms, starts_at, operation, latency_ms) DO UPDATE SET calls = operation_calls.calls + excluded.calls`

const beginningOf = ({ spanMs, spans }: (typeof periods)[StatusPeriod], now: number) =>
  spanStart(now, spanMs) - spans * spanMs

/** Kept a little longer than they are shown, because clocks differ. */
const prunes = (now: number): ScriptStatement[] =>
  Object.values(periods).map((period) => ({
    sql: 'DELETE FROM operation_calls WHERE span_ms = $1 AND starts_at < $2',
    params: [period.spanMs, beginningOf(period, now) - 2 * period.spanMs],
  }))

/** How the calls of each operation went, over all instances: shares and times, never how many there were. */
export async function readFigures(tx: Reader, now: number): Promise<OperationStatus[]> {
  const lastHour = await readPeriod(tx, periods.lastHour, now)
  const lastDay = await readPeriod(tx, periods.lastDay, now)
  const last90Days = await readPeriod(tx, periods.last90Days, now)
  return billableOperations.map((operation) => ({
    operation,
    lastHour: figuresOf(lastHour.get(operation)),
    lastDay: figuresOf(lastDay.get(operation)),
    last90Days: figuresOf(last90Days.get(operation)),
  }))
}

type CountedCalls = Pick<CallCount, 'operation' | 'latencyMs' | 'calls'>

async function readPeriod(tx: Reader, period: (typeof periods)[StatusPeriod], now: number) {
  const rows = await tx.all<CountedCalls>(
    `SELECT operation, latency_ms AS "latencyMs", SUM(calls) AS calls FROM operation_calls
    WHERE span_ms = $1 AND starts_at >= $2 GROUP BY operation, latency_ms ORDER BY operation, latency_ms`,
    [period.spanMs, beginningOf(period, now)],
  )
  return Map.groupBy(rows, ({ operation }) => operation)
}

/** The rows ascend by their time. */
function figuresOf(rows: readonly CountedCalls[] = []): OperationFigures | null {
  const succeeded = rows.filter(({ latencyMs }) => latencyMs !== failedMs)
  const [all, good] = [sumOf(rows), sumOf(succeeded)]
  if (all < fewestCalls) return null
  const at = (share: number): number | null => {
    let seen = 0
    const row = succeeded.find(({ calls }) => {
      seen += calls
      return seen >= share * good
    })
    return row?.latencyMs ?? null
  }
  return { successPercent: Math.floor((good * 1000) / all) / 10, p50Ms: at(0.5), p95Ms: at(0.95) }
}

const sumOf = (rows: readonly CountedCalls[]) => rows.reduce((sum, { calls }) => sum + calls, 0)
