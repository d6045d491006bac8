import { type ErrorCode, Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { prices } from '../contract/prices.ts'
import { compile } from '../contract/validate.ts'
import type { Guards, SignedIn } from './guards.ts'
import { withRetryHints } from './retry-hints.ts'
import type { Call, ReadRequest, Route, RouteResponse } from './route.ts'

/** Makes the error of a code. The operator's API has codes of its own. */
type RefuseWith<Code extends string> = (code: Code, message?: string) => Error

const refuse: RefuseWith<ErrorCode> = (code, message) => new Refusal(code, { message })

/**
 * Turns an operation of the contract into a route. The handler calls `read` itself, so it decides what is checked
 * before the body.
 */
export function endpoint<R = never, Code extends string = ErrorCode>(
  operation: Operation<Code, string>,
  handle: (call: Call, read: ReadRequest<R>) => Promise<RouteResponse> | RouteResponse,
  refuseWith = refuse as RefuseWith<string> as RefuseWith<Code>,
): Route {
  // Texts of the billable operations are stored only inside JSON, which can hold U+0000.
  const check = operation.request && compile<Code>(operation.request, { acceptsNul: operation.id in prices })
  const read: ReadRequest<R> = async (call) => {
    const body = await call.readJson()
    const result = check?.(body)
    if (result && !result.ok) throw refuseWith(result.code, result.message)
    return body as R
  }
  return {
    operationId: operation.id,
    method: operation.method,
    path: operation.path,
    overloadCode: operation.access === 'key' ? 'PROVIDER_CAPACITY_EXHAUSTED' : 'RATE_LIMITED',
    handle: (call) => handle(call, read),
    ...(operation.access === 'key' && { finish: withRetryHints }),
  }
}

/** Reads a path parameter; a malformed ID gets the same error as an unknown one. */
export function pathParameter<Code extends string = ErrorCode>(
  { pathParameters }: Pick<Operation<Code, string>, 'pathParameters'>,
  call: Pick<Call, 'params'>,
  name: string,
  refuseWith = refuse as RefuseWith<string> as RefuseWith<Code>,
): string {
  const { pattern, code } = pathParameters![name]!
  const value = call.params[name] ?? ''
  if (!new RegExp(pattern, 'u').test(value)) throw refuseWith(code)
  return value
}

/** Reads the query parameters of an operation; unknown, repeated or invalid ones are refused. */
export function queryReader<Q extends object>(operation: Pick<Operation, 'queryParameters'>): (call: Call) => Q {
  const parameters = new Map(
    Object.entries(operation.queryParameters ?? {}).map(([name, schema]) => {
      const { type, default: fallback, 'x-error-code': code } = schema as QueryParameter
      return [name, { isInteger: type === 'integer', fallback, code, check: compile(schema) }]
    }),
  )
  return (call) => {
    const values = new Map<string, unknown>()
    for (const [name, text] of call.query) {
      const parameter = parameters.get(name)
      if (!parameter) throw invalidQuery('A query parameter is unknown.')
      if (values.has(name)) throw invalidQuery(`The query parameter ${name} was sent twice.`)
      const value = parameter.isInteger ? parseInteger(text) : text
      const verdict = parameter.check(value)
      if (!verdict.ok) {
        if (parameter.code) throw new Refusal(parameter.code, { message: verdict.message })
        throw invalidQuery(`The query parameter ${name} is invalid.`, verdict.message)
      }
      values.set(name, value)
    }
    for (const [name, { fallback }] of parameters) {
      if (fallback !== undefined && !values.has(name)) values.set(name, fallback)
    }
    return Object.fromEntries(values) as Q
  }
}

interface QueryParameter {
  readonly type?: string
  readonly default?: unknown
  /** That of REQUEST_TARGET_INVALID by default. */
  readonly 'x-error-code'?: ErrorCode
}

const invalidQuery = (explain: string, message?: string) =>
  new Refusal('REQUEST_TARGET_INVALID', message === undefined ? { explain } : { message })

const parseInteger = (text: string) => (/^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : undefined)

export interface ViewDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
}

/** A checked request of a signed-in account. */
export interface SessionCall<Session, B, Q> {
  readonly session: Session
  readonly body: B
  readonly query: Q
  /** A parameter of the path. */
  readonly at: (name: string) => string
  readonly call: Call
}

/** A route for those who are signed in: `admit` checks the session first, then come query, path and body. */
export function sessionEndpoint<Session, B, Q extends object, Code extends string = ErrorCode>(
  operation: Operation<Code, string>,
  admit: (call: Call) => Promise<Session>,
  handle: (given: SessionCall<Session, B, Q>) => Promise<RouteResponse> | RouteResponse,
  refuseWith = refuse as RefuseWith<string> as RefuseWith<Code>,
): Route {
  const readQuery = queryReader<Q>(operation)
  return endpoint<B, Code>(
    operation,
    async (call, read) => {
      const session = await admit(call)
      const query = operation.queryParameters ? readQuery(call) : ({} as Q)
      const at = (name: string) => pathParameter(operation, call, name, refuseWith)
      for (const name of Object.keys(operation.pathParameters ?? {})) at(name)
      const body = operation.request ? await read(call) : (undefined as B)
      return handle({ session, at, query, body, call })
    },
    refuseWith,
  )
}

type Show<Q> = (seen: SessionCall<SignedIn, undefined, Q>) => Promise<RouteResponse> | RouteResponse

/** A read by a signed-in person. */
export function viewRoute<Q extends object>({ operation, guards }: ViewDeps, id: string, show: Show<Q>): Route {
  // Without parameters of its own, a view refuses every query.
  const viewed = { queryParameters: {}, ...operation(id) }
  return { ...sessionEndpoint(viewed, guards.session, show), mayCompress: true }
}

export const ok = (body: object, status = 200): RouteResponse => ({ status, body })

/** Finds an operation by its id. A missing one fails the start. */
export function operationsById<O extends { readonly id: string }>(operations: readonly O[]): (id: string) => O {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  return (id) => {
    const found = byId.get(id)
    if (!found) throw new Error(`the contract has no operation ${id}`)
    return found
  }
}
