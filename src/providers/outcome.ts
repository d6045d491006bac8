import type { ErrorCode } from '../contract/errors.ts'

/**
 * How a forwarded call ended. Closed: every provider ends in one of these and never throws.
 * `sent` says whether anything may have left this process, and with it whether the Idempotency-Key is used up.
 * `detail` and `reason` are for the operator; they hold no credential and nothing that an upstream or a caller wrote.
 */
export type Outcome<T> =
  /** A result that keeps the contract: the charge settles. */
  { readonly kind: 'confirmed'; readonly value: T } | FailedOutcome

export type FailedOutcome =
  /** A definite no: the charge is released. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly sent: boolean; readonly detail?: string }
  /** Could not be served: the charge is released. */
  | { readonly kind: 'unavailable'; readonly code: ErrorCode; readonly sent: boolean; readonly detail?: string }
  /** Sent, and nobody knows what came of it: the charge stays reserved for review. */
  | { readonly kind: 'uncertain'; readonly reason: string; readonly sent: true }

export const confirmed = <T>(value: T): Outcome<T> => ({ kind: 'confirmed', value })
