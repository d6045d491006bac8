import type { BillableOperation } from '../../contract/prices.ts'
import type { DataOf, RequestOf, UsageOf } from '../../contract/schemas/business.ts'
import type { Item, ItemRef } from '../../contract/schemas/products.ts'
import type {
  CompletionBody,
  CompletionResponse,
  CompletionSink,
  ModelRefusal,
} from '../../providers/models/completion.ts'
import type { Outcome } from '../../providers/outcome.ts'

/** A whole conversation for `model.chat`, as a client of the chat completions protocol asks. */
export interface Conversation {
  readonly completion: {
    /** As the caller named it; absent for the default. */
    readonly model?: string
    readonly body: CompletionBody
    /** Checked, but not forwarded. They are part of the request, so they are part of its fingerprint. */
    readonly user?: string
    readonly metadata?: Readonly<Record<string, string>>
  }
}

/** What the relay forwards: the request of the contract or, for `model.chat`, a conversation. */
export type RelayedRequest<O extends BillableOperation> = RequestOf<O> | (O extends 'model.chat' ? Conversation : never)

/** A billable operation: what it asks of its provider and returns. The relay around it does the charging. */
export interface BusinessOperation<O extends BillableOperation = BillableOperation> {
  /** Chooses the provider of a request, once for all steps of the call. */
  readonly prepare: (request: RelayedRequest<O>) => PreparedCall<O>
}

export interface PreparedCall<O extends BillableOperation = BillableOperation> {
  /** Why it cannot be forwarded, by the configuration or by its provider. It is then refused before credits are reserved. */
  readonly refusal?: ModelRefusal | null
  /** For an operation with a model. */
  readonly model?: ChosenModel
  /** Whether it reaches another process: if so, recovery sends its charge to review, else releases it. */
  readonly leavesProcess: boolean
  /** Forwards the request. If it throws, `forward` decides by `context.isSent` what becomes of the charge. */
  readonly perform: (context: CallContext) => Promise<Outcome<OperationResult<O>>>
}

export interface ChosenModel {
  /** `provider/alias`. */
  readonly id: string
  /** What the response calls it. */
  readonly name: string
}

/** An operation without a model. */
export const operationBy = <O extends BillableOperation>({
  leavesProcess,
  perform,
}: {
  readonly leavesProcess: (request: RelayedRequest<O>) => boolean
  readonly perform: (request: RelayedRequest<O>, context: CallContext) => Promise<Outcome<OperationResult<O>>>
}): BusinessOperation<O> => ({
  prepare: (request) => ({
    leavesProcess: leavesProcess(request),
    perform: (context) => perform(request, context),
  }),
})

export interface CallContext {
  readonly projectId: string
  /** Sent to HTTP providers, so that their records can be compared with ours. */
  readonly requestId?: string | undefined
  /** True once something may have left the process. */
  isSent: boolean
  /** For the provider to call just before its first byte can leave. */
  readonly onSending: () => void
  /** Takes the response to a conversation in parts. */
  readonly sink?: CompletionSink | undefined
}

export interface OperationResult<O extends BillableOperation = BillableOperation> {
  readonly data: DataOf<O>
  readonly usage: UsageOf<O>
  /** Items to save with the settlement, for the pick operations to read. */
  readonly snapshots?: readonly Item[]
  /** The response to a conversation, and the name of the model that gave it. */
  readonly completion?: { readonly model: string; readonly response: CompletionResponse }
}

/** Finds items that a search returned to the project; missing ones are left out. */
export interface SnapshotReader {
  find(projectId: string, refs: readonly ItemRef[]): Promise<Item[]>
}

export type BusinessOperations = { readonly [O in BillableOperation]: BusinessOperation<O> }

export const operationOf = <O extends BillableOperation>(
  operations: BusinessOperations,
  operation: O,
): BusinessOperation<O> => operations[operation]

export type ReportFault = (error: unknown) => void

/** A call to forward, and who asks. */
export interface ForwardedCall<O extends BillableOperation> {
  readonly prepared: PreparedCall<O>
  readonly sink?: CompletionSink | undefined
  readonly principal: { readonly projectId: string }
  readonly requestId?: string | undefined
}

/**
 * Performs the operation, with no transaction open. Never throws: an exception of our own code releases the charge if nothing was
 * sent, and otherwise puts it into review.
 */
export async function forward<O extends BillableOperation>(
  { prepared, sink, principal: { projectId }, requestId }: ForwardedCall<O>,
  reportFault: ReportFault,
): Promise<Outcome<OperationResult<O>>> {
  const onSending = () => {
    context.isSent = true
  }
  const context: CallContext = { projectId, requestId, isSent: false, onSending, sink }
  try {
    return await prepared.perform(context)
  } catch (error) {
    reportFault(error)
    return context.isSent
      ? { kind: 'uncertain', reason: 'ADAPTER_FAILED_AFTER_SENDING', sent: true }
      : { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false }
  }
}

/** Waits for all of them, then throws what the first failed one threw: until then the others may still send something. */
export async function allEnded<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}

/** Marks the call as sent if this outcome means so, and returns the outcome. */
export function noteSent<T>(
  context: CallContext,
  { leavesProcess }: { leavesProcess: boolean },
  outcome: Outcome<T>,
): Outcome<T> {
  if (leavesProcess && (outcome.kind === 'confirmed' || outcome.sent)) context.isSent = true
  return outcome
}
