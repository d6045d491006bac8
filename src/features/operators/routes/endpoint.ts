import {
  type OperatorApiCode,
  type OperatorErrorCode,
  OperatorRefusal,
  operatorErrors,
} from '../../../contract/error-codes/operators.ts'
import { type ErrorCode, errors, Refusal } from '../../../contract/errors.ts'
import { compile } from '../../../contract/validate.ts'
import { queryReader } from '../../../http/endpoint.ts'
import type { Call, Route, RouteResponse } from '../../../http/route.ts'
import type { SignedOperator } from '../administration/operator-sessions.ts'
import type { OperatorOperation } from '../contract/operation.ts'
import { operatorOperations } from '../contract/operations.ts'
import type { OperatorGuard } from './guard.ts'

/** What a handler gets: everything is checked. */
export interface OperatorCall<B = unknown, Q extends object = object> {
  readonly operator: SignedOperator
  readonly body: B
  readonly query: Q
  /** A path parameter. */
  readonly at: (name: string) => string
  readonly call: Call
}

const byId = new Map(operatorOperations.map((operation) => [operation.id, operation]))

export function operatorOperation(id: string): OperatorOperation {
  const found = byId.get(id)
  if (!found) throw new Error(`the operator's contract has no operation ${id}`)
  return found
}

/** The route of an operation that needs a sign-in: session, CSRF token, role, path, query and body are checked in this order. */
export function operatorEndpoint<B = unknown, Q extends object = object>(
  guard: OperatorGuard,
  id: string,
  handle: (seen: OperatorCall<B, Q>) => Promise<RouteResponse> | RouteResponse,
): Route {
  const operation = operatorOperation(id)
  const readBody = bodyReader<B>(operation)
  const readQuery = queryReader<Q>(operation)
  return {
    ...routeOf(operation),
    async handle(call) {
      const operator = await guard.admit(call, operation)
      const at = (name: string) => pathParameter(operation, call, name)
      for (const name of Object.keys(operation.pathParameters ?? {})) at(name)
      const query = operation.queryParameters ? readQuery(call) : ({} as Q)
      return handle({ operator, at, query, body: await readBody(call), call })
    },
  }
}

export const routeOf = ({ id, method, path }: OperatorOperation): Pick<Route, 'operationId' | 'method' | 'path'> => ({
  operationId: id,
  method,
  path,
})

export function bodyReader<B>({ request }: OperatorOperation): (call: Call) => Promise<B> {
  const check = request && compile<OperatorApiCode>(request)
  return async (call) => {
    if (!check) return undefined as B
    const body = await call.readJson()
    const result = check(body)
    if (!result.ok) throw refusalOf(result.code)
    return body as B
  }
}

function pathParameter({ pathParameters }: OperatorOperation, call: Call, name: string): string {
  const { pattern, code } = pathParameters![name]!
  const value = call.params[name] ?? ''
  if (!new RegExp(pattern, 'u').test(value)) throw refusalOf(code)
  return value
}

const refusalOf = (code: OperatorApiCode): Error =>
  Object.hasOwn(operatorErrors, code)
    ? new OperatorRefusal(code as OperatorErrorCode)
    : new Refusal(code as ErrorCode, Object.hasOwn(errors, code) ? {} : { cause: code })

export const ok = (body: object, status = 200): RouteResponse => ({ status, body })
