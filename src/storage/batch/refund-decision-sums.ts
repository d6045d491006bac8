import { dayMs } from '../../base/time.ts'
import { type BatchState, decisionSums } from '../../ledger/batch-state.ts'
import type { Command } from '../../ledger/commands.ts'
import { decisionActions } from '../../ledger/payments.ts'

const actions = Object.values(decisionActions)
  .map((action) => `'${action}'`)
  .join(', ')

/**
 * What operators decided about refunds without an approval, since a time: also about refunds of money that was not credited,
 * which have no row of their own. Read while the end of the audit log is locked.
 */
export const selectDecided = `SELECT acted_by AS "by", state_after AS "after" FROM audit_entries
  WHERE action IN (${actions}) AND acted_at > $1`

export interface DecidedRefund {
  readonly by: string
  /** As JSON, with the project and the credits. */
  readonly after: string
}

/** The time 24 hours before the decisions that have a limit; null if there are none. */
export function decidedSince(commands: readonly Command[]): number | null {
  const limited = commands.filter((command) => command.type === 'unhold' && (command.decision?.limit ?? null) !== null)
  return limited.length === 0 ? null : Math.min(...limited.map(({ at }) => at)) - dayMs
}

export function addDecided({ decidedSums: sums }: Pick<BatchState, 'decidedSums'>, { by, after }: DecidedRefund): void {
  const { projectId, credits } = JSON.parse(after) as { readonly projectId: string; readonly credits: number }
  for (const key of decisionSums(by, projectId)) sums.set(key, (sums.get(key) ?? 0) + credits)
}
