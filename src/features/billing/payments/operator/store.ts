import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import type { Ledger } from '../../../../ledger/ledger.ts'
import { isBeyondLimit, type MoveAlone } from '../../../../ledger/move-alone.ts'
import type { decisionActions } from '../../../../ledger/payments.ts'
import { approvalWrites } from '../../../../operator-kit/approvals.ts'
import { createActionStore } from '../../../../operator-kit/store.ts'
import { lockBalance } from '../../../../storage/balance-rows.ts'
import { readMovedSums } from '../../../../storage/batch/moves-alone.ts'
import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { comparisonWrites } from '../store/comparisons.ts'
import { type RefundRow, refundReads, refundWrites } from '../store/refunds.ts'
import { uncreditedReads, uncreditedWrites } from '../store/uncredited.ts'

export interface PaymentActionDeps {
  readonly engine: Pick<Engine, 'read' | 'write'>
  readonly ledger: Pick<Ledger, 'hold' | 'unhold'>
  /** What one operator may move within 24 hours; null if no second one is needed. */
  readonly approvalAboveCredits: number | null
  readonly clock: () => number
}

/** How a refund in review ended at the provider: the money was paid back, or it was not and the credits are given back. */
export type RefundEnd = keyof typeof decisionActions

export interface RefundDecisionRequest {
  readonly refundId: string
  readonly to: RefundEnd
  readonly reason: string
}

const writes = (tx: Reader & Writer) => ({
  ...refundWrites(tx),
  ...comparisonWrites(tx),
  ...uncreditedWrites(tx),
  ...approvalWrites(tx),
  lockBalance: (projectId: string) => lockBalance(tx, projectId),
  movedSums: (move: MoveAlone, at: number) => readMovedSums(tx, move, at),
})

export type PaymentActionWriter = Parameters<Parameters<ReturnType<typeof paymentActions>['write']>[0]>[0]

export const paymentActions = ({ engine }: Pick<PaymentActionDeps, 'engine'>) =>
  createActionStore(engine, (tx) => ({ ...refundReads(tx), ...uncreditedReads(tx) }), writes)

/** Whether one operator may not move that much alone. Locks before the sums, so that no two moves are decided on the same ones. */
export async function needsSecondOperator(
  tx: PaymentActionWriter,
  {
    credits,
    limit,
    at,
    ...move
  }: MoveAlone & { readonly credits: number; readonly limit: number | null; readonly at: number },
): Promise<boolean> {
  if (limit === null) return false
  await tx.holdAudit()
  return isBeyondLimit(await tx.movedSums(move, at), move, { credits, limit })
}

export async function requireRefund(deps: Pick<PaymentActionDeps, 'engine'>, refundId: string): Promise<RefundRow> {
  const refund = await paymentActions(deps).read((tx) => tx.refundBy(refundId))
  if (!refund) throw operatorRefusal('REFUND_NOT_FOUND', `There is no refund ${refundId}.`)
  return refund
}
