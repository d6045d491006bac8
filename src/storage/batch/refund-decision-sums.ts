import { dayMs } from '../../base/time.ts'
import { type BatchState, decisionSums } from '../../ledger/batch-state.ts'
import type { Command } from '../../ledger/commands.ts'
import { decisionActions } from '../../ledger/payments.ts'

const actions = Object.values(decisionActions)
  .map((action) => `'${action}'`)
  .join(', ')

/** What operators decided about refunds without an approval, since a time. Read while the end of the audit log is locked. */
export const selectDecided = `SELECT e.acted_by AS "by", f.project_id AS "projectId", CAST(SUM(f.credits) AS BIGINT) AS credits
  FROM audit_entries e JOIN payment_refunds f ON f.refund_id = e.object
  WHERE e.action IN (${actions}) AND e.acted_at > $1
  GROUP BY e.acted_by, f.project_id`

export interface DecidedRefunds {
  readonly by: string
  readonly projectId: string
  readonly credits: number
}

/** The time 24 hours before the decisions that have a limit; null if there are none. */
export function decidedSince(commands: readonly Command[]): number | null {
  const limited = commands.filter((command) => command.type === 'unhold' && (command.decision?.limit ?? null) !== null)
  return limited.length === 0 ? null : Math.min(...limited.map(({ at }) => at)) - dayMs
}

export function addDecided(state: BatchState, { by, projectId, credits }: DecidedRefunds): void {
  for (const key of decisionSums(by, projectId)) state.decidedSums.set(key, (state.decidedSums.get(key) ?? 0) + credits)
}
