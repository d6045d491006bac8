import type { BillableOperation } from '../contract/prices.ts'
import type { RequestOf } from '../contract/schemas/business.ts'
import type { Outcome } from '../providers/outcome.ts'
import type { BusinessOperation, CallContext, OperationResult } from './operation.ts'

/** How far an operation got before it failed. */
export interface Trace {
  /** True once something may have left the process. */
  isSent: boolean
  /** For the provider to call just before its first byte can leave. */
  readonly onSending: () => void
}

export type ReportFault = (error: unknown) => void

/** Turns an exception of our own code into an outcome: a release if nothing was sent, else a review. */
export function neverThrow<O extends BillableOperation>(
  perform: (request: RequestOf<O>, context: CallContext, trace: Trace) => Promise<Outcome<OperationResult<O>>>,
  reportFault: ReportFault,
): BusinessOperation<O>['perform'] {
  return async (request, context) => {
    const trace: Trace = {
      isSent: false,
      onSending: () => {
        trace.isSent = true
      },
    }
    try {
      return await perform(request, context, trace)
    } catch (error) {
      reportFault(error)
      return trace.isSent
        ? { kind: 'uncertain', reason: 'ADAPTER_FAILED_AFTER_SENDING', sent: true }
        : { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false }
    }
  }
}

/** Waits for all of them, then throws what the first failed one threw: until then the others may still send something. */
export async function allEnded<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}

/** Marks the trace as sent if this outcome means so, and returns the outcome. */
export function noteSent<T>(
  trace: Trace,
  { leavesProcess }: { leavesProcess: boolean },
  outcome: Outcome<T>,
): Outcome<T> {
  if (leavesProcess && (outcome.kind === 'confirmed' || outcome.sent)) trace.isSent = true
  return outcome
}
