import type { OpenReviewPage } from '../../../../src/features/calls/reviews/contract.ts'
import type {
  AccountPage,
  AccountSignIns,
  accountOrders,
  OperatedAccount,
  RecoveredAccount,
} from '../../../../src/features/identity/accounts/operator/contract.ts'
import type { DoctorReport, EffectiveSettings } from '../../../../src/features/operators/settings/contract.ts'
import type { ReconcileResult } from '../../../../src/features/records/reconcile/contract.ts'

export type { MoveCreditsRequest as MoveCredits } from '../../../../src/features/billing/credits/contract.ts'
export type {
  OperatedPayment as Payment,
  PaymentComparison,
  PaymentRefund,
  ShownDifference as PaymentDifference,
} from '../../../../src/features/billing/payments/operator/contract.ts'
export type {
  FindAccountsRequest as FindAccounts,
  FoundAccount,
  OperatedAccount as Account,
} from '../../../../src/features/identity/accounts/operator/contract.ts'
export type {
  ListedOperator as Operator,
  NewOperator,
  SignedInOperator,
} from '../../../../src/features/operators/access/contract.ts'
export type { Approval } from '../../../../src/features/operators/approvals/contract.ts'
export type { AuditItem } from '../../../../src/features/operators/audit/contract.ts'
export type { LookedUpItem, OperatedCharge } from '../../../../src/features/operators/lookup/contract.ts'
export type { OperatorOverview as Overview } from '../../../../src/features/operators/overview/contract.ts'
export type { ProviderDay, ProviderState as Provider } from '../../../../src/features/operators/providers/contract.ts'
export type { Incident } from '../../../../src/features/operators/status/contract.ts'
export type { ReconcileRun } from '../../../../src/features/records/reconcile/contract.ts'

export type ListedAccount = AccountPage['items'][number]
export type AccountOrder = (typeof accountOrders)[number]
export type AccountKey = OperatedAccount['keys'][number]
export type AccountRecovery = RecoveredAccount['recovery']
export type AccountSignIn = AccountSignIns['items'][number]
export type OpenReview = OpenReviewPage['items'][number]
export type ReconcileDifference = ReconcileResult['differences'][number]
export type DoctorFinding = DoctorReport['findings'][number]
export type Setting = EffectiveSettings['items'][number]
