import type { BillableOperation } from '../contract/prices.ts'
import { type BusinessOperations, type OperationResult, operationOf } from '../operations/operation.ts'
import type { Outcome } from '../providers/outcome.ts'
import type { BillableCall } from './billable-call.ts'

/** Performs the operation, with no transaction open. Never throws: every failure is an `Outcome`. */
export async function forward<O extends BillableOperation>(
  operations: BusinessOperations,
  call: BillableCall<O>,
): Promise<Outcome<OperationResult<O>>> {
  const operation = operationOf(operations, call.operation)
  try {
    return await operation.perform(call.request, { projectId: call.principal.projectId, requestId: call.requestId })
  } catch (error) {
    // Operations must not throw. If one does, the request may or may not have been sent.
    return operation.leavesProcess(call.request)
      ? {
          kind: 'uncertain',
          reason: 'ADAPTER_FAILED_AFTER_SENDING',
          sent: true,
          detail: error instanceof Error ? error.name : 'not an Error',
        }
      : { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false }
  }
}
