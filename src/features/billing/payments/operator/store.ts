import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import type { Ledger } from '../../../../ledger/ledger.ts'
import type { decisionActions } from '../../../../ledger/payments.ts'
import { approvalWrites } from '../../../../operator-kit/approvals.ts'
import { createActionStore } from '../../../../operator-kit/store.ts'
import { lockBalance } from '../../../../storage/balance-rows.ts'
import type { Engine, Writer } from '../../../../storage/engine.ts'
import { comparisonWrites } from '../store/comparisons.ts'
import { type RefundRow, refundReads, refundWrites } from '../store/refunds.ts'
import { uncreditedReads, uncreditedWrites } from '../store/uncredited.ts'

export interface PaymentActionDeps {
  readonly engine: Pick<Engine, 'read' | 'write'>
  readonly ledger: Pick<Ledger, 'hold' | 'unhold'>
  /** What one operator may refund or decide about within 24 hours; null if no second one is needed. */
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

const writes = (tx: Writer) => ({
  ...refundWrites(tx),
  ...comparisonWrites(tx),
  ...uncreditedWrites(tx),
  ...approvalWrites(tx),
  lockBalance: (projectId: string) => lockBalance(tx, projectId),
})

export type PaymentActionWriter = Parameters<Parameters<ReturnType<typeof paymentActions>['write']>[0]>[0]

export const paymentActions = ({ engine }: Pick<PaymentActionDeps, 'engine'>) =>
  createActionStore(engine, (tx) => ({ ...refundReads(tx), ...uncreditedReads(tx) }), writes)

export async function requireRefund(deps: Pick<PaymentActionDeps, 'engine'>, refundId: string): Promise<RefundRow> {
  const refund = await paymentActions(deps).read((tx) => tx.refundBy(refundId))
  if (!refund) throw operatorRefusal('REFUND_NOT_FOUND', `There is no refund ${refundId}.`)
  return refund
}
