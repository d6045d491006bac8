import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterPendingInput } from '../../base/after-pending-input.ts'
import type { RecentKeys } from './admission-queue.ts'
import { Exchange, type RequesterOf, SendProgress } from './exchange.ts'
import { checkHead, type HeadRefusal, type HeadRules, type ParserFault, refusalForFault } from './request-head.ts'
import { type NextPiece, SocketInput } from './socket-input.ts'

export interface ClientConnectionHost {
  readonly rules: HeadRules
  readonly recentKeys: RecentKeys
  readonly newRequestId: () => string
  readonly isDraining: () => boolean
  readonly handle: (exchange: Exchange) => void
  /** Logs the refusal and returns the response to send. */
  readonly refuse: (refusal: HeadRefusal) => string
}

/**
 * One client connection. Requests run one at a time, in order. After a refusal nothing more runs; complete requests that
 * came before it are served first.
 */
export class ClientConnection {
  readonly #socket: Socket
  readonly #input: SocketInput
  readonly #sendProgress: SendProgress
  readonly #host: ClientConnectionHost
  readonly #requesterOf: RequesterOf
  /** The request whose handler is running or whose response is being sent. */
  #current: Exchange | null = null
  /** The newest request from the parser; its body may still be arriving. */
  #latest: Exchange | null = null
  #received = 0
  readonly #waiting: Exchange[] = []
  #refusal: HeadRefusal | null = null
  #isEnding = false
  #isFaulted = false
  readonly #onTooSlow = () => this.fault(tooSlow)

  constructor(socket: Socket, requesterOf: RequesterOf, host: ClientConnectionHost) {
    this.#socket = socket
    this.#input = new SocketInput(socket, () => this.#nextPiece())
    this.#sendProgress = new SendProgress(socket)
    this.#host = host
    this.#requesterOf = requesterOf
  }

  receive(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (this.#isEnding) return
    const { refusal, message, contentLength, isLast } = checkHead(request, this.#host.rules)
    if (refusal !== null) this.refuse({ code: refusal, method: request.method!, target: request.url!, message })
    else {
      const { newRequestId, recentKeys } = this.#host
      const from = { requestId: newRequestId(), requesterOf: this.#requesterOf, recentKeys, onTooSlow: this.#onTooSlow }
      this.#accept(new Exchange({ request, response, contentLength, awaitsContinue, ...from }), isLast)
    }
  }

  /** Refuses a request whose head was parsed. The refusal is sent in its turn and ends the connection. */
  refuse(refusal: HeadRefusal): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#isFaulted = true
    this.#refusal = refusal
    if (this.#current === null) this.#finish()
    else process.nextTick(() => this.#input.discard())
  }

  /** Handles Node's `clientError`: malformed or truncated input, or a timeout. */
  fault(fault: ParserFault): void {
    if (fault.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      this.#fail(fault)
      return
    }
    // A suspended process may not have read yet what arrived in time.
    const before = this.#completeRequests()
    afterPendingInput(() => {
      if (this.#completeRequests() === before) this.#fail(fault)
    })
  }

  /** The current response was sent, or the socket was destroyed. */
  responseClosed(): void {
    if (this.#latest === this.#current && this.#latest?.request.complete) this.#latest = null
    this.#current = null
    if (!this.#socket.writable) {
      // The response closed the connection: requests left in the parser's packet must not run.
      this.#isEnding = true
      this.#waiting.length = 0
      return
    }
    const next = this.#waiting.shift()
    if (next !== undefined) this.#start(next)
    else if (this.#isEnding) {
      this.#finish()
      return
    }
    this.#input.feed()
  }

  /** Finishes the current request only; waiting ones never began, so the client can safely retry them elsewhere. */
  drain(): void {
    this.#isEnding = true
    this.#waiting.length = 0
    if (this.#current !== null) this.#current.closeAfterResponse()
    // A socket that is not writable is already closing, and may still be sending its last response.
    else if (this.#socket.writable) this.#socket.destroy()
  }

  /** No byte moved for too long: closes the connection unless a handler is running. */
  stalled(): void {
    if (this.#current === null) this.#socket.destroy()
  }

  checkProgress(checks: number): void {
    this.#sendProgress.check(checks)
  }

  closed(): void {
    this.#isEnding = true
    this.#waiting.length = 0
    if (this.#latest !== null && !this.#latest.request.complete) this.#latest.failBody('REQUEST_BODY_INCOMPLETE')
  }

  /** Requests received whole, body included. */
  #completeRequests(): number {
    return this.#latest === null || this.#latest.request.complete ? this.#received : this.#received - 1
  }

  #fail(fault: ParserFault): void {
    const isRequestFault = fault.code?.startsWith('HPE_') || fault.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isRequestFault && this.#isFaulted) return
    this.#isFaulted = true
    if (!isRequestFault || !this.#socket.writable) {
      this.#socket.destroy()
      return
    }
    this.#isEnding = true
    const latest = this.#latest
    if (latest !== null && !latest.request.complete) this.#failLatestBody(latest, fault)
    else if (this.#current !== null) this.#endAfterWaitingRequests()
    else {
      this.#refusal = refusalForFault(fault, this.#host.rules)
      this.#finish()
    }
  }

  #accept(exchange: Exchange, isLast: boolean): void {
    this.#latest = exchange
    this.#received += 1
    if (isLast) {
      this.#isEnding = true
      exchange.closeAfterResponse()
    }
    if (this.#current === null) this.#start(exchange)
    else this.#waiting.push(exchange)
  }

  #nextPiece(): NextPiece {
    if (this.#isEnding && (this.#latest === null || this.#latest.request.complete)) return 'drop'
    return this.#waiting.length < maxWaiting ? 'parse' : 'wait'
  }

  #start(exchange: Exchange): void {
    this.#current = exchange
    if (this.#host.isDraining()) {
      this.#isEnding = true
      exchange.closeAfterResponse()
    }
    this.#host.handle(exchange)
  }

  #failLatestBody(exchange: Exchange, fault: ParserFault): void {
    this.#input.discard()
    exchange.failBody(fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'REQUEST_BODY_INCOMPLETE')
    // It got a response before its body arrived, and must not get a second one.
    if (this.#current === null) this.#finish()
  }

  #endAfterWaitingRequests(): void {
    this.#isEnding = true
    const last = this.#waiting.at(-1) ?? this.#current
    last?.closeAfterResponse()
    process.nextTick(() => this.#input.discard())
  }

  #finish(): void {
    const refusal = this.#refusal
    this.#refusal = null
    this.#input.close(refusal === null ? undefined : this.#host.refuse(refusal))
  }
}

/** As Node reports a request that takes longer than its deadline. */
const tooSlow = Object.assign(new Error('the body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Reading stops at this many waiting requests; the last piece parsed may add a few more. */
const maxWaiting = 4
