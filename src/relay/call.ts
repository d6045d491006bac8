import type { Sealed } from '../base/keyring.ts'
import type { BillableOperation, ChargedOperation } from '../contract/prices.ts'
import type { ReasonCode } from '../contract/reasons.ts'
import type { ChargeReader } from '../ledger/charge-reader.ts'
import type { StoredResponse } from '../ledger/commands.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { CompletionSink } from '../providers/models/completion.ts'
import type { FailedOutcome, Outcome } from '../providers/outcome.ts'
import type { Admission, AdmissionDeps, ChargedCall } from './admit.ts'
import type {
  BusinessOperations,
  OperationResult,
  PreparedCall,
  RelayedRequest,
  ReportFault,
} from './operations/operation.ts'

/** The response to a billable call. Replays return the same bytes. */
export interface RelayResponse extends StoredResponse {
  readonly isReplay: boolean
  /** What `body` is the text of; null if only the text was stored. */
  readonly value: object | null
  /** False if the Idempotency-Key is free again: a retry with it is a new call. */
  readonly isStored: boolean
  /** The charge of this call, or of the first one with its Idempotency-Key. */
  readonly chargeId: string
  /** The provider judged what the caller sent. */
  readonly isRejection?: true
}

/** A valid request from a known key. */
export interface BillableCall<O extends BillableOperation = BillableOperation>
  extends Pick<Admission, 'principal' | 'address'>,
    ChargedCall {
  readonly operation: O
  readonly request: RelayedRequest<O>
  /** The request, if its endpoint has prepared it already. */
  readonly prepared?: PreparedCall<O> | undefined
  /** Takes the response in parts. The last part must wait until `run` has resolved. */
  readonly sink?: CompletionSink | undefined
  /** The body of a settled response; that of a billable operation by default. */
  readonly present?: ((result: OperationResult<O>, chargeId: string) => object) | undefined
  /** The response to a call that the provider refused; null for the usual one. */
  readonly presentRefusal?: PresentRefusal | undefined
}

export type PresentRefusal = (
  outcome: Extract<FailedOutcome, { kind: 'refused' }>,
) => { readonly status: number; readonly body: object } | null

export interface ReadyCall<O extends BillableOperation = BillableOperation> extends BillableCall<O> {
  readonly prepared: PreparedCall<O>
}

/** Request and response, as JSON texts. */
export interface CallContent {
  readonly request: string
  readonly response: string
  readonly status: number
}

/** The three steps of a billable call. */
interface RelaySteps {
  readonly admit: <O extends BillableOperation>(call: ReadyCall<O>, chargeId: string) => Promise<RelayResponse | null>
  readonly forward: <O extends BillableOperation>(call: ReadyCall<O>) => Promise<Outcome<OperationResult<O>>>
  readonly settle: <O extends BillableOperation>(
    call: BillableCall<O>,
    chargeId: string,
    outcome: Outcome<OperationResult<O>>,
  ) => Promise<RelayResponse>
}

/** Runs a step in a span of the request's trace. */
type TraceStep = <T>(
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

export interface RelayDeps extends AdmissionDeps {
  readonly ledger: Ledger
  readonly charges: ChargeReader
  readonly operations: BusinessOperations
  /** Seals request and response, for keys that keep them. */
  readonly sealContent: (chargeId: string, content: CallContent) => Sealed
  /** How long a duplicate waits for the first call with its Idempotency-Key. */
  readonly duplicateWaitMs: number
  /** Called for every charge that goes to review, with what an operator needs to look into it. */
  readonly onUncertain: (call: UncertainCall) => void
  /** Called for every charge that was released because the provider refused its request with 400. */
  readonly onRefused?: (call: { chargeId: string; upstreamCode: string | null }) => void
  /** Called for every charge that its call settled. */
  readonly onSettled?: (charge: { operation: ChargedOperation; credits: number }) => void
  /** Called when a search has added snapshots to a project. */
  readonly onSnapshotsAdded: (projectId: string) => void
  /** Runs each step in a span, if tracing is on. */
  readonly trace?: TraceStep | undefined
  /** Called with every exception of our own code that became an ADAPTER_FAILURE or a review. */
  readonly reportFault: ReportFault
  /**
   * Called when the store fails to record an outcome, which is then retried; with a `ChargeLost` if it has no such charge,
   * which no retry can mend.
   */
  readonly onFault: (error: unknown, context: { chargeId: string }) => void
}

interface UncertainCall {
  readonly chargeId: string
  readonly reason: ReasonCode
  readonly detail?: string
}
