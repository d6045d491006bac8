import { BlockList } from 'node:net'
import type { Logger } from 'pino'
import { errorBody, errors } from '../contract/errors.ts'
import { commonHeaders, refusalBytes } from './errors.ts'
import { createRequestLog, type ObserveRequest } from './request-log.ts'
import { createResponder, type TraceRequest } from './responder.ts'
import type { Route } from './route.ts'
import { createRouter, type GuardedPaths, servedPaths } from './router.ts'
import { type ListenAddress, listen } from './transport/guarded-server.ts'
import type { HeadRules } from './transport/request-head.ts'
import { createTransport } from './transport/transport.ts'

export interface HttpServerOptions {
  readonly origin: URL
  /** Accepts hosts in addition to that of the origin. */
  readonly acceptsHost?: HeadRules['acceptsHost']
  readonly isLoopback: boolean
  readonly routes: readonly Route[]
  readonly guarded?: GuardedPaths
  readonly bodyLimitBytes: number
  readonly bodyDeadlineMs: number
  readonly keepAliveMs?: number
  readonly stallMs?: number
  /** Proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies?: BlockList
  readonly maxConnections?: number
  readonly maxConnectionsPerRequester?: number
  readonly onConnectionRefused?: () => void
  /** How long a request may wait in a long queue before it is shed. */
  readonly shedAfterMs?: number
  readonly logger: Logger
  readonly observe: ObserveRequest
  readonly newRequestId: () => string
  readonly trace?: TraceRequest | undefined
}

export interface HttpServer {
  listen(address: ListenAddress): Promise<ListenAddress>
  /** Asks clients to connect elsewhere: responses say `Connection: close`. New connections are still accepted. */
  announceDrain(): void
  /** Stops accepting and resolves once all handlers are done, or after the timeout, when `endStreams` ends what is still streaming. */
  drain(timeoutMs: number, endStreams?: () => number): Promise<void>
  /** Stops at once, without waiting for handlers. */
  close(): Promise<void>
  /** Running handlers, including those whose client disconnected. */
  inFlight(): number
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { origin, routes, isLoopback, newRequestId } = options
  const common = commonHeaders(origin)
  const log = createRequestLog(options.logger, options.observe)
  const transport = createTransport({
    rules: {
      host: origin.host,
      bodyLimitBytes: options.bodyLimitBytes,
      ...headRules(routes, isLoopback),
      ...(options.acceptsHost && { acceptsHost: options.acceptsHost }),
      anyHostPaths: new Set(routes.filter(({ servesAnyHost }) => servesAnyHost).map(({ path }) => path)),
    },
    bodyDeadlineMs: options.bodyDeadlineMs,
    // Longer than the usual idle timeout of a reverse proxy, so that the proxy closes first.
    keepAliveMs: options.keepAliveMs ?? 72_000,
    stallMs: options.stallMs ?? 60_000,
    trustedProxies: options.trustedProxies ?? new BlockList(),
    maxConnections: options.maxConnections ?? 8192,
    maxConnectionsPerRequester: options.maxConnectionsPerRequester ?? 1024,
    onConnectionRefused: options.onConnectionRefused ?? (() => {}),
    shedAfterMs: options.shedAfterMs ?? 2000,
    newRequestId,
    handle: (exchange) => router.route(exchange),
    shed: (exchange) => router.shed(exchange),
    refuse({ code, method, target, message }) {
      const requestId = newRequestId()
      const { status } = errors[code]
      log.finished({ requestId, method, route: unmatched, operationId: unmatched, status, code, durationMs: 0 })
      const allow = code === 'METHOD_NOT_ALLOWED' ? { allow: 'GET, HEAD, POST' } : {}
      const headers = { ...common, ...allow, 'x-request-id': requestId }
      const refusal = { status, code, headers, body: errorBody(code, message) }
      const finish = target === null ? undefined : router.finishAt(method, target)
      return refusalBytes(finish?.(refusal, null) ?? refusal, method === 'HEAD')
    },
  })
  const server = transport.createServer()
  const responder = createResponder({ common, log, done: transport.done, trace: options.trace })
  const router = createRouter({ routes, isLoopback, guarded: options.guarded, ...responder })

  return {
    listen: (address) => listen(server, transport.createServer, address),
    announceDrain: transport.announceDrain,
    drain: transport.drain,
    close: () => transport.drain(0),
    inFlight: transport.inFlight,
  }
}

/** What single routes may do that others may not. */
function headRules(
  routes: readonly Route[],
  isLoopback: boolean,
): Required<Pick<HeadRules, 'largerBodies' | 'escapedSlashUnder'>> {
  const pathsOf = (route: Route) => servedPaths(route, isLoopback).map(({ path }) => path)
  const larger = routes.filter(({ bodyLimitBytes }) => bodyLimitBytes !== undefined)
  return {
    largerBodies: new Map(larger.flatMap((route) => pathsOf(route).map((path) => [path, route.bodyLimitBytes!]))),
    escapedSlashUnder: routes
      .filter(({ takesEscapedSlash }) => takesEscapedSlash)
      .flatMap((route) => pathsOf(route).map((path) => path.replace(/\*$/, ''))),
  }
}

const unmatched = 'unmatched'
