import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { monotonicMs } from '../base/clock.ts'
import { isoOf } from '../base/time.ts'
import type { OperatorApiCode } from '../contract/error-codes/operators.ts'
import { type LimitReached, Refusal } from '../contract/errors.ts'
import { jsonType } from './errors.ts'
import { singleHeader } from './guards.ts'
import { LiveBody } from './live-body.ts'
import type { FinishedRequest, RequestLog } from './request-log.ts'
import { type Route, type RouteResponse, StreamedBody } from './route.ts'
import { createResponseCompressor } from './static/compress.ts'
import type { Exchange } from './transport/exchange.ts'
import { ResponseOutput } from './transport/live-output.ts'

export interface Handler {
  readonly operationId: string
  readonly pattern: string
  readonly handle: (exchange: Exchange) => Promise<RouteResponse> | RouteResponse
  readonly mayCompress: boolean
  readonly finish?: Route['finish']
}

export interface ResponderOptions {
  /** Headers of every response, in lower case. */
  readonly common: Readonly<Record<string, string>>
  readonly log: RequestLog
  /** Called once per exchange, after its handler finished and its response was sent. */
  readonly done: () => void
  /** Runs requests in spans, if tracing is on. */
  readonly trace?: TraceRequest | undefined
}

export type TraceRequest = (
  request: Pick<FinishedRequest, 'method' | 'route' | 'operationId' | 'requestId'> & {
    readonly header: (name: string) => string | undefined
  },
  serve: () => Promise<RouteResponse>,
) => Promise<RouteResponse>

/** Runs handlers and sends their responses. A handler runs to its end even if the client disconnects. */
export function createResponder({ common, log, done, trace }: ResponderOptions) {
  const compressResponse = createResponseCompressor()

  return {
    async respond(handler: Handler, exchange: Exchange): Promise<void> {
      try {
        const response = await (trace ? serveTraced(trace, handler, exchange) : serve(handler, exchange))
        log.finished(finished(handler, exchange, response), exchange.key)
      } finally {
        done()
      }
    },
    /** Sends a response without running the handler. */
    shed(handler: Handler, exchange: Exchange, overloaded: RouteResponse): void {
      try {
        send(overloaded, exchange)
        log.shed(finished(handler, exchange, overloaded))
      } finally {
        done()
      }
    },
  }

  function serveTraced(trace: TraceRequest, handler: Handler, exchange: Exchange): Promise<RouteResponse> {
    return trace(tracedFacts(handler, exchange), () => serve(handler, exchange))
  }

  async function serve(handler: Handler, exchange: Exchange): Promise<RouteResponse> {
    const { finish = unchanged } = handler
    let response: RouteResponse
    let stream: Readable | null = null
    try {
      response = finish(await handler.handle(exchange), exchange)
      if (handler.mayCompress) response = await compressResponse(response, exchange)
      if (response.body instanceof StreamedBody && exchange.request.method !== 'HEAD')
        stream = await response.body.open()
    } catch (error) {
      response = finish(errorResponse(error, exchange), exchange)
    }
    try {
      const { body } = response
      send(response, exchange, stream !== null || body instanceof LiveBody)
      if (stream) await sendStream(stream, exchange, log)
      else if (body instanceof LiveBody)
        return { ...response, begunMs: msSince(exchange), ...(await sendLive(body, exchange)) }
    } catch (error) {
      stream?.destroy()
      // The body cannot be serialized, or a header value is illegal.
      response = finish(errorResponse(error, exchange), exchange)
      send(response, exchange)
    }
    return response
  }

  /** If the body fails, the connection is closed: the client sees that something is missing. */
  async function sendLive(body: LiveBody, { request, response, requestId }: Exchange) {
    const output = new ResponseOutput(response, request.socket)
    try {
      const code = await body.run(output)
      await output.end()
      return code === null ? {} : { code }
    } catch (error) {
      log.failed(requestId, error)
      response.destroy()
      return { code: 'INTERNAL_ERROR' as const }
    }
  }

  function send({ status, headers, body }: RouteResponse, { response, requestId }: Exchange, isStreamed = false): void {
    const isStream = body instanceof StreamedBody || body instanceof LiveBody
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const payload = isStream ? '' : isRaw ? body : JSON.stringify(body)
    const all: Record<string, string | number> = { ...common, 'x-request-id': requestId }
    if (!isRaw && !isStream) all['content-type'] = jsonType
    if (headers !== undefined) {
      for (const name of Object.keys(headers)) all[name.toLowerCase()] = headers[name]!
    }
    const length = isStream ? (body instanceof StreamedBody ? body.bytes : null) : Buffer.byteLength(payload)
    if (length !== null && status !== 204 && status !== 304) all['content-length'] = length
    // Nothing is sent before `end`, so if this throws, another response can still be sent.
    response.writeHead(status, all)
    if (!isStreamed) response.end(payload)
  }

  function errorResponse(error: unknown, { requestId }: Exchange): RouteResponse {
    logError(log, requestId, error)
    return responseTo(error)
  }
}

function tracedFacts({ operationId, pattern: route }: Handler, exchange: Exchange): Parameters<TraceRequest>[0] {
  const { request, requestId } = exchange
  const header = (name: string) => singleHeader(exchange, name)
  return { method: request.method!, route, operationId, requestId, header }
}

/** Waits until the client has it all. A broken stream closes the connection: the client sees that bytes are missing. */
async function sendStream(stream: Readable, { response, requestId }: Exchange, log: RequestLog): Promise<void> {
  // Its deadline may fail it later, and an error without a listener ends the process.
  stream.on('error', () => {})
  // `pipeline` leaves the source open if the response is already closed.
  if (response.destroyed) {
    stream.destroy()
    return
  }
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    response.destroy()
    // The client going away is not a failure.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.failed(requestId, error)
  })
}

/** Logs the private details of an error. */
export function logError(log: Pick<RequestLog, 'failed' | 'refused'>, requestId: string, error: unknown): void {
  if (!(error instanceof Refusal)) log.failed(requestId, error)
  else if (error.cause !== undefined) log.refused(requestId, error.code, error.cause)
}

/** The response to something that a handler has thrown. */
export function responseTo(error: unknown): RouteResponse {
  const refusal: Refusal<OperatorApiCode> = error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR')
  const { status, code, message, retryAfterSeconds, limit } = refusal
  const headers = {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
    ...(limit && limitHeaders(limit)),
  }
  return { status, code, headers, body: { error: { code, message } } }
}

const limitHeaders = ({ source, remaining, resetsAt }: LimitReached) => ({
  'limit-source': source,
  ...(remaining !== null && { 'limit-remaining': String(remaining) }),
  ...(resetsAt !== null && { 'limit-resets-at': isoOf(resetsAt) }),
})

const unchanged = (response: RouteResponse) => response

/** What is observed about a response. */
export const observedOf = ({ status, code, headers, isRejection, begunMs }: RouteResponse) => ({
  status,
  code: code ?? null,
  ...(headers?.['Idempotent-Replayed'] && { isReplay: true as const }),
  ...(isRejection && { isRejection }),
  ...(begunMs !== undefined && { begunMs }),
})

function finished({ pattern, operationId }: Handler, exchange: Exchange, response: RouteResponse): FinishedRequest {
  return {
    requestId: exchange.requestId,
    method: exchange.request.method!,
    route: pattern,
    operationId,
    ...observedOf(response),
    ...exchange.charge,
    durationMs: msSince(exchange),
  }
}

const msSince = ({ startedAtMs }: Exchange) => Math.round((monotonicMs() - startedAtMs) * 1000) / 1000
