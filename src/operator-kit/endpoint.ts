import {
  type OperatorApiCode,
  type OperatorErrorCode,
  operatorErrors,
  operatorRefusal,
} from '../contract/error-codes/operators.ts'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import { compile } from '../contract/validate.ts'
import { endpoint, pathParameter, sessionEndpoint } from '../http/endpoint.ts'
import type { Call, ReadRequest, Route, RouteResponse } from '../http/route.ts'
import { type Actor, actorAt } from './actor.ts'
import type { OperatorGuard, SignedOperator } from './guard.ts'
import type { OperatorOperation } from './operation.ts'

/** What a handler gets: everything is checked. */
export interface OperatorCall<B = unknown, Q extends object = object> {
  readonly actor: Actor
  readonly body: B
  readonly query: Q
  /** A parameter of the path. */
  readonly at: (name: string) => string
}

type Handled = Promise<RouteResponse> | RouteResponse

/** How a feature serves one operation of its part of the operator contract. It needs no HTTP: a command can call it too. */
export interface OperatorHandler {
  readonly id: string
  readonly handle: (given: OperatorCall) => Handled
}

export const operatorHandler = <B = unknown, Q extends object = object>(
  id: string,
  handle: (given: OperatorCall<B, Q>) => Handled,
): OperatorHandler => ({ id, handle: handle as OperatorHandler['handle'] })

/** The same with the session and the request, for what only a listener can do. */
export interface SignedCall<B = unknown, Q extends object = object> extends OperatorCall<B, Q> {
  readonly operator: SignedOperator
  readonly call: Call
}

/** An operation that needs no sign-in. */
export const openEndpoint = <B = never>(
  operation: OperatorOperation,
  handle: (call: Call, read: ReadRequest<B>) => Handled,
): Route => endpoint<B, OperatorApiCode>(operation, handle, refusalOf)

/** The route of an operation that needs a sign-in: session, CSRF token and role are checked before the request. */
export const operatorEndpoint = <B = unknown, Q extends object = object>(
  guard: OperatorGuard,
  operation: OperatorOperation,
  handle: (given: SignedCall<B, Q>) => Handled,
): Route =>
  sessionEndpoint<SignedOperator, B, Q, OperatorApiCode>(
    operation,
    (call) => guard.admit(call, operation),
    ({ session: operator, ...given }) => handle({ ...given, operator, actor: actorAt(operator) }),
    refusalOf,
  )

export interface CommandCall {
  readonly actor: Actor
  readonly params: Record<string, string>
  readonly body: object
}

/** Runs an operation for a command: path and body are checked as those of a request. */
export async function runOperation(
  operation: OperatorOperation,
  handle: OperatorHandler['handle'],
  { actor, params, body }: CommandCall,
): Promise<RouteResponse> {
  const at = (name: string) => pathParameter(operation, { params }, name, refusalOf)
  for (const name of Object.keys(operation.pathParameters ?? {})) at(name)
  const checked = operation.request && compile<OperatorApiCode>(operation.request)(body)
  if (checked && !checked.ok) throw refusalOf(checked.code, checked.message)
  return handle({ actor, at, query: {}, body })
}

const refusalOf = (code: OperatorApiCode, message?: string): Error =>
  Object.hasOwn(operatorErrors, code)
    ? operatorRefusal(code as OperatorErrorCode, message)
    : new Refusal(code as ErrorCode, { message })
