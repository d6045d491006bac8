import type { OpenReviewPage } from '../../../../src/features/calls/reviews/contract.ts'
import type { AccountPage, accountOrders } from '../../../../src/features/operators/contract/account-list.ts'
import type {
  AccountSignIns,
  OperatedAccount,
  RecoveredAccount,
} from '../../../../src/features/operators/contract/accounts.ts'
import type {
  DoctorReport,
  EffectiveSettings,
  ReconcileResult,
} from '../../../../src/features/operators/contract/system.ts'

export type {
  FindAccountsRequest as FindAccounts,
  FoundAccount,
  OperatedAccount as Account,
} from '../../../../src/features/operators/contract/accounts.ts'
export type { AuditItem } from '../../../../src/features/operators/contract/audit.ts'
export type {
  Approval,
  MoveCreditsRequest as MoveCredits,
} from '../../../../src/features/operators/contract/credits.ts'
export type {
  ListedOperator as Operator,
  NewOperator,
  SignedInOperator,
} from '../../../../src/features/operators/contract/operators.ts'
export type {
  OperatorOverview as Overview,
  ProviderDay,
  ProviderState as Provider,
} from '../../../../src/features/operators/contract/overview.ts'
export type {
  PaymentComparison,
  ShownDifference as PaymentDifference,
} from '../../../../src/features/operators/contract/payment-comparisons.ts'
export type { OperatedPayment as Payment, PaymentRefund } from '../../../../src/features/operators/contract/payments.ts'
export type { ReconcileRun } from '../../../../src/features/operators/contract/system.ts'

export type ListedAccount = AccountPage['items'][number]
export type AccountOrder = (typeof accountOrders)[number]
export type AccountKey = OperatedAccount['keys'][number]
export type AccountRecovery = RecoveredAccount['recovery']
export type AccountSignIn = AccountSignIns['items'][number]
export type OpenReview = OpenReviewPage['items'][number]
export type ReconcileDifference = ReconcileResult['differences'][number]
export type DoctorFinding = DoctorReport['findings'][number]
export type Setting = EffectiveSettings['items'][number]
