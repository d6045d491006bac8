import { Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { compile } from '../contract/validate.ts'
import type { Answer, Call, Route } from './route.ts'

/** Reads the body of a request and checks it against the contract of its operation. */
export type ReadRequest<R> = (call: Call) => Promise<R>

/**
 * Joins an operation of the contract with the code that serves it. The handler gets `read`, so that it decides
 * what is checked before the body; what the body may hold is the contract's business alone.
 */
export function endpoint<R = never>(
  operation: Operation,
  handle: (call: Call, read: ReadRequest<R>) => Promise<Answer> | Answer,
): Route {
  const check = operation.request && compile(operation.request)
  const read: ReadRequest<R> = async (call) => {
    const body = await call.readJson()
    const verdict = check?.(body)
    if (verdict && !verdict.ok) throw new Refusal(verdict.code)
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

/** A path parameter; one that cannot be an identifier names nothing that exists. */
export function pathParameter(operation: Operation, call: Call, name: string): string {
  const { pattern, code } = operation.pathParameters![name]!
  const value = call.params[name] ?? ''
  if (!new RegExp(pattern).test(value)) throw new Refusal(code)
  return value
}
