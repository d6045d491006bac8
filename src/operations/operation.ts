import type { ErrorCode } from '../contract/errors.ts'
import type { BillableOperation } from '../contract/prices.ts'
import type { DataOf, RequestOf, UsageOf } from '../contract/schemas/business.ts'
import type { Item, ItemRef } from '../contract/schemas/products.ts'
import type { Outcome } from '../providers/outcome.ts'

/** What a billable operation asks of its provider and answers; the relay around it keeps the books. */
export interface BusinessOperation<O extends BillableOperation = BillableOperation> {
  /** Refusals that need the configuration, such as a model that the provider does not offer; part of the field checks. */
  readonly refuse?: (request: RequestOf<O>) => ErrorCode | null
  /** Whether performing this request hands anything to another process; decides how recovery ends it. */
  readonly leavesProcess: (request: RequestOf<O>) => boolean
  /** Forwards the request. Never throws. */
  readonly perform: (request: RequestOf<O>, context: CallContext) => Promise<Outcome<OperationResult<O>>>
}

export interface CallContext {
  readonly projectId: string
}

export interface OperationResult<O extends BillableOperation = BillableOperation> {
  readonly data: DataOf<O>
  readonly usage: UsageOf<O>
  /** Items to save with the settlement, for the pick operations to read. */
  readonly snapshots?: readonly Item[]
}

/** Items that a search returned to the project, by reference; missing ones are left out. */
export interface SnapshotReader {
  find(projectId: string, refs: readonly ItemRef[]): Promise<Item[]>
}

export type BusinessOperations = { readonly [O in BillableOperation]: BusinessOperation<O> }

export const operationOf = <O extends BillableOperation>(
  operations: BusinessOperations,
  operation: O,
): BusinessOperation<O> => operations[operation]
