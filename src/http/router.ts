import findMyWay from 'find-my-way'
import { type ErrorCode, errors, Refusal } from '../contract/errors.ts'
import { envelope, jsonType } from './errors.ts'
import { placesOf } from './places-of.ts'
import type { Served } from './responder.ts'
import type { Answer, Route } from './route.ts'
import type { Exchange } from './transport/exchange.ts'

export interface Router {
  readonly route: (exchange: Exchange) => void
  /** Refuses a request for want of time, before authentication, with the code of its operation. */
  readonly turnAway: (exchange: Exchange) => void
}

export interface RouterOptions {
  readonly routes: readonly Route[]
  readonly isLoopback: boolean
  readonly respond: (served: Served, exchange: Exchange) => Promise<void>
  readonly turnAway: (served: Served, exchange: Exchange, overloaded: Answer) => void
}

interface Destination {
  readonly served: Served
  /** The cheapest response, for when there is no time to do what was asked for. */
  readonly overloaded: Answer
  readonly isPreview: boolean
}

/** Finds the route of a request that passed the guard; a path that the guard let through can always be decoded. */
export function createRouter({ routes, isLoopback, respond, turnAway }: RouterOptions): Router {
  const paths = findMyWay({ caseSensitive: true, maxParamLength: longestTarget, querystringParser: () => none })
  for (const route of routes) {
    for (const { path, isPreview } of placesOf(route, isLoopback)) {
      const destination: Destination = {
        served: {
          operationId: route.operationId,
          pattern: path,
          handle: route.handle,
          mayCompress: route.mayCompress ?? false,
        },
        overloaded: overloadedWith(route.overloadCode),
        isPreview,
      }
      paths.on(
        route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
        path.replace(/\{(\w+)\}/g, ':$1'),
        unused,
        destination,
      )
    }
  }
  const unmatched = createUnmatched((target) => methods.filter((method) => paths.find(method, target) !== null))
  const nowhere = { served: unmatched, overloaded: overloadedWith('RATE_LIMITED') }

  const find = ({ request }: Exchange) => paths.find(request.method as 'GET', request.url!)

  return {
    route(exchange) {
      const found = find(exchange)
      if (found === null) {
        void respond(unmatched, exchange)
        return
      }
      const { served, isPreview } = found.store as Destination
      exchange.params = found.params as Record<string, string>
      exchange.isPreview = isPreview
      void respond(served, exchange)
    },
    turnAway(exchange) {
      const { served, overloaded } = (find(exchange)?.store as Destination | undefined) ?? nowhere
      turnAway(served, exchange, overloaded)
    },
  }
}

/** 405 with the methods that the path takes, or 404. Not on the hot path. */
function createUnmatched(methodsOf: (target: string) => readonly string[]): Served {
  return {
    operationId: 'unmatched',
    pattern: 'unmatched',
    mayCompress: false,
    handle({ request }): Answer {
      const allowed = methodsOf(request.url!)
      if (allowed.length === 0) throw new Refusal('NOT_FOUND')
      const code = 'METHOD_NOT_ALLOWED'
      return { status: errors[code].status, code, headers: { allow: allowed.join(', ') }, body: envelope(code) }
    },
  }
}

const overloadedWith = (code: ErrorCode = 'RATE_LIMITED'): Answer => ({
  status: errors[code].status,
  code,
  headers: { 'content-type': jsonType, 'retry-after': String(overloadRetrySeconds) },
  body: JSON.stringify(envelope(code)),
})

/** Long enough to let a queue empty, short enough not to be missed. */
const overloadRetrySeconds = 1
/** Every method that a route can have, in the order of `Allow`. */
const methods = ['GET', 'HEAD', 'POST'] as const

/** What was found is answered here, not called by the finder. */
const unused = () => {}
const none = Object.freeze({})

/** A whole head has at most this many bytes, so no parameter is cut off by length. */
const longestTarget = 16_384
