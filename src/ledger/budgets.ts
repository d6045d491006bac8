import { strict as assert } from 'node:assert'
import { countsAt, countsOf, isCurrent, periodEnd, withCurrent } from '../contract/budget-periods.ts'
import { type BatchState, budgetReached, type Changes } from './batch-state.ts'
import type { Admit, BudgetState, ChargeRecord, KeyState, RefuseResult } from './commands.ts'

type LimitedBudget = BudgetState & { readonly credits: number }

/** The budget that a call with this key counts against, in the period of `at`; null if there is none. */
export function openBudget(state: BatchState, changes: Changes, key: KeyState, at: number): LimitedBudget | null {
  const budget = key.budgetId === null ? undefined : state.budgets.get(key.budgetId)
  if (!budget || !isLimited(budget)) return null
  if (!isCurrent(budget.per, budget, at)) {
    Object.assign(budget, countsAt(budget.per, budget, at))
    changes.budgets.add(budget)
  }
  return budget
}

const isLimited = (budget: BudgetState): budget is LimitedBudget => budget.credits !== null

/** Takes the credits from the budget, or returns a refusal. */
export function takeFromBudget(
  changes: Changes,
  budget: LimitedBudget,
  command: Pick<Admit, 'keyId' | 'projectId' | 'credits' | 'at'>,
): RefuseResult | null {
  const { credits, at } = command
  if (budget.spent + credits > budget.credits) {
    // Only the first refusal of a period is written: it is the one worth telling about.
    if (budget.reachedAt === null) {
      budget.reachedAt = at
      changes.budgets.add(budget)
      budgetReached(changes, budget, command)
    }
    const { credits: most, per } = budget
    return {
      kind: 'refused',
      code: 'INSUFFICIENT_PAID_CREDITS',
      because: { budget: { credits: most, per } },
      limit: { source: 'key_budget', remaining: Math.max(0, most - budget.spent), resetsAt: periodEnd(per, at) },
    }
  }
  budget.spent += credits
  changes.budgets.add(budget)
  return null
}

/** Gives the credits of a released charge back to the period they were taken from, if the budget remembers that one. */
export function returnToBudget(state: BatchState, changes: Changes, charge: ChargeRecord): void {
  const budget = charge.budgetId === null ? undefined : state.budgets.get(charge.budgetId)
  if (!budget) return
  if (budget.periodFrom === charge.budgetPeriod) budget.spent = less(budget.spent, charge)
  else {
    const counts = countsOf(budget)
    const index = counts.findIndex(({ periodFrom }) => periodFrom === charge.budgetPeriod)
    if (index < 0) return
    const count = counts[index]!
    const returned = { ...count, spent: less(count.spent, charge) }
    budget.otherCounts = withCurrent(counts.with(index, returned), budget).otherCounts
  }
  changes.budgets.add(budget)
}

function less(spent: number, { credits }: ChargeRecord): number {
  assert(spent >= credits, 'a budget went below zero')
  return spent - credits
}
