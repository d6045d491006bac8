import { type ErrorCode, errorBody, errors } from '../contract/errors.ts'
import type { BillableOperation } from '../contract/prices.ts'
import type { StoredResponse } from '../ledger/commands.ts'
import type { OperationResult } from '../operations/operation.ts'

/** What a billable call is answered with, byte for byte, now and at every replay. */
export interface RelayResponse extends StoredResponse {
  readonly isReplay: boolean
  /** False when the Idempotency-Key is free again: sent once more, it would be a new call. */
  readonly isStored: boolean
}

interface Priced {
  readonly operation: BillableOperation
  readonly credits: number
}

export const settledResponse = ({ operation, credits }: Priced, { data, usage }: OperationResult): StoredResponse => ({
  status: 200,
  code: null,
  body: JSON.stringify({ status: 'settled', operation, chargedCredits: credits, data, usage }),
})

export const reviewResponse = (
  { operation, credits, chargeId }: Priced & { readonly chargeId: string },
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
