import type { BillableOperation } from '../contract/prices.ts'
import { type BusinessOperations, type OperationResult, operationOf } from '../operations/operation.ts'
import type { Outcome } from '../providers/outcome.ts'
import type { BillableCall } from './admit.ts'

/** Performs the operation with no transaction open. Whatever happens, it ends in an Outcome. */
export async function forward<O extends BillableOperation>(
  operations: BusinessOperations,
  call: BillableCall<O>,
): Promise<Outcome<OperationResult<O>>> {
  const operation = operationOf(operations, call.operation)
  try {
    return await operation.perform(call.request, { projectId: call.principal.projectId })
  } catch (error) {
    // An operation never throws; should one do so all the same, nobody knows what was sent.
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
