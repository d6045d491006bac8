import type { ErrorCode } from '../contract/errors.ts'
import type { ReasonCode } from '../contract/reasons.ts'

/**
 * How a forwarded call ended. A provider never throws: every call ends in one of these.
 * `sent`: something may have left this process, so the Idempotency-Key is used up.
 * `detail` is for the operator's log. It never holds credentials or text from a provider or a caller.
 */
export type Outcome<T> =
  /** A valid result: the charge is settled. */
  { readonly kind: 'confirmed'; readonly value: T } | FailedOutcome

export type FailedOutcome =
  /** Definitely failed: the charge is released. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly sent: boolean; readonly detail?: string }
  /** The provider could not serve it: the charge is released. */
  | { readonly kind: 'unavailable'; readonly code: ErrorCode; readonly sent: boolean; readonly detail?: string }
  /** Sent, with no way to know the result: the credits stay reserved for review. */
  | { readonly kind: 'uncertain'; readonly reason: ReasonCode; readonly sent: true; readonly detail?: string }

export const confirmed = <T>(value: T): Outcome<T> => ({ kind: 'confirmed', value })
