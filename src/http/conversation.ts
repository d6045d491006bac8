import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterPendingInput } from '../after-pending-input.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { Exchange } from './exchange.ts'
import { explainFault, type ParserFault } from './parser-fault.ts'
import { type HeadRules, judgeHead } from './request-head.ts'
import { closeGently, discardInput, holdInput, releaseInput } from './socket-input.ts'

export interface ConversationHost {
  readonly rules: HeadRules
  readonly newRequestId: () => string
  readonly isDraining: () => boolean
  readonly handle: (exchange: Exchange) => void
  /** Logs the refusal and answers its bytes. */
  readonly refuse: (code: ErrorCode, method: string) => string
}

/**
 * All that happens on one socket. Requests run one after the other, and once something was refused
 * nothing behind it runs; a complete request in front of it is answered first.
 */
export class Conversation {
  readonly #socket: Socket
  readonly #host: ConversationHost
  readonly #requester: string
  /** The request that is being handled or whose answer is on its way out. */
  #current: Exchange | null = null
  /** The last request that the parser announced, while its body may still be coming. */
  #latest: Exchange | null = null
  /** Requests that the parser has announced. */
  #received = 0
  readonly #waiting: Exchange[] = []
  #refusal: { readonly code: ErrorCode; readonly method: string } | null = null
  #isEnding = false
  #isFaulted = false
  #isHeld = false

  constructor(socket: Socket, host: ConversationHost) {
    this.#socket = socket
    this.#host = host
    this.#requester = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  }

  receive(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (this.#isEnding) return
    this.#received += 1
    const { refusal, contentLength, isLast } = judgeHead(request, this.#host.rules)
    if (refusal !== null) this.refuse(refusal, request.method!)
    else if (this.#waiting.length === maxWaiting) this.#endAfterWaiting()
    else {
      const requestId = this.#host.newRequestId()
      const requester = this.#requester
      this.#admit(new Exchange({ request, response, requestId, requester, contentLength, awaitsContinue }), isLast)
    }
  }

  /** Refuses a request whose head was understood: answered in its turn, and the last thing on this socket. */
  refuse(code: ErrorCode, method: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#isFaulted = true
    this.#refusal = { code, method }
    if (this.#current === null) this.#finish()
    else process.nextTick(discardInput, this.#socket)
  }

  /** Node's `clientError`: bytes that are no request, an input that ended too early, or time that ran out. */
  fault(fault: ParserFault): void {
    if (fault.code === timedOut) this.#judgeTime(fault)
    else this.#end(fault)
  }

  /** Time ran out for a request, unless the rest of it has arrived and only waits to be read. */
  #judgeTime(fault: ParserFault): void {
    const received = this.#received
    const begun = this.#latest?.request.complete === false ? this.#latest : null
    afterPendingInput(() => {
      const hasCome = begun
        ? begun.request.complete
        : this.#received > received && this.#latest?.request.complete !== false
      if (!hasCome) this.#end(fault)
    })
  }

  #end(fault: ParserFault): void {
    const isOfRequest = fault.code?.startsWith('HPE_') || fault.code === timedOut
    if (isOfRequest && this.#isFaulted) return
    this.#isFaulted = true
    if (!isOfRequest || !this.#socket.writable) {
      this.#socket.destroy()
      return
    }
    this.#isEnding = true
    const latest = this.#latest
    if (latest !== null && !latest.request.complete) this.#endInBody(latest, fault)
    else if (this.#current !== null) this.#endAfterWaiting()
    else {
      const code = explainFault(fault, this.#host.rules)
      if (code !== null) this.#refusal = { code, method: 'unknown' }
      this.#finish()
    }
  }

  /** The answer of the current request has left, or the socket died under it. */
  answered(): void {
    if (this.#latest === this.#current && this.#latest?.request.complete) this.#latest = null
    this.#current = null
    if (!this.#socket.writable) {
      // The answer closed the connection: requests that the parser still finds in its packet must not run.
      this.#isEnding = true
      this.#waiting.length = 0
      return
    }
    const next = this.#waiting.shift()
    if (next === undefined) {
      if (this.#isEnding) this.#finish()
      return
    }
    if (this.#isHeld && this.#waiting.length === 0) {
      this.#isHeld = false
      releaseInput(this.#socket)
    }
    this.#start(next)
  }

  /** Only what is being handled may still finish; what waits was never begun and is safe to repeat elsewhere. */
  drain(): void {
    this.#isEnding = true
    this.#waiting.length = 0
    if (this.#current !== null) this.#current.closeAfterwards()
    // One that no longer takes bytes is closing already, and its last answer may still be on the way.
    else if (this.#socket.writable) this.#socket.destroy()
  }

  /** No byte moved for long: fatal unless a handler is at work and owes nothing to the peer yet. */
  stalled(): void {
    if (this.#current === null || this.#socket.writableLength > 0) this.#socket.destroy()
  }

  closed(): void {
    this.#isEnding = true
    this.#waiting.length = 0
    if (this.#latest !== null && !this.#latest.request.complete) this.#latest.failBody('REQUEST_BODY_INCOMPLETE')
  }

  #admit(exchange: Exchange, isLast: boolean): void {
    this.#latest = exchange
    if (isLast) {
      this.#isEnding = true
      exchange.closeAfterwards()
    }
    if (this.#current === null) {
      this.#start(exchange)
      return
    }
    this.#waiting.push(exchange)
    if (this.#waiting.length === holdAtWaiting) {
      this.#isHeld = true
      holdInput(this.#socket)
    }
  }

  #start(exchange: Exchange): void {
    this.#current = exchange
    if (this.#host.isDraining()) {
      this.#isEnding = true
      exchange.closeAfterwards()
    }
    this.#host.handle(exchange)
  }

  #endInBody(exchange: Exchange, fault: ParserFault): void {
    discardInput(this.#socket)
    exchange.failBody(fault.code === timedOut ? 'REQUEST_TIMEOUT' : 'REQUEST_BODY_INCOMPLETE')
    // Answered before its body came: a second answer must not follow.
    if (this.#current === null) this.#finish()
  }

  #endAfterWaiting(): void {
    this.#isEnding = true
    const last = this.#waiting.at(-1) ?? this.#current
    last?.closeAfterwards()
    process.nextTick(discardInput, this.#socket)
  }

  #finish(): void {
    const refusal = this.#refusal
    this.#refusal = null
    closeGently(this.#socket, refusal === null ? undefined : this.#host.refuse(refusal.code, refusal.method))
  }
}

/** Node's code for a request that did not arrive in time. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'
/** At this many the socket is no longer read until they are done. */
const holdAtWaiting = 16
/** One packet can bring more at once: beyond this they are dropped unanswered, and never run. */
const maxWaiting = 256
