import { type ErrorCode, Refusal } from '../contract/errors.ts'
import { tokenDigest } from '../identity/digests.ts'
import type { Authenticate, PresentedKey, Principal } from '../keys/authenticate.ts'
import type { ReadRequest } from './endpoint.ts'
import { requireIdempotencyKey, singleHeader } from './guards.ts'
import type { Call } from './route.ts'

/** What all charged calls with an API key have in common. */

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' }
export const replayedHeaders = { ...jsonHeaders, 'Idempotent-Replayed': 'true' }

type ReadCall<R> = { readonly request: R; readonly idempotencyDigest: string } | { readonly fault: ErrorCode }

/** Returns a fault instead of throwing it: the ledger checks the key and its rate limit before the fault is reported. */
export async function readCall<R>(
  call: Call,
  read: ReadRequest<R>,
  refuse: ((request: R) => ErrorCode | null) | undefined,
): Promise<ReadCall<R>> {
  try {
    const idempotencyDigest = tokenDigest('idempotency', requireIdempotencyKey(call))
    const request = await read(call)
    const fault = refuse?.(request) ?? null
    return fault === null ? { request, idempotencyDigest } : { fault }
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.code }
    throw error
  }
}

/** The owner of the call's API key. */
export async function authenticateCall(
  authenticate: Authenticate,
  call: Call,
  use: Omit<PresentedKey, 'address'>,
): Promise<Principal> {
  const principal = await authenticate(bearer(call), { ...use, address: call.requester.address })
  call.recognize(principal.projectId)
  return principal
}

function bearer(call: Call): string {
  const match = /^Bearer +([^ ]+)$/i.exec(singleHeader(call, 'authorization') ?? '')
  if (!match) throw new Refusal('UNAUTHORIZED')
  return match[1]!
}
