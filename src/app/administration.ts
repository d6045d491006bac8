import type { Config } from '../config/config.ts'
import { moveCredits, movementApprovals } from '../features/billing/credits/credits.ts'
import { decideRefund, refundDecisionApprovals } from '../features/billing/payments/operator/refund-decisions.ts'
import { refundApprovals, refundPayment } from '../features/billing/payments/operator/refund-requests.ts'
import { settleDifference } from '../features/billing/payments/operator/settle-difference.ts'
import { decideReview, listReviews } from '../features/calls/reviews/reviews.ts'
import { createReviewStore, type ReviewStore } from '../features/calls/reviews/store.ts'
import {
  findAccounts,
  listAccounts,
  recoverAccount,
  reinstateAccount,
  type StartRecovery,
  showAccount,
  signOutAccount,
  suspendAccount,
} from '../features/identity/accounts/operator/actions.ts'
import { recoveryOn } from '../features/identity/accounts/operator/recovery.ts'
import { createPasswords, type PasswordCost } from '../features/identity/accounts/passwords.ts'
import { revokeKey } from '../features/identity/keys/operator.ts'
import {
  addOperator,
  approveOperator,
  disableOperator,
  listOperators,
  rejectOperator,
  resetOperator,
} from '../features/operators/access/operators.ts'
import { approve, listApprovals, reject } from '../features/operators/approvals/approvals.ts'
import { listAudit, recordAudit, verifyAudit } from '../features/operators/audit/audit-log.ts'
import type { AdministrationDeps } from '../features/operators/deps.ts'
import { switchProvider } from '../features/operators/providers/provider-states.ts'
import { createAdministrationStore } from '../features/operators/store.ts'
import { forkTransparency, proveAuditDay, rotateReceiptKey } from '../features/records/transparency/operator.ts'
import { createLedger, type Ledger } from '../ledger/ledger.ts'
import type { ApprovalHandler } from '../operator-kit/approvals.ts'
import { readKeyring } from '../ops/secrets.ts'
import { createBatchStore } from '../storage/batch-store.ts'
import type { OpenedEngine } from '../storage/open-store.ts'

/** Everything that an operator can do. The command line calls these and contains no rule of its own. */
const actions = {
  findAccounts,
  listAccounts,
  showAccount,
  suspendAccount,
  reinstateAccount,
  signOutAccount,
  recoverAccount,
  revokeKey,
  moveCredits,
  refundPayment,
  decideRefund,
  settleDifference,
  listApprovals,
  approve,
  reject,
  listReviews,
  decideReview,
  listOperators,
  addOperator,
  disableOperator,
  resetOperator,
  approveOperator,
  rejectOperator,
  switchProvider,
  listAudit,
  verifyAudit,
  recordAudit,
  rotateReceiptKey,
  forkTransparency,
  proveAuditDay,
}

export type Administration = {
  readonly [Name in keyof typeof actions]: (typeof actions)[Name] extends (
    deps: never,
    ...given: infer Given
  ) => infer Done
    ? (...given: Given) => Done
    : never
}

/** What the actions of every feature need. */
export interface ActionDeps extends AdministrationDeps {
  readonly engine: OpenedEngine
  readonly ledger: Pick<Ledger, 'end' | 'move' | 'hold' | 'unhold'>
  readonly reviews: ReviewStore
  readonly startRecovery: StartRecovery
}

/** The actions with their first argument given. */
export const createAdministration = (deps: ActionDeps): Administration =>
  Object.fromEntries(
    Object.entries(actions).map(([name, act]) => [name, (act as (...given: unknown[]) => unknown).bind(null, deps)]),
  ) as unknown as Administration

/** The actions of an operator, on a store that a gateway may be using. */
export function buildAdministration(
  engine: OpenedEngine,
  config: Config,
  clock: () => number,
  passwordCost?: PasswordCost,
): Administration {
  const ledger = createLedger({ store: createBatchStore(engine) })
  const store = createAdministrationStore(engine)
  return createAdministration({
    engine,
    store,
    reviews: createReviewStore(engine),
    ledger,
    approvalHandlers: approvalHandlersOn({ engine, store, ledger, clock }),
    passwords: createPasswords(passwordCost && { cost: passwordCost }),
    readKeyring: () => readKeyring(config),
    startRecovery: recoveryOn(engine, config, clock),
    approvalAboveCredits: config.operators.approvalAboveCredits,
    clock,
  })
}

export const approvalHandlersOn = (
  deps: Pick<ActionDeps, 'engine' | 'store' | 'ledger' | 'clock'>,
): ApprovalHandler[] => [movementApprovals(deps), refundApprovals(deps), refundDecisionApprovals(deps)]
