import { errors, Refusal } from '../contract/errors.ts'
import { envelope, jsonType } from './errors.ts'
import type { FinishedRequest, RequestLog } from './request-log.ts'
import type { Answer } from './route.ts'
import { createResponseCompressor } from './static/compress-response.ts'
import type { Exchange } from './transport/exchange.ts'

export interface Served {
  readonly operationId: string
  /** The pattern as registered, for the log. */
  readonly pattern: string
  readonly handle: (exchange: Exchange) => Promise<Answer> | Answer
  readonly mayCompress: boolean
}

export interface ResponderOptions {
  /** Headers that every answer carries, in lower case. */
  readonly common: Readonly<Record<string, string>>
  readonly log: RequestLog
  /** Called once per exchange, when its handler is done and its answer is handed over. */
  readonly done: () => void
}

/** Runs handlers and sends what they answer or refuse. A client that left does not stop its handler. */
export function createResponder({ common, log, done }: ResponderOptions) {
  const compressResponse = createResponseCompressor()

  return {
    async respond(served: Served, exchange: Exchange): Promise<void> {
      try {
        log.finished(finished(served, exchange, await answer(served, exchange)))
      } finally {
        done()
      }
    },
    /** Sends a response without running the handler. */
    turnAway(served: Served, exchange: Exchange, overloaded: Answer): void {
      try {
        send(overloaded, exchange)
        log.turnedAway(finished(served, exchange, overloaded))
      } finally {
        done()
      }
    },
  }

  async function answer(served: Served, exchange: Exchange): Promise<Answer> {
    let answer: Answer
    try {
      answer = await served.handle(exchange)
      if (served.mayCompress) answer = await compressResponse(answer, exchange)
    } catch (error) {
      answer = answerTo(error, exchange)
    }
    try {
      send(answer, exchange)
    } catch (error) {
      // The answer could not be written down as it is: a body that is no JSON, or a forbidden header value.
      answer = answerTo(error, exchange)
      send(answer, exchange)
    }
    return answer
  }

  function send({ status, headers, body }: Answer, { response, requestId }: Exchange): void {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const payload = isRaw ? body : JSON.stringify(body)
    const all: Record<string, string | number> = { ...common, 'x-request-id': requestId }
    if (!isRaw) all['content-type'] = jsonType
    if (headers !== undefined) {
      for (const name of Object.keys(headers)) all[name.toLowerCase()] = headers[name]!
    }
    if (status !== 204 && status !== 304) all['content-length'] = Buffer.byteLength(payload)
    // Nothing leaves the process before `end`, so a throw here leaves the response untouched.
    response.writeHead(status, all)
    response.end(payload)
  }

  function answerTo(error: unknown, { requestId }: Exchange): Answer {
    if (!(error instanceof Refusal)) {
      log.failed(requestId, error)
      return { status: errors.INTERNAL_ERROR.status, code: 'INTERNAL_ERROR', body: envelope('INTERNAL_ERROR') }
    }
    const { code, message, retryAfterSeconds, cause } = error
    if (cause !== undefined) log.refused(requestId, code, cause)
    const body = envelope(code, message)
    const { status } = errors[code]
    if (retryAfterSeconds === undefined) return { status, code, body }
    return { status, code, headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }, body }
  }
}

function finished({ pattern, operationId }: Served, exchange: Exchange, { status, code }: Answer): FinishedRequest {
  return {
    requestId: exchange.requestId,
    method: exchange.request.method!,
    route: pattern,
    operationId,
    status,
    code: code ?? null,
    durationMs: Math.round((performance.now() - exchange.startedAtMs) * 1000) / 1000,
  }
}
