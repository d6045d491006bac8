import type { BillableOperation } from '../contract/prices.ts'
import type { RequestOf } from '../contract/schemas/business.ts'
import type { RelayResponse } from './response.ts'

/** The operation a caller wants, and the key it presented. */
export interface KeyUse<O extends BillableOperation = BillableOperation> {
  readonly operation: O
  readonly principal: { readonly projectId: string; readonly keyId: string }
  /** Where the call comes from. */
  readonly address: string
}

/** A valid request from a known key. */
export interface BillableCall<O extends BillableOperation = BillableOperation> extends KeyUse<O> {
  readonly idempotencyDigest: string
  readonly request: RequestOf<O>
  readonly requestId: string
}

/** A call this instance is working on. Its duplicates wait for the same response. */
export interface CallUnderWay {
  response: Promise<RelayResponse> | null
  /** Set before something may leave the process. */
  isForwarded: boolean
}

/** By charge id. */
export type CallsUnderWay = ReadonlyMap<string, Readonly<CallUnderWay>>
