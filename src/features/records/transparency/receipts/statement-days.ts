import { dayMs, dayText, reportingZone } from '../../../../base/time.ts'
import type { Reader } from '../../../../storage/engine.ts'
import { type LedgerRange, readRange } from '../../archives/store.ts'
import type { LedgerRow } from '../leaves.ts'
import { type MonthStatement, maxMonths, type StatementBalance, type StatementDay } from './statement-contract.ts'

/** What entries of one day and kind moved; `ofLot` is 1 for those that belong to bought or granted credits. */
export interface DayMovement {
  readonly day: number
  readonly kind: string
  readonly ofLot: number
  readonly amount: number
  readonly entries: number
}

const dayColumn = `((e.entered_at + ${reportingZone.offsetMs}) / ${dayMs})`
const ofLotColumn = 'CASE WHEN e.lot_id IS NULL THEN 0 ELSE 1 END'

/** Sums in the store, so that a month of many calls is not sent row by row. */
export const sumByDay = (tx: Reader, range: LedgerRange): Promise<DayMovement[]> =>
  readRange<DayMovement>(
    tx,
    `SELECT ${dayColumn} AS day, e.kind, ${ofLotColumn} AS "ofLot", SUM(e.amount) AS amount, COUNT(*) AS entries
    FROM wanted e GROUP BY ${dayColumn}, e.kind, ${ofLotColumn}`,
    range,
  )

export const movementOf = ({ at, kind, lotId, amount }: LedgerRow): DayMovement => ({
  day: Math.floor((at + reportingZone.offsetMs) / dayMs),
  ...{ kind, amount, ofLot: lotId === null ? 0 : 1, entries: 1 },
})

export type Movements = MonthStatement['totals']

export const noMovements = (): Record<keyof Movements, number> => ({
  ...{ recharged: 0, granted: 0, spent: 0, refunded: 0, withdrawn: 0, held: 0, released: 0 },
})

/** A withdrawal of bought credits is a refund. */
function movedBy({ kind, ofLot }: DayMovement): keyof Movements | null {
  if (kind === 'withdraw') return ofLot === 1 ? 'refunded' : 'withdrawn'
  return moved[kind] ?? null
}

const moved: Readonly<Record<string, keyof Movements>> = {
  credit: 'recharged',
  grant: 'granted',
  settle: 'spent',
  reserve: 'held',
  release: 'released',
}

/** Adds up a month. Entries that a slow clock dated before its first day count on that day. */
export function createDaySums(first: number) {
  const days = new Map<number, Record<keyof Movements, number>>()
  const totals = noMovements()
  return {
    totals,
    add(movement: DayMovement): void {
      const name = movedBy(movement)
      if (name === null) return
      const day = Math.max(first, movement.day)
      const sums = days.get(day) ?? noMovements()
      days.set(day, sums)
      sums[name] += movement.amount
      totals[name] += movement.amount
    },
    /** Every day up to the last one, with the balance at its end. */
    days(opening: StatementBalance, last: number): StatementDay[] {
      let { available, reserved } = opening
      const count = Math.max(last, ...days.keys()) - first + 1
      return Array.from({ length: count }, (_, index) => {
        const sums = days.get(first + index) ?? noMovements()
        const { recharged, granted, spent, refunded, withdrawn, held, released } = sums
        available += recharged + granted + released - held - withdrawn
        reserved += held - released - spent - refunded
        return { day: dayText(first + index), ...sums, available, reserved }
      })
    },
  }
}

/** From the month of one day to that of the other, the newest first. */
export function monthsBetween(first: number, last: number): string[] {
  const months: string[] = []
  const end = dayText(first).slice(0, 7)
  let [year, number] = dayText(last).split('-').map(Number) as [number, number]
  for (let month = ''; month !== end && months.length < maxMonths; ) {
    month = `${year}-${String(number).padStart(2, '0')}`
    months.push(month)
    ;[year, number] = number === 1 ? [year - 1, 12] : [year, number - 1]
  }
  return months
}
