import { Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { prices } from '../contract/prices.ts'
import { compile } from '../contract/validate.ts'
import type { Call, Route, RouteResponse } from './route.ts'

/** Reads the body and validates it against the operation's contract. */
export type ReadRequest<R> = (call: Call) => Promise<R>

/**
 * Turns an operation of the contract into a route. The handler calls `read` itself, so it decides what is checked
 * before the body.
 */
export function endpoint<R = never>(
  operation: Operation,
  handle: (call: Call, read: ReadRequest<R>) => Promise<RouteResponse> | RouteResponse,
): Route {
  // Texts of the nine are stored only inside JSON, which can hold U+0000.
  const check = operation.request && compile(operation.request, { acceptsNul: operation.id in prices })
  const read: ReadRequest<R> = async (call) => {
    const body = await call.readJson()
    const result = check?.(body)
    if (result && !result.ok) throw new Refusal(result.code)
    return body as R
  }
  return {
    operationId: operation.id,
    method: operation.method,
    path: operation.path,
    overloadCode: operation.access === 'key' ? 'PROVIDER_CAPACITY_EXHAUSTED' : 'RATE_LIMITED',
    handle: (call) => handle(call, read),
  }
}

/** Reads a path parameter; a malformed ID gets the same error as an unknown one. */
export function pathParameter(operation: Operation, call: Call, name: string): string {
  const { pattern, code } = operation.pathParameters![name]!
  const value = call.params[name] ?? ''
  if (!new RegExp(pattern).test(value)) throw new Refusal(code)
  return value
}
