import type { IncomingMessage } from 'node:http'
import findMyWay from 'find-my-way'
import { errorBody, errors, Refusal } from '../contract/errors.ts'
import { jsonType } from './errors.ts'
import type { Handler } from './responder.ts'
import type { Call, Route, RouteResponse } from './route.ts'
import type { Exchange } from './transport/exchange.ts'

interface ServedPath {
  readonly path: string
  readonly isPreview: boolean
}

/** Every path at which a route is served. The preview paths exist only where the origin is loopback. */
export function servedPaths({ path }: Pick<Route, 'path'>, isLoopback: boolean): ServedPath[] {
  const place = { path, isPreview: false }
  const preview = isLoopback ? previewPath(path) : undefined
  return preview === undefined ? [place] : [place, { path: preview, isPreview: true }]
}

function previewPath(path: string): string | undefined {
  if (path === '/') return '/gateway'
  if (path.startsWith('/v1/')) return `/gateway/api/${path.slice('/v1/'.length)}`
  return /^\/(console|docs|en|key|media|openapi\.json|llms\.txt|pricing|status|verify|zh)(\/|$)/.test(path)
    ? `/gateway${path}`
    : undefined
}

interface Router {
  readonly route: (exchange: Exchange) => void
  /** Refuses a request because of overload, before authentication, with the code of its route. */
  readonly shed: (exchange: Exchange) => void
  /** What completes the responses of a path, with this method or another one. */
  readonly finishAt: (method: string, target: string) => Route['finish']
}

interface RouterOptions {
  readonly routes: readonly Route[]
  readonly isLoopback: boolean
  readonly respond: (handler: Handler, exchange: Exchange) => Promise<void>
  readonly shed: (handler: Handler, exchange: Exchange, overloaded: RouteResponse) => void
  readonly guarded?: GuardedPaths | undefined
}

/** Only who is admitted learns which paths and methods exist there. */
export interface GuardedPaths {
  readonly under: string
  readonly admit: (call: Call) => Promise<unknown>
}

interface RouteMatch {
  readonly handler: Handler
  /** The prepared response for a request that is shed. */
  readonly overloaded: RouteResponse
  readonly isPreview: boolean
  readonly except: readonly string[]
  readonly isFallback: boolean
}

const matchOf = (route: Route, path: string, isPreview: boolean): RouteMatch => ({
  handler: {
    operationId: route.operationId,
    pattern: path,
    handle: route.handle,
    mayCompress: route.mayCompress ?? false,
    finish: route.finish,
  },
  overloaded: overloadedWith(route),
  isPreview,
  except: route.except ?? [],
  isFallback: route.isFallback ?? false,
})

/** Finds the route of a request. The transport has checked that the path can be decoded. */
export function createRouter({ routes, isLoopback, respond, shed, guarded }: RouterOptions): Router {
  const served = routes.flatMap((route) => servedPaths(route, isLoopback).map((place) => ({ route, ...place })))
  const matches = served.map(({ route, path, isPreview }) => matchOf(route, path, isPreview))
  const paths = pathTree(served.map(({ route, path }) => ({ method: route.method, path })))
  const matchAt = (found: { readonly store: unknown } | null) =>
    found ? matches[(found.store as Indexed).index] : undefined
  const unmatched = createUnmatched({
    methodsOf: (target) => methods.filter((method) => findPath(method, target) !== null),
    fallbackOf: ({ method, url }) => matchAt(paths.find(method as 'POST', url!))?.handler,
    finishAt,
    guarded,
  })
  const nowhere = { handler: unmatched, overloaded: overloadedWith({}) }

  function findPath(method: (typeof methods)[number], target: string) {
    // HEAD is served where GET is.
    const found = paths.find(method === 'HEAD' ? 'GET' : method, target)
    const { except, isFallback } = matchAt(found) ?? { except: [], isFallback: true }
    return isFallback || except.includes(found!.params['*'] ?? '') ? null : found
  }
  const find = ({ request }: Exchange) => findPath(request.method as 'GET', request.url!)

  function finishAt(method: string, target: string): Route['finish'] {
    const served = [method as 'GET', ...methods].map((one) => findPath(one, target)).find((found) => found !== null)
    return matchAt(served ?? paths.find(method as 'GET', target))?.handler.finish
  }

  return {
    finishAt,
    route(exchange) {
      const found = find(exchange)
      if (found === null) {
        void respond(unmatched, exchange)
        return
      }
      const { handler, isPreview } = matchAt(found)!
      exchange.params = found.params as Record<string, string>
      exchange.isPreview = isPreview
      void respond(handler, exchange)
    },
    shed(exchange) {
      const { handler, overloaded } = matchAt(find(exchange)) ?? nowhere
      shed(handler, exchange, overloaded)
    },
  }
}

interface Place {
  readonly method: Route['method']
  readonly path: string
}

interface Indexed {
  readonly index: number
}

const trees = new Map<string, ReturnType<typeof findMyWay>>()
const maxTrees = 16

/**
 * Finds the index of a path. Compiling the tree takes a tenth of a start, so a process with many gateways, such as a test or the simulation,
 * compiles each tree once.
 */
function pathTree(places: readonly Place[]): ReturnType<typeof findMyWay> {
  const key = places.map(({ method, path }) => `${method} ${path}`).join('\n')
  const known = trees.get(key)
  if (known) return known
  const tree = findMyWay({ caseSensitive: true, maxParamLength: longestTarget, querystringParser: () => none })
  for (const [index, { method, path }] of places.entries())
    tree.on(method, path.replace(/\{(\w+)\}/g, ':$1'), unused, { index })
  if (trees.size < maxTrees) trees.set(key, tree)
  return tree
}

interface UnmatchedOptions {
  readonly methodsOf: (target: string) => readonly string[]
  readonly fallbackOf: (request: IncomingMessage) => Handler | undefined
  readonly finishAt: Router['finishAt']
  readonly guarded: GuardedPaths | undefined
}

/** 405 with the methods that the path supports, or 404. Not on the hot path. */
function createUnmatched({ methodsOf, fallbackOf, finishAt, guarded }: UnmatchedOptions): Handler {
  async function respond(exchange: Exchange): Promise<RouteResponse> {
    const { request } = exchange
    const allowed = methodsOf(request.url!)
    if (allowed.length === 0) {
      const isPerson = isOfPerson(request)
      // One for GET is a page, which programs do not want.
      const fallback = isPerson || request.method !== 'GET' ? fallbackOf(request) : undefined
      if (fallback) {
        const response = await fallback.handle(exchange)
        return fallback.finish?.(response, exchange) ?? response
      }
      if (isPerson) return notFoundPage
      throw new Refusal('NOT_FOUND')
    }
    const code = 'METHOD_NOT_ALLOWED'
    const headers = { allow: allowed.join(', ') }
    const response = { status: errors[code].status, code, headers, body: errorBody(code) } as const
    return finishAt(request.method!, request.url!)?.(response, exchange) ?? response
  }
  return {
    operationId: 'unmatched',
    pattern: 'unmatched',
    mayCompress: false,
    handle: (exchange) =>
      guarded && exchange.request.url!.startsWith(guarded.under)
        ? guarded.admit(exchange).then(() => respond(exchange))
        : respond(exchange),
  }
}

/** A browser that opens an address; programs get JSON. */
const isOfPerson = ({ method, headers, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html') && !/^(\/gateway)?\/(v1|api)(\/|$)/.test(url)

const notFoundPage: RouteResponse = {
  status: 404,
  code: 'NOT_FOUND',
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found · 页面不存在</title></head>
<body><main><h1>Page not found <span lang="zh-CN">页面不存在</span></h1>
<p>Check the link, or go to the <a href="/">start page</a>. <span lang="zh-CN">请检查链接，或返回<a href="/">首页</a>。</span></p></main></body></html>
`,
}

function overloadedWith({ overloadCode: code = 'RATE_LIMITED', finish }: Partial<Route>): RouteResponse {
  const response = {
    status: errors[code].status,
    code,
    headers: { 'content-type': jsonType, 'retry-after': String(overloadRetrySeconds) },
    body: JSON.stringify(errorBody(code)),
  }
  return finish?.(response, null) ?? response
}

const overloadRetrySeconds = 1
/** Every method that a route can have, in the order of `Allow`. */
const methods = ['GET', 'HEAD', 'POST'] as const

/** find-my-way requires a handler; only `find` is used here. */
const unused = () => {}
const none = Object.freeze({})

/** The largest request head, so no parameter is ever too long to match. */
const longestTarget = 16_384
