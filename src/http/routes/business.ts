import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { type BillableOperation, billableOperations, prices } from '../../contract/prices.ts'
import type { RequestOf } from '../../contract/schemas/business.ts'
import { tokenDigest } from '../../identity/digests.ts'
import type { Authenticate } from '../../keys/authenticate.ts'
import type { RefusalLimit } from '../../keys/refusal-limit.ts'
import { type BusinessOperations, operationOf } from '../../operations/operation.ts'
import type { Relay } from '../../relay/relay.ts'
import { endpoint, type ReadRequest } from '../endpoint.ts'
import { requireIdempotencyKey, single } from '../guards.ts'
import type { Call, Route } from '../route.ts'

export interface BusinessRouteDeps {
  readonly operation: (id: string) => Operation
  readonly authenticate: Authenticate
  readonly operations: BusinessOperations
  readonly relay: Relay
  readonly refusals: RefusalLimit
}

export function businessRoutes(deps: BusinessRouteDeps): Route[] {
  return billableOperations.map((id) => businessRoute(deps, id))
}

function businessRoute<O extends BillableOperation>(
  { operation, authenticate, operations, relay, refusals }: BusinessRouteDeps,
  id: O,
): Route {
  const { scope } = prices[id]
  const { refuse } = operationOf(operations, id)

  return endpoint<RequestOf<O>>(operation(id), async (call, readRequest) => {
    const principal = await authenticate(bearer(call), scope)
    refusals.check(principal.keyId)
    const read = await readCall(call, readRequest, refuse)
    if ('fault' in read) {
      refusals.count(principal.keyId)
      return relay.refuse({ operation: id, principal }, read.fault)
    }
    const answer = await relay.run<O>({ operation: id, principal, ...read, requestId: call.requestId })
    return {
      status: answer.status,
      headers: answer.isReplay ? replayedHeaders : jsonHeaders,
      body: answer.body,
      // For log and metrics: a refusal that is stored and replayed is not thrown.
      ...(answer.code && { code: answer.code }),
    }
  })
}

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' }
const replayedHeaders = { ...jsonHeaders, 'Idempotent-Replayed': 'true' }

type ReadCall<R> = { readonly request: R; readonly idempotencyDigest: string } | { readonly fault: ErrorCode }

/** A fault is returned, not thrown: the books first judge the key and its limit, then the fault is answered. */
async function readCall<R>(
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

function bearer(call: Call): string {
  const match = /^Bearer +([^ ]+)$/i.exec(single(call, 'authorization') ?? '')
  if (!match) throw new Refusal('UNAUTHORIZED')
  return match[1]!
}
