import { dayOf, isoOf } from '../../../../base/time.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { LedgerRow } from '../leaves.ts'
import type { MonthStatement } from './statement-contract.ts'
import { createDaySums, type DayMovement, monthsBetween, movementOf, sumByDay } from './statement-days.ts'
import { type EntryNumbers, monthTimes, type StatementEntries, type StatementEntriesDeps } from './statement-entries.ts'

/** Entries that one read adds up. */
const summedEntries = 5000

interface MonthStatementDeps extends Pick<StatementEntriesDeps, 'engine' | 'archivedReads' | 'clock'> {
  readonly entries: StatementEntries
}

/** What a project's ledger did in a month, day by day. */
export function createMonthStatement({ engine, archivedReads, clock, entries }: MonthStatementDeps) {
  /** What a month moved: sums of the store, and entries from archive files. */
  async function* movements(projectId: string, { from, before }: EntryNumbers): AsyncGenerator<readonly DayMovement[]> {
    for (let start = from; start < before; ) {
      if (start <= (await archivedReads.archived(projectId))) {
        const page = await entries.part(projectId, start, before)
        yield page.map(movementOf)
        start += page.length
        continue
      }
      const range = { projectId, from: start, before: Math.min(start + summedEntries, before) }
      const sums = await engine.read((tx) => sumByDay(tx, range))
      const counted = sums.reduce((count, { entries }) => count + entries, 0)
      if (counted === range.before - start) {
        yield sums
        start = range.before
      } else if (start > (await archivedReads.archived(projectId))) throw new Refusal('STATEMENT_NOT_FOUND')
      // Otherwise they were archived in the meantime, and are read from there.
    }
  }

  async function monthOf(projectId: string, month: string): Promise<MonthStatement> {
    const now = clock()
    const range = await entries.rangeOf(projectId, month)
    const [fromAt, toAt] = monthTimes(month)
    const opening = balanceAfter(await entries.entryBefore(projectId, range.from))
    const closing =
      range.before === range.from ? opening : balanceAfter(await entries.entryBefore(projectId, range.before))
    const first = dayOf(Math.max(fromAt, range.createdAt))
    const sums = createDaySums(first)
    for await (const some of movements(projectId, range)) some.forEach(sums.add)
    const days = sums.days(opening, dayOf(Math.min(now, toAt - 1)))
    return {
      ...{ month, from: days[0]!.day, to: days.at(-1)!.day, issuedAt: isoOf(now), isOver: toAt <= now },
      ...{ opening, closing, entries: range.before - range.from, totals: sums.totals, days },
      months: monthsBetween(dayOf(range.createdAt), dayOf(now)),
    }
  }

  return monthOf
}

export const balanceAfter = (row: LedgerRow | undefined) => ({
  available: row?.available ?? 0,
  reserved: row?.reserved ?? 0,
})
