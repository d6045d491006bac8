import { countsAt, countsOf, periodEnd, withNew } from '../contract/budget-periods.ts'
import type { KeyBudget } from '../contract/console/keys.ts'
import type { UsedKey } from '../contract/console/resources.ts'
import { isoOrNull, publicKey } from './keys.ts'
import type { BudgetRow, KeyRow } from './ports.ts'

/**
 * The budget after a change. Another number of credits keeps the count; another period starts a new one, because what was
 * spent in it is not known. A new count never has the time of an earlier one, which charges still refer to.
 */
export function nextBudget(old: BudgetRow | null, wanted: KeyBudget | null, now: number): BudgetRow | null {
  if (wanted === null) return old && { ...old, credits: null }
  if (old && old.credits !== null && old.per === wanted.per) return { ...old, credits: wanted.credits }
  return { ...wanted, ...withNew(old ? countsOf(old) : [], now) }
}

/** A key with its use, as the console lists it. */
export const usedKey = (row: KeyRow, now: number): UsedKey => ({
  ...publicKey(row, now),
  name: row.name,
  ...budgetView(row.budget, now),
  allowedAddresses: row.allowedAddresses && [...row.allowedAddresses],
  calls: row.calls,
  lastUsedAt: isoOrNull(row.lastUsedAt),
  lastUsedFrom: row.lastUsedFrom,
})

function budgetView(row: BudgetRow | null, now: number): Pick<UsedKey, 'budget' | 'budgetSpent' | 'budgetResetsAt'> {
  if (row === null || row.credits === null) return { budget: null, budgetSpent: null, budgetResetsAt: null }
  const { credits, per } = row
  return {
    budget: { credits, per },
    // The next call starts the new period.
    budgetSpent: countsAt(per, row, now).spent,
    budgetResetsAt: isoOrNull(periodEnd(per, now)),
  }
}
