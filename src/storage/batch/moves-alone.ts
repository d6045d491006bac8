import { sortableIdFloor } from '../../base/ids.ts'
import { dayMs } from '../../base/time.ts'
import { fenOfCredits } from '../../contract/prices.ts'
import type { Command } from '../../ledger/commands.ts'
import {
  isSameOperator,
  limitedMoveOf,
  type MoveAlone,
  type MovedSums,
  movedSums,
  operatorKey,
} from '../../ledger/move-alone.ts'
import { decisionActions } from '../../ledger/payments.ts'
import type { Reader } from '../engine.ts'

const isApproved = (subject: string, more: string) =>
  `EXISTS (SELECT 1 FROM approvals a WHERE a.subject = '${subject}' AND ${more})`
const isRefundCounted = `f.refund_id >= $5 AND f.requested_at > $2 AND f.state <> 'returned'
  AND NOT ${isApproved('refund', 'a.subject_id = f.refund_id')}`
const isEndCounted = `u.decided_at > $2
  AND NOT ${isApproved('payment_end', "a.subject_id = u.payment_id AND a.state = 'approved' AND a.decided_at = u.decided_at")}`
const toCredits = `(u.amount_fen + ${fenOfCredits(1) - 1}) / ${fenOfCredits(1)}`

/**
 * What was moved in one direction since a time without a second operator. Read while the end of the audit log is locked: every
 * such move locks it, so no two are decided on the same sums. A refund and the decision that it was paid back count once.
 */
const sql = `SELECT CAST($3 AS TEXT) AS "by", CAST(NULL AS TEXT) AS "projectId",
    CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS credits, CAST(NULL AS TEXT) AS "after"
  FROM operator_movements WHERE kind = $1 AND moved_by = $3 AND moved_at > $2 AND approval_id IS NULL
  UNION ALL SELECT NULL, CAST($4 AS TEXT), CAST(COALESCE(SUM(amount), 0) AS BIGINT), NULL
  FROM operator_movements WHERE kind = $1 AND project_id = $4 AND moved_at > $2 AND approval_id IS NULL
  UNION ALL SELECT f.requested_by, f.project_id, CAST(SUM(f.credits) AS BIGINT), NULL FROM payment_refunds f
  WHERE $1 = 'withdraw' AND f.refund_id <> $7 AND ${isRefundCounted} GROUP BY f.requested_by, f.project_id
  UNION ALL SELECT u.decided_by, u.project_id, ${toCredits}, NULL FROM uncredited_payments u
  WHERE (u.refund_id IS NULL) = ($1 = 'grant') AND u.refund_id IS DISTINCT FROM $7 AND ${isEndCounted}
  UNION ALL SELECT e.acted_by, NULL, NULL, e.state_after FROM audit_entries e WHERE e.action = $6 AND e.acted_at > $2
    AND NOT EXISTS (SELECT 1 FROM payment_refunds f WHERE f.refund_id = e.object AND ${isRefundCounted})
    AND NOT EXISTS (SELECT 1 FROM uncredited_payments u WHERE u.refund_id = e.object AND ${isEndCounted})`

export interface MovedAloneRow {
  /** Null in the sum of a project. */
  readonly by: string | null
  /** Null in the sum of an operator. */
  readonly projectId: string | null
  readonly credits: number | null
  /** Of a decision about a refund, which may have no row of its own: as JSON, with the project and the credits. */
  readonly after: string | null
}

export function selectMovedAlone({ kind, by, projectId, refundId = '' }: MoveAlone, at: number) {
  const since = at - dayMs
  const action = decisionActions[kind === 'grant' ? 'returned' : 'refunded']
  return { sql, params: [kind, since, operatorKey(by), projectId, sortableIdFloor('rfd', since), action, refundId] }
}

/** Sets the sums that a move counts towards. */
export function setMovedSums(sums: MovedSums, move: MoveAlone, rows: readonly MovedAloneRow[]): void {
  let [byOperator, inProject] = [0, 0]
  for (const row of rows) {
    const { by } = row
    const { projectId, credits } = row.after === null ? row : (JSON.parse(row.after) as MovedAloneRow)
    if (by !== null && isSameOperator(by, move.by)) byOperator += credits!
    if (projectId === move.projectId) inProject += credits!
  }
  const [operatorSum, projectSum] = movedSums(move)
  sums.set(operatorSum, byOperator).set(projectSum, inProject)
}

/** For an action that is not a command of the ledger; the end of the audit log is locked. */
export async function readMovedSums(tx: Reader, move: MoveAlone, at: number): Promise<MovedSums> {
  const sums: MovedSums = new Map()
  const { sql, params } = selectMovedAlone(move, at)
  setMovedSums(sums, move, await tx.all<MovedAloneRow>(sql, params))
  return sums
}

/** The moves of a batch that have a limit. */
export const limitedMoves = (commands: readonly Command[]): readonly { move: MoveAlone; at: number }[] =>
  commands.flatMap((command) => {
    const move = limitedMoveOf(command)
    return move ? [{ move, at: command.at }] : []
  })
