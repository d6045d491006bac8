import { type ErrorCode, errors } from '../contract/errors.ts'
import type { Call, RouteResponse } from './route.ts'

/**
 * Says whether a repeat can help, and with which Idempotency-Key. `isKeyUsed`: a response is stored for the one that was sent, of
 * this call or of another one.
 */
function retryHints(code: ErrorCode, isKeyUsed: boolean): Readonly<Record<string, string>> {
  const { repeat, waitSeconds } = errors[code]
  const mayRepeat = repeat === 'wait' || (repeat === 'fix' && isKeyUsed)
  return {
    'x-should-retry': String(repeat === 'wait'),
    'retry-hint': mayRepeat ? (isKeyUsed ? 'new-key' : 'same-key') : 'never',
    ...(repeat === 'wait' && { 'retry-after': String(waitSeconds) }),
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
      ...(code !== undefined && retryHints(code, isKeyUsed)),
      ...(chargeId !== null && { 'x-charge-id': chargeId }),
      // Last: a Retry-After that is known better wins.
      ...response.headers,
    },
  }
}
