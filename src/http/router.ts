import findMyWay from 'find-my-way'
import { errors, Refusal } from '../contract/errors.ts'
import { envelope } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { allowTable, placesOf } from './path-table.ts'
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
        served: { operationId: route.operationId, pattern: path, handle: route.handle },
        isPreview,
      }
      const methods = route.method === 'GET' ? (['GET', 'HEAD'] as const) : ([route.method] as const)
      paths.on([...methods], path.replace(/\{(\w+)\}/g, ':$1'), unused, destination)
    }
  }
  const unmatched = createUnmatched(allowTable(routes, isLoopback))

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

function createUnmatched(allowOf: (target: string) => string | undefined): Served {
  return {
    operationId: 'unmatched',
    pattern: 'unmatched',
    handle({ request }): Answer {
      const allow = allowOf(request.url!)
      if (allow === undefined) throw new Refusal('NOT_FOUND')
      const code = 'METHOD_NOT_ALLOWED'
      return { status: errors[code].status, code, headers: { allow }, body: envelope(code) }
    },
  }
}

/** What was found is answered here, not called by the finder. */
const unused = () => {}
const none = Object.freeze({})

/** A whole head has at most this many bytes, so no parameter is cut off by length. */
const longestTarget = 16_384
