import type { FastifyReply } from 'fastify'
import { errors, Refusal } from '../contract/errors.ts'
import { envelope, jsonType } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { RequestLog } from './request-log.ts'
import type { Answer } from './route.ts'

export interface Served {
  readonly operationId: string
  /** The pattern as registered, for the log. */
  readonly pattern: string
  readonly handle: (exchange: Exchange) => Promise<Answer> | Answer
}

/** Runs a handler and sends what it answers or refuses. Never rejects; a client that left does not stop the handler. */
export function createResponder(common: Readonly<Record<string, string>>, log: RequestLog) {
  return async function respond(served: Served, exchange: Exchange, reply: FastifyReply): Promise<void> {
    let answer: Answer
    try {
      answer = await served.handle(exchange)
    } catch (error) {
      answer = answerTo(error, exchange)
    }
    exchange.prepareAnswer()
    try {
      send(answer, exchange, reply)
    } catch (error) {
      answer = answerTo(error, exchange)
      sendPlainly(answer, exchange, reply)
    }
    log.finished({
      requestId: exchange.requestId,
      method: exchange.request.method!,
      route: served.pattern,
      operationId: served.operationId,
      status: answer.status,
      code: answer.code ?? null,
      durationMs: Math.round((performance.now() - exchange.startedAtMs) * 1000) / 1000,
    })
  }

  function send({ status, headers, body }: Answer, exchange: Exchange, reply: FastifyReply): void {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    // A 304 says nothing of length or type: it would overwrite what the client has kept.
    const payload = status === 304 ? undefined : isRaw ? body : JSON.stringify(body)
    if (exchange.response.destroyed) return
    reply.code(status).headers(common).header('x-request-id', exchange.requestId)
    if (!isRaw) reply.header('content-type', jsonType)
    if (headers !== undefined) reply.headers(headers)
    reply.send(payload)
  }

  /** Past the router's reply, because that one already holds what could not be sent. */
  function sendPlainly({ status, body }: Answer, exchange: Exchange, reply: FastifyReply): void {
    const { response, requestId } = exchange
    reply.hijack()
    if (response.headersSent) return void response.destroy()
    const payload = JSON.stringify(body)
    response.writeHead(status, {
      ...common,
      'x-request-id': requestId,
      'content-type': jsonType,
      'content-length': Buffer.byteLength(payload),
    })
    response.end(payload)
  }

  function answerTo(error: unknown, { requestId }: Exchange): Answer {
    if (!(error instanceof Refusal)) {
      log.failed(requestId, error)
      return { status: errors.INTERNAL_ERROR.status, code: 'INTERNAL_ERROR', body: envelope('INTERNAL_ERROR') }
    }
    const { code, message, retryAfterSeconds, cause } = error
    if (cause !== undefined) log.refused(requestId, code, cause)
    return {
      status: errors[code].status,
      code,
      headers:
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
      body: envelope(code, message),
    }
  }
}
