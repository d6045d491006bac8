import { movementApprovals } from '../features/billing/credits/credits.ts'
import { paymentEndApprovals } from '../features/billing/payments/operator/end-payment.ts'
import { refundDecisionApprovals } from '../features/billing/payments/operator/refund-decisions.ts'
import { refundApprovals } from '../features/billing/payments/operator/refund-requests.ts'
import type { ApprovalHandler, ApprovalSubject } from '../operator-kit/approvals.ts'
import type { OperatorContext, OperatorPart } from '../ops/feature.ts'
import type { AppOptions } from './options.ts'

/**
 * By the first word of their commands: what can be loaded alone, because loading the whole gateway takes longer than most
 * commands run. Commands of other features load all of it.
 */
export const operatorParts: ReadonlyMap<string, (options: PartOptions) => Promise<OperatorPart>> = new Map([
  ['accounts', async () => (await import('../features/identity/accounts/operator/handlers.ts')).accountsPart],
  ['keys', async () => (await import('../features/identity/keys/operator.ts')).keysPart],
  ['credits', async () => (await import('../features/billing/credits/feature.ts')).creditsPart],
  ['payments', async () => (await import('../features/billing/payments/operator/handlers.ts')).paymentsPart],
  ['reviews', async () => (await import('../features/calls/reviews/handlers.ts')).reviewsPart],
  ['incidents', async () => (await import('../features/operators/status/incidents.ts')).incidentsPart],
  ['approvals', loadOperators],
  ['operators', loadOperators],
])

type PartOptions = Pick<AppOptions, 'passwordCost'>

async function loadOperators({ passwordCost }: PartOptions): Promise<OperatorPart> {
  const { operatorsPart } = await import('../features/operators/part.ts')
  return operatorsPart(approvalHandlersOn, passwordCost)
}

/** Those that every feature builds for itself, without their features. */
export const approvalHandlersOn = (deps: Pick<OperatorContext, 'engine' | 'ledger' | 'clock'>): ApprovalHandler[] =>
  Object.values({
    movement: movementApprovals(deps),
    refund: refundApprovals(deps),
    refund_decision: refundDecisionApprovals(deps),
    payment_end: paymentEndApprovals(deps),
  } satisfies Record<ApprovalSubject, ApprovalHandler>)
