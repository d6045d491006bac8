import type { ApprovalHandler } from '../../operator-kit/approvals.ts'
import type { OperatorContext, OperatorPart } from '../../ops/feature.ts'
import { createPasswords, type PasswordCost } from '../identity/accounts/passwords.ts'
import { operatorManagementOperations } from './access/contract.ts'
import { operatorHandlers } from './access/handlers.ts'
import { approvalsHandlers } from './approvals/approvals.ts'
import { approvalOperations } from './approvals/contract.ts'
import { actingOn } from './deps.ts'

/** Operators and approvals, which are decided with the handlers of the features that request them. */
export const operatorsPart = (
  approvalHandlersOn: (context: OperatorContext) => ApprovalHandler[],
  passwordCost?: PasswordCost,
): OperatorPart => ({
  operations: [...approvalOperations, ...operatorManagementOperations],
  build(context) {
    const passwords = createPasswords(passwordCost && { cost: passwordCost })
    const acting = actingOn(context, { passwords, approvalHandlers: approvalHandlersOn(context) })
    return { operatorHandlers: [...operatorHandlers(acting), ...approvalsHandlers(acting)] }
  },
})
