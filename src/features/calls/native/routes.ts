import { tokenDigest } from '../../../base/signatures.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { type BillableOperation, billableOperations, prices } from '../../../contract/prices.ts'
import type { RequestOf } from '../../../contract/schemas/business.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { requireIdempotencyKey, singleHeader } from '../../../http/guards.ts'
import type { InstanceLimit } from '../../../http/instance-limit.ts'
import type { Call, ChargedTo, ReadRequest, Route } from '../../../http/route.ts'
import type { RelayResponse } from '../../../relay/call.ts'
import { type BusinessOperations, operationOf } from '../../../relay/operations/operation.ts'
import type { Relay } from '../../../relay/relay.ts'
import { type Authenticate, KeyRefusal, type PresentedKey, type Principal } from '../../identity/keys/authenticate.ts'

/** What all charged calls with an API key have in common. */

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' }
export const replayedHeaders = { ...jsonHeaders, 'Idempotent-Replayed': 'true' }

type ReadCall<R, P> =
  | { readonly request: R; readonly prepared: P; readonly idempotencyDigest: string }
  | { readonly fault: Refusal }

/** Returns a fault instead of throwing it: the ledger checks the key and its rate limit before the fault is reported. */
export async function readCall<R, P extends { readonly refusal?: { readonly code: ErrorCode } | null }>(
  call: Call,
  read: ReadRequest<R>,
  prepare: (request: R) => P,
): Promise<ReadCall<R, P>> {
  try {
    const idempotencyDigest = tokenDigest('idempotency', requireIdempotencyKey(call))
    const request = await read(call)
    const prepared = prepare(request)
    return prepared.refusal ? { fault: new Refusal(prepared.refusal.code) } : { request, prepared, idempotencyDigest }
  } catch (error) {
    if (error instanceof Refusal) return { fault: error }
    throw error
  }
}

/** `judge` refuses with the code of the fault once key and rate limit are in order; the caller then gets the fault's own words. */
export async function refuseFault(fault: Refusal, judge: (code: ErrorCode) => Promise<never>): Promise<never> {
  try {
    return await judge(fault.code)
  } catch (error) {
    throw error instanceof Refusal && error.code === fault.code ? fault : error
  }
}

/** The owner of the call's API key. */
export async function authenticateCall(
  authenticate: Authenticate,
  call: Call,
  use: Omit<PresentedKey, 'address'>,
): Promise<Principal> {
  try {
    const principal = await authenticate(bearer(call), { ...use, address: call.requester.address })
    call.recognize(principal)
    return principal
  } catch (error) {
    if (error instanceof KeyRefusal) call.noteKey(error.key)
    throw error
  }
}

export const noteCharge =
  (call: Call, { projectId }: Principal) =>
  (chargeId: string | null): void =>
    call.noteCharge(chargeId === null ? null : { projectId, chargeId })

function bearer(call: Call): string {
  const match = /^Bearer +([^ ]+)$/i.exec(singleHeader(call, 'authorization') ?? '')
  if (!match) throw new Refusal('UNAUTHORIZED')
  return match[1]!
}

/** Signs the receipt of a charge, for the response; null if responses have none. */
export type ReceiptOf = ((charge: ChargedTo) => Promise<string | null>) | null

/** The header `Receipt` of a settled call. A replay has none, because it would not be the same. */
export async function receiptHeader(
  receiptOf: ReceiptOf,
  call: Call,
  { status, isReplay }: Pick<RelayResponse, 'status' | 'isReplay'>,
): Promise<{ readonly Receipt?: string }> {
  if (!receiptOf || status !== 200 || isReplay || call.charge === null) return {}
  const receipt = await receiptOf(call.charge)
  return receipt === null ? {} : { Receipt: receipt }
}

export interface BusinessRouteDeps {
  readonly operation: (id: string) => Operation
  readonly authenticate: Authenticate
  readonly operations: BusinessOperations
  readonly relay: Relay
  readonly refusals: InstanceLimit
  readonly receiptOf: ReceiptOf
}

export function businessRoutes(deps: BusinessRouteDeps): Route[] {
  return billableOperations.map((id) => businessRoute(deps, id))
}

function businessRoute<O extends BillableOperation>(
  { operation, authenticate, operations, relay, refusals, receiptOf }: BusinessRouteDeps,
  id: O,
): Route {
  const { scope } = prices[id]
  const { prepare } = operationOf(operations, id)

  return endpoint<RequestOf<O>>(operation(id), async (call, readRequest) => {
    const { address } = call.requester
    const principal = await authenticateCall(authenticate, call, { scope })
    refusals.check(principal.keyId)
    const read = await readCall(call, readRequest, prepare)
    if ('fault' in read) {
      refusals.count(principal.keyId)
      return refuseFault(read.fault, (code) => relay.refuse({ operation: id, principal, address }, code))
    }
    const response = await relay.run<O>({
      ...{ operation: id, principal, address, ...read, requestId: call.requestId },
      onCharge: noteCharge(call, principal),
      tracksDelivery: call.tracksDelivery ?? false,
    })
    const receipt = await receiptHeader(receiptOf, call, response)
    return {
      status: response.status,
      headers: response.isReplay ? replayedHeaders : { ...jsonHeaders, ...receipt },
      body: response.body,
      // For log and metrics: a stored refusal is replayed, not thrown.
      ...(response.code && { code: response.code }),
      ...(response.isRejection && { isRejection: true }),
      isKeyUsed: response.isStored,
    }
  })
}
