import {
  type OperatorApiCode,
  type OperatorErrorCode,
  OperatorRefusal,
  operatorErrors,
} from '../../../contract/error-codes/operators.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { endpoint, operationsById, pathParameter, queryReader } from '../../../http/endpoint.ts'
import type { Call, ReadRequest, Route, RouteResponse } from '../../../http/route.ts'
import type { SignedOperator } from '../administration/operator-sessions.ts'
import { operatorOperations } from '../contract/operations.ts'
import type { OperatorGuard } from './guard.ts'

/** What a handler gets: everything is checked. */
export interface OperatorCall<B = unknown, Q extends object = object> {
  readonly operator: SignedOperator
  readonly body: B
  readonly query: Q
  readonly at: (name: string) => string
  readonly call: Call
}

const operatorOperation = operationsById(operatorOperations)

/** An operation that needs no sign-in. */
export const openEndpoint = <B = never>(
  id: string,
  handle: (call: Call, read: ReadRequest<B>) => Promise<RouteResponse> | RouteResponse,
): Route => endpoint<B, OperatorApiCode>(operatorOperation(id), handle, refusalOf)

/** The route of an operation that needs a sign-in: session, CSRF token, role, path, query and body are checked in this order. */
export function operatorEndpoint<B = unknown, Q extends object = object>(
  guard: OperatorGuard,
  id: string,
  handle: (seen: OperatorCall<B, Q>) => Promise<RouteResponse> | RouteResponse,
): Route {
  const operation = operatorOperation(id)
  const readQuery = queryReader<Q>(operation)
  return openEndpoint<B>(id, async (call, read) => {
    const operator = await guard.admit(call, operation)
    const at = (name: string) => pathParameter(operation, call, name, refusalOf)
    for (const name of Object.keys(operation.pathParameters ?? {})) at(name)
    const query = operation.queryParameters ? readQuery(call) : ({} as Q)
    return handle({ operator, at, query, body: operation.request ? await read(call) : (undefined as B), call })
  })
}

const refusalOf = (code: OperatorApiCode): Error =>
  Object.hasOwn(operatorErrors, code) ? new OperatorRefusal(code as OperatorErrorCode) : new Refusal(code as ErrorCode)
