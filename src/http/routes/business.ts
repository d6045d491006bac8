import type { Operation } from '../../contract/operation.ts'
import { type BillableOperation, billableOperations, prices } from '../../contract/prices.ts'
import type { RequestOf } from '../../contract/schemas/business.ts'
import type { Authenticate } from '../../keys/authenticate.ts'
import type { InstanceLimit } from '../../keys/instance-limit.ts'
import { type BusinessOperations, operationOf } from '../../operations/operation.ts'
import type { Relay } from '../../relay/relay.ts'
import { endpoint } from '../endpoint.ts'
import { authenticateCall, jsonHeaders, readCall, replayedHeaders } from '../key-call.ts'
import type { Route } from '../route.ts'

export interface BusinessRouteDeps {
  readonly operation: (id: string) => Operation
  readonly authenticate: Authenticate
  readonly operations: BusinessOperations
  readonly relay: Relay
  readonly refusals: InstanceLimit
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
    const { address } = call.requester
    const principal = await authenticateCall(authenticate, call, { scope })
    refusals.check(principal.keyId)
    const read = await readCall(call, readRequest, refuse)
    if ('fault' in read) {
      refusals.count(principal.keyId)
      return relay.refuse({ operation: id, principal, address }, read.fault)
    }
    const response = await relay.run<O>({ operation: id, principal, address, ...read, requestId: call.requestId })
    return {
      status: response.status,
      headers: response.isReplay ? replayedHeaders : jsonHeaders,
      body: response.body,
      // For log and metrics: a stored refusal is replayed, not thrown.
      ...(response.code && { code: response.code }),
      charge: { projectId: principal.projectId, chargeId: response.chargeId },
    }
  })
}
