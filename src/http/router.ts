import { type IncomingMessage, METHODS, type Server } from 'node:http'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { errors, Refusal } from '../contract/errors.ts'
import { envelope } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { allowTable, placesOf } from './path-table.ts'
import type { Served } from './responder.ts'
import type { Answer, Route } from './route.ts'

export interface RouterOptions {
  readonly routes: readonly Route[]
  readonly isLoopback: boolean
  readonly server: Server
  readonly respond: (served: Served, exchange: Exchange) => Promise<void>
}

export interface Router {
  ready(): Promise<void>
  handle(exchange: Exchange): void
  close(): Promise<void>
}

/** Fastify finds the route; it sees only requests that passed the guard, and no body. */
export function createRouter({ routes, isLoopback, server, respond }: RouterOptions): Router {
  let handle: (request: IncomingMessage, response: Exchange['response']) => void = () => {}
  const app = Fastify({
    serverFactory: (handler) => {
      handle = handler as typeof handle
      return server
    },
    // The guard answers these itself.
    clientErrorHandler: () => {},
    frameworkErrors: (_error, request, reply) => run(badTarget, carriedBy(request), reply),
    logger: false,
    genReqId: () => '',
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { caseSensitive: true, maxParamLength: longestTarget, querystringParser: () => ({}) },
  })
  // Bodies are read by the exchange at its step, after authentication: to the router no method has one.
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })

  function run(served: Served, exchange: Exchange, reply: FastifyReply): void {
    // Answers are written straight to the response: the reply of the router would cost 7 % of a small request.
    reply.hijack()
    void respond(served, exchange)
  }

  for (const route of routes) {
    for (const { path, isPreview } of placesOf(route, isLoopback)) {
      const served: Served = { operationId: route.operationId, pattern: path, handle: route.handle }
      app.route({
        method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        handler: (request, reply) => {
          const exchange = carriedBy(request)
          exchange.params = request.params as Record<string, string>
          exchange.isPreview = isPreview
          run(served, exchange, reply)
        },
      })
    }
  }
  const unmatched = createUnmatched(allowTable(routes, isLoopback))
  app.setNotFoundHandler((request, reply) => run(unmatched, carriedBy(request), reply))
  app.setErrorHandler((error, request, reply) => run(refusing(error), carriedBy(request), reply))

  return {
    ready: async () => void (await app.ready()),
    handle(exchange) {
      ;(exchange.request as Carrier)[carried] = exchange
      handle(exchange.request, exchange.response)
    },
    close: async () => void (await app.close()),
  }
}

const unmatchedName = { operationId: 'unmatched', pattern: 'unmatched' }

function createUnmatched(allowOf: (target: string) => string | undefined): Served {
  return {
    ...unmatchedName,
    handle({ request }): Answer {
      const allow = allowOf(request.url!)
      if (allow === undefined) throw new Refusal('NOT_FOUND')
      const code = 'METHOD_NOT_ALLOWED'
      return { status: errors[code].status, code, headers: { allow }, body: envelope(code) }
    },
  }
}

const refusing = (error: unknown): Served => ({
  ...unmatchedName,
  handle: () => {
    throw error
  },
})

const badTarget = refusing(new Refusal('REQUEST_TARGET_INVALID'))

const carried = Symbol('exchange')
type Carrier = IncomingMessage & { [carried]: Exchange }
const carriedBy = (request: FastifyRequest) => (request.raw as Carrier)[carried]

/** A whole head has at most this many bytes, so no parameter is cut off by length. */
const longestTarget = 16_384
