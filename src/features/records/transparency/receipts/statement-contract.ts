import { type Static, Type } from '../../../../base/schema.ts'
import { DateTime, named } from '../../../../contract/field.ts'
import { Day } from '../../../../contract/paging.ts'

const monthPattern = '^20[0-9]{2}-(0[1-9]|1[0-2])$'

export const monthParameter = {
  month: { pattern: monthPattern, code: 'STATEMENT_NOT_FOUND', example: '2026-09' },
} as const

const Month = () => Type.String({ pattern: monthPattern, examples: ['2026-09'] })

const credits = (description: string) => Type.Integer({ minimum: 0, description })

const StatementBalance = named('StatementBalance', {
  available: credits('Credits that calls can use.'),
  reserved: credits('Credits held by calls or refunds in progress.'),
})

const movements = {
  recharged: credits('Bought.'),
  granted: credits('Given by the operator.'),
  spent: credits('Paid for calls.'),
  refunded: credits('Taken back because the money was refunded.'),
  withdrawn: credits('Taken back by the operator for another reason.'),
  held: credits('Moved from available to reserved.'),
  released: credits('Moved from reserved to available.'),
}

/** More than the gateway will ever have served. */
export const maxMonths = 240

export const MonthStatement = named('MonthStatement', {
  month: Month(),
  from: Day('The first day: of the month, or of the project.'),
  to: Day('The last day: of the month, or today.'),
  issuedAt: DateTime('Entries up to this moment are counted.'),
  isOver: Type.Boolean({ description: 'False while the month lasts.' }),
  opening: StatementBalance,
  closing: StatementBalance,
  entries: Type.Integer({ minimum: 0, description: 'Entries of the ledger in this month.' }),
  totals: named('StatementTotals', movements, {
    description: 'available + reserved grows by recharged + granted - spent - refunded - withdrawn.',
  }),
  days: Type.Array(
    named('StatementDay', {
      day: Day('A day in Shanghai.'),
      ...movements,
      available: credits('Available credits at the end of the day.'),
      reserved: credits('Reserved credits at the end of the day.'),
    }),
    { description: 'Every day, also without an entry; the first day first.', maxItems: 31 },
  ),
  months: Type.Array(Month(), { description: 'Months that have a statement, the newest first.', maxItems: maxMonths }),
})

export type MonthStatement = Static<typeof MonthStatement>
export type StatementDay = MonthStatement['days'][number]
export type StatementBalance = Static<typeof StatementBalance>
