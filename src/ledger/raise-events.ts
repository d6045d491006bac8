import { periodEnd } from '../contract/budget-periods.ts'
import { defaultLowBalanceCredits } from '../contract/choices.ts'
import type { ChargedOperation } from '../contract/prices.ts'
import type { Changes } from './batch-state.ts'
import type { Admit, Balance, BudgetState, ChargeRecord, End } from './commands.ts'

/** Credits left the balance: raises an event if they have just fallen below the payer's threshold. */
export function creditsTaken(changes: Changes, balance: Balance, { credits, at }: { credits: number; at: number }) {
  const { projectId, available } = balance
  const lowBalanceCredits = balance.lowBalanceCredits ?? defaultLowBalanceCredits
  if (available >= lowBalanceCredits || available + credits < lowBalanceCredits) return
  changes.events.push({ type: 'credits.low', at, projectId, data: { available, lowBalanceCredits } })
}

/** Credits were added: the next refusal for lack of credits raises an event again. */
export function creditsAdded(changes: Changes, balance: Balance): void {
  if (balance.emptyAt === null) return
  balance.emptyAt = null
  changes.emptyChanged.add(balance)
}

/** A call was refused for lack of credits: raises an event for the first one since credits were added. */
export function creditsMissing(changes: Changes, balance: Balance, { credits, at }: Pick<Admit, 'credits' | 'at'>) {
  if (balance.emptyAt !== null) return
  balance.emptyAt = at
  changes.emptyChanged.add(balance)
  const { projectId, available } = balance
  changes.events.push({ type: 'credits.empty', at, projectId, data: { available, credits } })
}

/** A call was the first of its period to be refused by the budget of its key. */
export function budgetReached(
  changes: Changes,
  { credits, per, periodFrom }: BudgetState & { readonly credits: number },
  { keyId, projectId, at }: Pick<Admit, 'keyId' | 'projectId' | 'at'>,
): void {
  const resetsAt = periodEnd(per, periodFrom)
  const data = { keyId, credits, per, resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString() }
  changes.events.push({ type: 'key.budget_reached', at, projectId, data })
}

/** A charge was settled, released or put into review. */
export function chargeEnded(changes: Changes, { from, to, job, at }: End, charge: ChargeRecord): void {
  const { chargeId, projectId, credits } = charge
  const facts = { chargeId, operation: charge.operation as ChargedOperation, credits }
  if (job) {
    const { jobId, status, errorCode } = job
    changes.events.push({ type: 'media.job_finished', at, projectId, data: { jobId, chargeId, status, errorCode } })
  }
  if (to === 'manual_review') {
    changes.events.push({ type: 'charge.review_opened', at, projectId, data: facts })
  } else if (from === 'manual_review') {
    changes.events.push({ type: 'charge.review_decided', at, projectId, data: { ...facts, decision: to } })
  }
}
