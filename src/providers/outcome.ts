import type { ErrorCode } from '../contract/errors.ts'

/**
 * How a forwarded call ended. Closed: every provider ends in one of these and never throws.
 * `sent` says whether anything may have left this process, and with it whether the Idempotency-Key is used up.
 */
export type Outcome<T> =
  /** A result that keeps the contract: the charge settles. */
  | { readonly kind: 'confirmed'; readonly value: T }
  /** A definite no: the charge is released. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly sent: boolean }
  /** Could not be served: the charge is released. */
  | { readonly kind: 'unavailable'; readonly code: ErrorCode; readonly sent: boolean }
  /** Sent, and nobody knows what came of it: the charge stays reserved for review. `reason` is for the operator. */
  | { readonly kind: 'uncertain'; readonly reason: string; readonly sent: true }
