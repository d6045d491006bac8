import type { BillableOperation } from '../contract/prices.ts'
import type { OperationResult } from '../operations/operation.ts'
import type { Outcome } from '../providers/outcome.ts'
import type { BillableCall } from './billable-call.ts'
import type { RelayResponse } from './response.ts'

/** The three steps of a billable call. */
export interface RelaySteps {
  readonly admit: <O extends BillableOperation>(
    call: BillableCall<O>,
    chargeId: string,
  ) => Promise<RelayResponse | null>
  readonly forward: <O extends BillableOperation>(call: BillableCall<O>) => Promise<Outcome<OperationResult<O>>>
  readonly settle: <O extends BillableOperation>(
    call: BillableCall<O>,
    chargeId: string,
    outcome: Outcome<OperationResult<O>>,
  ) => Promise<RelayResponse>
}

/** Runs a step in a span of the request's trace. */
export type TraceStep = <T>(
  name: keyof RelaySteps,
  work: () => Promise<T>,
  describe: (result: T) => Record<string, string | number | boolean>,
) => Promise<T>

/** The steps themselves if tracing is off, so that it costs nothing then. */
export function tracedSteps(steps: RelaySteps, trace: TraceStep | undefined): RelaySteps {
  if (!trace) return steps
  return {
    admit: (call, chargeId) =>
      trace(
        'admit',
        () => steps.admit(call, chargeId),
        (earlier) => (earlier ? { 'gateway.replayed': true } : { 'gateway.charge_id': chargeId }),
      ),
    forward: (call) =>
      trace(
        'forward',
        () => steps.forward(call),
        (outcome) => ({ 'gateway.outcome': outcome.kind, ...('code' in outcome && { 'error.type': outcome.code }) }),
      ),
    settle: (call, chargeId, outcome) =>
      trace(
        'settle',
        () => steps.settle(call, chargeId, outcome),
        ({ status }) => ({ 'gateway.charge_id': chargeId, 'gateway.response_status': status }),
      ),
  }
}
