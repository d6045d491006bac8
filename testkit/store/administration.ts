import { approvalHandlersOn } from '../../src/app/operator-parts.ts'
import { createKeyring } from '../../src/base/keyring.ts'
import { moveCredits } from '../../src/features/billing/credits/credits.ts'
import { endPayment } from '../../src/features/billing/payments/operator/end-payment.ts'
import { decideRefund } from '../../src/features/billing/payments/operator/refund-decisions.ts'
import { refundPayment } from '../../src/features/billing/payments/operator/refund-requests.ts'
import { settleDifference } from '../../src/features/billing/payments/operator/settle-difference.ts'
import { decideUncredited } from '../../src/features/billing/payments/operator/unclear-refunds.ts'
import { decideReview, listReviews } from '../../src/features/calls/reviews/reviews.ts'
import { createReviewStore } from '../../src/features/calls/reviews/store.ts'
import {
  reinstateAccount,
  signOutAccount,
  suspendAccount,
} from '../../src/features/identity/accounts/operator/actions.ts'
import { createPasswords } from '../../src/features/identity/accounts/passwords.ts'
import {
  addOperator,
  approveOperator,
  disableOperator,
  rejectOperator,
  resetOperator,
} from '../../src/features/operators/access/operators.ts'
import { approve, reject } from '../../src/features/operators/approvals/approvals.ts'
import { verifyAudit } from '../../src/features/operators/audit/audit-log.ts'
import type { AdministrationDeps } from '../../src/features/operators/deps.ts'
import { switchProvider } from '../../src/features/operators/providers/provider-states.ts'
import { createAdministrationStore } from '../../src/features/operators/store.ts'
import type { OperatorContext } from '../../src/ops/feature.ts'
import { cheapPasswords } from '../gateway/cheap-passwords.ts'

const secret = 'a secret of tests that is long enough'

const actions = {
  suspendAccount,
  reinstateAccount,
  signOutAccount,
  moveCredits,
  refundPayment,
  decideRefund,
  decideUncredited,
  endPayment,
  settleDifference,
  approve,
  reject,
  listReviews,
  decideReview,
  addOperator,
  disableOperator,
  resetOperator,
  approveOperator,
  rejectOperator,
  switchProvider,
  verifyAudit,
}

export type Administration = {
  readonly [Name in keyof typeof actions]: (typeof actions)[Name] extends (
    deps: never,
    ...given: infer Given
  ) => infer Done
    ? (...given: Given) => Done
    : never
}

/** The actions of operators on the store of a test, with their first argument given. */
export function createTestAdministration(
  { engine, ledger, clock }: Omit<OperatorContext, 'config'>,
  changes: Partial<Pick<AdministrationDeps, 'approvalAboveCredits' | 'clock'>> = {},
): Administration {
  const keyring = createKeyring(secret)
  const own = { engine, ledger, clock, ...changes }
  const deps = {
    approvalAboveCredits: null,
    store: createAdministrationStore(engine),
    approvalHandlers: approvalHandlersOn(own),
    reviews: createReviewStore(engine),
    passwords: createPasswords({ cost: cheapPasswords }),
    readKeyring: async () => keyring,
    ...own,
  }
  return Object.fromEntries(
    Object.entries(actions).map(([name, act]) => [name, (act as (...given: unknown[]) => unknown).bind(null, deps)]),
  ) as unknown as Administration
}
