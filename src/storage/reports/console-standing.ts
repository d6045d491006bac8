import type { DayNumber } from '../../reporting/days.ts'
import type { Held, ReportStore, SettledDay, Standing } from '../../reporting/ports.ts'
import type { Engine, Reader } from '../engine.ts'

export function standingReports(engine: Engine): Pick<ReportStore, 'standing' | 'settledBetween'> {
  return {
    settledBetween: (projectId, first, last) => engine.read((tx) => settledBetween(tx, projectId, first, last)),
    standing: (projectId, since) =>
      engine.read(async (tx): Promise<Standing> => {
        const balance = await tx.get<BalanceRow>(balanceOf, [projectId])
        const underWay = await tx.get<Held>(heldUnderWay, [projectId])
        const inReview = await tx.get<Held>(heldInReview, [projectId])
        const use = await tx.get<{ keys: number; calls: number }>(useOfKeys, [projectId])
        return {
          ...(balance ?? { available: 0, reserved: 0, credited: 0 }),
          underWay: underWay!,
          inReview: inReview!,
          hasKey: use!.keys > 0,
          hasCall: use!.calls > 0,
          settled: await settledBetween(tx, projectId, since, lastDay),
        }
      }),
  }
}

type BalanceRow = Pick<Standing, 'available' | 'reserved' | 'credited'>

const balanceOf = 'SELECT available, reserved, credited FROM balances WHERE project_id = $1'

const sumOf = (charges: string) =>
  `SELECT COUNT(*) AS charges, COALESCE(SUM(credits), 0) AS credits FROM ${charges} WHERE project_id = $1`
const heldUnderWay = sumOf('reserved_charges')
const heldInReview = sumOf('reviewable_charges')

// Each key counts its calls. To look for one charge, PostgreSQL would read the table until it meets one.
const useOfKeys = 'SELECT COUNT(*) AS keys, COALESCE(SUM(calls), 0) AS calls FROM api_keys WHERE project_id = $1'

/** Later than any. */
const lastDay: DayNumber = 2_147_483_647

const settledBetween = (tx: Reader, projectId: string, first: DayNumber, last: DayNumber): Promise<SettledDay[]> =>
  tx.all<SettledDay>(
    `SELECT day, operation, calls, credits FROM usage_days WHERE project_id = $1 AND day >= $2 AND day <= $3
    ORDER BY project_id, day, operation`,
    [projectId, first, last],
  )
