import { type ErrorCode, errorBody, errors } from '../contract/errors.ts'
import type { BillableOperation } from '../contract/prices.ts'
import type { StoredResponse } from '../ledger/commands.ts'
import type { OperationResult } from '../operations/operation.ts'

/** The response to a billable call. Replays return the same bytes. */
export interface RelayResponse extends StoredResponse {
  readonly isReplay: boolean
  /** False if the Idempotency-Key is free again: a retry with it is a new call. */
  readonly isStored: boolean
  /** The charge of this call, or of the first one with its Idempotency-Key. */
  readonly chargeId: string
}

interface PricedCall {
  readonly operation: BillableOperation
  readonly credits: number
}

export const settledResponse = (
  { operation, credits }: PricedCall,
  { data, usage }: OperationResult,
): StoredResponse => ({
  status: 200,
  code: null,
  body: JSON.stringify({ status: 'settled', operation, chargedCredits: credits, data, usage }),
})

export const reviewResponse = (
  { operation, credits, chargeId }: PricedCall & { readonly chargeId: string },
  resolution?: 'settled',
): StoredResponse => ({
  status: 202,
  code: null,
  body: JSON.stringify({ status: 'manual_review', operation, reservedCredits: credits, chargeId, resolution }),
})

export const errorResponse = (code: ErrorCode): StoredResponse => ({
  status: errors[code].status,
  code,
  body: JSON.stringify(errorBody(code)),
})
