import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterPendingInput } from '../../after-pending-input.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { Exchange } from './exchange.ts'
import { explainFault, type ParserFault } from './parser-fault.ts'
import { type HeadRules, judgeHead } from './request-head.ts'
import { type NextPiece, SocketInput } from './socket-input.ts'

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
  readonly #input: SocketInput
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
  #unsentBytes = 0
  #checksWithoutProgress = 0

  constructor(socket: Socket, requester: string, host: ConversationHost) {
    this.#socket = socket
    this.#input = new SocketInput(socket, () => this.#nextPiece())
    this.#host = host
    this.#requester = requester
  }

  receive(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (this.#isEnding) return
    const { refusal, contentLength, isLast } = judgeHead(request, this.#host.rules)
    if (refusal !== null) this.refuse(refusal, request.method!)
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
    else process.nextTick(() => this.#input.discard())
  }

  /** Node's `clientError`: bytes that are no request, an input that ended too early, or time that ran out. */
  fault(fault: ParserFault): void {
    if (fault.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      this.#fail(fault)
      return
    }
    // Judged after whatever has arrived was read: a process that was suspended reads late what came in time.
    const arrived = this.#arrived()
    afterPendingInput(() => {
      if (this.#arrived() === arrived) this.#fail(fault)
    })
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
    if (next !== undefined) this.#start(next)
    else if (this.#isEnding) {
      this.#finish()
      return
    }
    this.#input.feed()
  }

  /** Only what is being handled may still finish; what waits was never begun and is safe to repeat elsewhere. */
  drain(): void {
    this.#isEnding = true
    this.#waiting.length = 0
    if (this.#current !== null) this.#current.closeAfterwards()
    // One that no longer takes bytes is closing already, and its last answer may still be on the way.
    else if (this.#socket.writable) this.#socket.destroy()
  }

  /** No byte moved for long: fatal unless a handler is at work. */
  stalled(): void {
    if (this.#current === null) this.#socket.destroy()
  }

  /**
   * Called at regular intervals: a peer that takes no byte of its response during `checks` of them is cut off. Intervals are
   * counted, not time, so a process that was suspended blames nobody.
   */
  checkProgress(checks: number): void {
    const unsentBytes = this.#socket.writableLength === 0 ? 0 : unsentBytesOf(this.#socket)
    const hasProgress = unsentBytes === 0 || unsentBytes !== this.#unsentBytes
    this.#checksWithoutProgress = hasProgress ? 0 : this.#checksWithoutProgress + 1
    this.#unsentBytes = unsentBytes
    if (this.#checksWithoutProgress >= checks) this.#socket.destroy()
  }

  closed(): void {
    this.#isEnding = true
    this.#waiting.length = 0
    if (this.#latest !== null && !this.#latest.request.complete) this.#latest.failBody('REQUEST_BODY_INCOMPLETE')
  }

  /** Requests that have arrived completely. */
  #arrived(): number {
    return this.#latest === null || this.#latest.request.complete ? this.#received : this.#received - 1
  }

  #fail(fault: ParserFault): void {
    const isOfRequest = fault.code?.startsWith('HPE_') || fault.code === 'ERR_HTTP_REQUEST_TIMEOUT'
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

  #admit(exchange: Exchange, isLast: boolean): void {
    this.#latest = exchange
    this.#received += 1
    if (isLast) {
      this.#isEnding = true
      exchange.closeAfterwards()
    }
    if (this.#current === null) {
      this.#start(exchange)
      return
    }
    this.#waiting.push(exchange)
  }

  #nextPiece(): NextPiece {
    if (this.#isEnding && (this.#latest === null || this.#latest.request.complete)) return 'drop'
    return this.#waiting.length < maxWaiting ? 'parse' : 'wait'
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
    this.#input.discard()
    exchange.failBody(fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'REQUEST_BODY_INCOMPLETE')
    // Answered before its body came: a second answer must not follow.
    if (this.#current === null) this.#finish()
  }

  #endAfterWaiting(): void {
    this.#isEnding = true
    const last = this.#waiting.at(-1) ?? this.#current
    last?.closeAfterwards()
    process.nextTick(() => this.#input.discard())
  }

  #finish(): void {
    const refusal = this.#refusal
    this.#refusal = null
    this.#input.close(refusal === null ? undefined : this.#host.refuse(refusal.code, refusal.method))
  }
}

/** From this many on the socket is not read; a last piece can bring a few more. */
const maxWaiting = 4

/** What the kernel has not taken yet. A write that is under way counts whole in `writableLength` until its end. */
const unsentBytesOf = (socket: Socket) =>
  (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
