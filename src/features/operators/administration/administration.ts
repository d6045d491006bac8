import * as accounts from './accounts.ts'
import { revokeKey } from './accounts.ts'
import type { Actor } from './actor.ts'
import * as approvals from './approvals.ts'
import * as auditLog from './audit-log.ts'
import { type MovementRequest, moveCredits } from './credits.ts'
import type { AdministrationDeps } from './deps.ts'
import * as operators from './operators.ts'
import { type ProviderAction, switchProvider } from './providers.ts'
import * as reviews from './reviews.ts'

export type Administration = ReturnType<typeof createAdministration>

/** Everything that an operator can do. The web console and the command line call these and contain no rule of their own. */
export function createAdministration(deps: AdministrationDeps) {
  const onAccount =
    <Done>(run: (deps: AdministrationDeps, actor: Actor, action: accounts.AccountAction) => Promise<Done>) =>
    (actor: Actor, action: accounts.AccountAction) =>
      run(deps, actor, action)
  return {
    findAccounts: (query: accounts.AccountQuery) => accounts.findAccounts(deps, query),
    showAccount: (accountId: string) => accounts.showAccount(deps, accountId),
    suspendAccount: onAccount(accounts.suspendAccount),
    reinstateAccount: onAccount(accounts.reinstateAccount),
    signOutAccount: onAccount(accounts.signOutAccount),
    recoverAccount: onAccount(accounts.recoverAccount),
    revokeKey: (actor: Actor, action: Parameters<typeof revokeKey>[2]) => revokeKey(deps, actor, action),
    moveCredits: (actor: Actor, request: MovementRequest) => moveCredits(deps, actor, request),
    listApprovals: (page: Parameters<typeof approvals.listApprovals>[1]) => approvals.listApprovals(deps, page),
    approve: (actor: Actor, decision: approvals.ApprovalDecision) => approvals.approve(deps, actor, decision),
    reject: (actor: Actor, decision: approvals.ApprovalDecision) => approvals.reject(deps, actor, decision),
    listReviews: (page: Parameters<typeof reviews.listReviews>[1]) => reviews.listReviews(deps, page),
    decideReview: (actor: Actor, decision: reviews.ReviewDecision) => reviews.decideReview(deps, actor, decision),
    listOperators: () => operators.listOperators(deps),
    addOperator: (actor: Actor, added: Parameters<typeof operators.addOperator>[2]) =>
      operators.addOperator(deps, actor, added),
    disableOperator: (actor: Actor, action: operators.OperatorAction) => operators.disableOperator(deps, actor, action),
    resetOperator: (actor: Actor, action: operators.OperatorAction) => operators.resetOperator(deps, actor, action),
    approveOperator: (actor: Actor, decision: operators.OperatorDecision) =>
      operators.approveOperator(deps, actor, decision),
    rejectOperator: (actor: Actor, decision: operators.OperatorDecision) =>
      operators.rejectOperator(deps, actor, decision),
    switchProvider: (actor: Actor, action: ProviderAction) => switchProvider(deps, actor, action),
    listAudit: (query: auditLog.AuditQuery) => auditLog.listAudit(deps, query),
    verifyAudit: (noted?: readonly auditLog.NotedEntry[]) => auditLog.verifyAudit(deps, noted),
    recordAudit: (actor: Actor, given: Parameters<typeof auditLog.recordAudit>[2]) =>
      auditLog.recordAudit(deps, actor, given),
  }
}
