import { type ErrorCode, errors } from '../contract/errors.ts'
import type { Call, RouteResponse } from './route.ts'

interface HintFacts {
  readonly chargeId: string | null
  /** Whether a response is stored for the Idempotency-Key, of this call or of another one. */
  readonly isKeyUsed: boolean
}

/** Says whether a repeat can help, and with which Idempotency-Key. */
export function retryHints(code: ErrorCode, { chargeId, isKeyUsed }: HintFacts): Readonly<Record<string, string>> {
  const row = errors[code]
  // With a charge, only its record shows the outcome.
  const repeat = code === 'INTERNAL_ERROR' && chargeId !== null ? 'never' : row.repeat
  const mayRepeat = repeat === 'wait' || (repeat === 'fix' && isKeyUsed)
  return {
    'x-should-retry': String(repeat === 'wait'),
    'retry-hint': mayRepeat ? (isKeyUsed ? 'new-key' : 'same-key') : 'never',
    ...(repeat === 'wait' && { 'retry-after': String(row.waitSeconds) }),
  }
}

/** Completes the responses of a route that is called with an API key. */
export function withRetryHints(response: RouteResponse, call: Pick<Call, 'charge'> | null): RouteResponse {
  const chargeId = call?.charge?.chargeId ?? null
  const code = response.status >= 400 ? (response.code as ErrorCode | undefined) : undefined
  if (chargeId === null && code === undefined) return response
  const isKeyUsed = response.isKeyUsed ?? code === 'IDEMPOTENCY_CONFLICT'
  return {
    ...response,
    headers: {
      ...(code !== undefined && retryHints(code, { chargeId, isKeyUsed })),
      ...(chargeId !== null && { 'x-charge-id': chargeId }),
      // Last: a Retry-After that is known better wins.
      ...response.headers,
    },
  }
}
