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
  | {
      readonly kind: 'refused'
      readonly code: ErrorCode
      readonly sent: boolean
      readonly detail?: string
      /** For a 400 of the provider: its own code, or null. */
      readonly refusedWith?: string | null
      /** The provider judged what the caller sent, which says nothing about the provider. */
      readonly isRejection?: true
    }
  /** The provider could not serve it: the charge is released. */
  | { readonly kind: 'unavailable'; readonly code: ErrorCode; readonly sent: boolean; readonly detail?: string }
  /** Sent, with no way to know the result: the credits stay reserved for review. */
  | { readonly kind: 'uncertain'; readonly reason: ReasonCode; readonly sent: true; readonly detail?: string }

export const confirmed = <T>(value: T): Outcome<T> => ({ kind: 'confirmed', value })

export type ProviderKind = 'model' | 'shop' | 'media'

/** Every way a call can fail; docs/decisions/0006-provider-outcomes.md explains each outcome. */
export type UpstreamEvent = keyof typeof outcomeTable

interface Definite {
  readonly when: string
  readonly kind: 'refused' | 'unavailable'
  readonly code: ErrorCode | Readonly<Record<ProviderKind, ErrorCode>>
  readonly sent: boolean
  readonly isRejection?: true
}
interface Uncertain {
  readonly when: string
  readonly kind: 'uncertain'
  readonly reason: ReasonCode
}

export const outcomeTable = {
  // Nothing was sent
  disabled: notSent('unavailable', 'PROVIDER_DISABLED', 'the provider is out of service'),
  credentialMissing: notSent('unavailable', 'PROVIDER_AUTH_REQUIRED', 'the credential is not available'),
  circuitOpen: notSent('unavailable', 'PROVIDER_CIRCUIT_OPEN', 'the circuit breaker is cooling'),
  capacityExhausted: notSent(
    'unavailable',
    'PROVIDER_CAPACITY_EXHAUSTED',
    'no slot is free for another call of the project',
  ),
  unreachable: notSent('unavailable', 'PROVIDER_UNAVAILABLE', 'no connection: refused, no such name, or too slow'),
  adapterFailed: notSent('refused', 'ADAPTER_FAILURE', 'our own code failed before sending'),

  // Sent, with a response
  redirected: sent(
    'refused',
    {
      model: 'PROVIDER_CONTRACT_INVALID',
      shop: 'PROVIDER_REDIRECT_FORBIDDEN',
      media: 'PROVIDER_REDIRECT_FORBIDDEN',
    },
    'answered 3xx',
  ),
  rateLimited: sent('unavailable', 'PROVIDER_RATE_LIMITED', 'answered 429'),
  requestRejected: {
    ...sent('refused', 'PROVIDER_REQUEST_REJECTED', 'answered 400, 413 or 422'),
    isRejection: true,
  },
  rejected: sent('refused', 'PROVIDER_REQUEST_REJECTED', 'answered 4xx other than 400, 408, 413, 422 and 429'),
  failed: sent('unavailable', 'PROVIDER_UNAVAILABLE', 'answered 5xx other than 504'),
  contractBroken: sent('refused', 'PROVIDER_CONTRACT_INVALID', 'answered 2xx with a body that breaks the contract'),
  oversized: sent('refused', 'PROVIDER_CONTRACT_INVALID', 'answered 2xx with a body over the size limit'),
  linkForbidden: sent('refused', 'PROVIDER_LINK_FORBIDDEN', 'answered 2xx with a link outside the allow-list'),

  // Sent, result unknown
  answeredTimeout: uncertain('PROVIDER_ANSWERED_TIMEOUT', 'answered 408 or 504'),
  timedOut: uncertain('PROVIDER_TIMED_OUT', 'the time for the call ran out after sending'),
  reset: uncertain('PROVIDER_CONNECTION_LOST', 'the connection ended before a response'),
  cutBody: uncertain('PROVIDER_RESPONSE_CUT', 'the connection ended within the body of a 2xx'),
  garbled: uncertain('PROVIDER_RESPONSE_GARBLED', 'answered with something other than HTTP'),
  adapterFailedAfterSending: uncertain('ADAPTER_FAILED_AFTER_SENDING', 'our own code failed after sending'),
} as const satisfies Record<string, Definite | Uncertain>

export function failureOf(provider: ProviderKind, event: UpstreamEvent, detail?: string): FailedOutcome {
  const row: Definite | Uncertain = outcomeTable[event]
  const forLog = detail === undefined ? {} : { detail }
  if (row.kind === 'uncertain') return { kind: 'uncertain', reason: row.reason, sent: true, ...forLog }
  const code = typeof row.code === 'string' ? row.code : row.code[provider]
  const { sent, isRejection } = row
  return row.kind === 'refused'
    ? { kind: row.kind, code, sent, ...forLog, ...(isRejection && { isRejection }) }
    : { kind: row.kind, code, sent, ...forLog }
}

/** For any status but 2xx. A status above 599 counts as 5xx (RFC 9110, section 15). */
export function eventOfStatus(status: number): UpstreamEvent {
  if (status === 408 || status === 504) return 'answeredTimeout'
  if (status === 429) return 'rateLimited'
  if (status < 400) return 'redirected'
  if (status === 400 || status === 413 || status === 422) return 'requestRejected'
  return status < 500 ? 'rejected' : 'failed'
}

function notSent<C extends ErrorCode>(kind: Definite['kind'], code: C, when: string) {
  return { kind, code, sent: false, when } as const
}

function sent<C extends Definite['code']>(kind: Definite['kind'], code: C, when: string) {
  return { kind, code, sent: true, when } as const
}

function uncertain<R extends ReasonCode>(reason: R, when: string) {
  return { kind: 'uncertain', reason, when } as const
}
