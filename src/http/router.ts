import findMyWay from 'find-my-way'
import { errors, Refusal } from '../contract/errors.ts'
import { envelope } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { placesOf } from './places-of.ts'
import type { Served } from './responder.ts'
import type { Answer, Route } from './route.ts'

export interface RouterOptions {
  readonly routes: readonly Route[]
  readonly isLoopback: boolean
  readonly respond: (served: Served, exchange: Exchange) => Promise<void>
}

interface Destination {
  readonly served: Served
  readonly isPreview: boolean
}

/** Finds the route of a request that passed the guard; a path that the guard let through can always be decoded. */
export function createRouter({ routes, isLoopback, respond }: RouterOptions): (exchange: Exchange) => void {
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

  return (exchange) => {
    const { method, url } = exchange.request
    const found = paths.find(method as 'GET', url!)
    if (found === null) {
      void respond(unmatched, exchange)
      return
    }
    const { served, isPreview } = found.store as Destination
    exchange.params = found.params as Record<string, string>
    exchange.isPreview = isPreview
    void respond(served, exchange)
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

/** Every method that a route can have, in the order of `Allow`. */
const methods = ['GET', 'HEAD', 'POST'] as const

/** What was found is answered here, not called by the finder. */
const unused = () => {}
const none = Object.freeze({})

/** A whole head has at most this many bytes, so no parameter is cut off by length. */
const longestTarget = 16_384
