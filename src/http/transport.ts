import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { afterPendingInput } from '../after-pending-input.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { Conversation, type ConversationHost } from './conversation.ts'
import type { Exchange } from './exchange.ts'
import type { ParserFault } from './parser-fault.ts'
import { type HeadRules, judgeHead } from './request-head.ts'

export interface TransportOptions {
  readonly rules: HeadRules
  readonly bodyDeadlineMs: number
  /** How long an idle connection is kept for a next request. */
  readonly keepAliveMs: number
  /** How long a peer may neither send nor take a byte, beyond the time for a request. */
  readonly stallMs: number
  readonly newRequestId: () => string
  readonly handle: (exchange: Exchange) => void
  readonly refuse: (code: ErrorCode, method: string) => string
}

export interface Transport {
  /** A listener that hands on only requests that passed the guard, one at a time per socket. */
  createServer(): Server
  /** To be called once the handler of an exchange is done, whether or not its client is still there. */
  done(): void
  /** Handlers at work. */
  inFlight(): number
  /** Stops accepting and lets what is under way finish; past `timeoutMs` every socket is destroyed. */
  drain(timeoutMs: number): Promise<void>
}

/** Stands between Node's HTTP server and the router: docs/decisions/0003-transport-guard.md says why. */
export function createTransport(options: TransportOptions): Transport {
  const { rules, newRequestId, handle, refuse } = options
  const servers = new Set<Server>()
  const conversations = new Map<Socket, Conversation>()
  let running = 0
  let isDraining = false
  let onIdle: (() => void) | null = null

  const host: ConversationHost = {
    rules,
    newRequestId,
    refuse,
    isDraining: () => isDraining,
    handle: (exchange) => {
      running++
      exchange.response.on('close', answered)
      handle(exchange)
    },
  }

  function accept(socket: Socket): void {
    const conversation = new Conversation(socket, host)
    ;(socket as Guarded)[guard] = conversation
    conversations.set(socket, conversation)
    socket.on('close', () => {
      conversations.delete(socket)
      conversation.closed()
      settle()
    })
  }

  function settle(): void {
    if (running === 0 && conversations.size === 0) onIdle?.()
  }

  return {
    createServer() {
      const server = createServer(limits(options))
      // A client may end its side after a complete request and still wait for the answer.
      Object.assign(server, { httpAllowHalfOpen: true })
      server.timeout = options.bodyDeadlineMs + options.stallMs
      server.on('connection', accept)
      server.on('request', received)
      server.on('checkExpectation', received)
      server.on('checkContinue', receivedAwaitingContinue)
      server.on('connect', connectRequested)
      server.on('clientError', (fault: ParserFault, socket) => (socket as Guarded)[guard].fault(fault))
      server.on('timeout', stalled)
      servers.add(server)
      return server
    },
    done() {
      running--
      settle()
    },
    inFlight: () => running,
    async drain(timeoutMs) {
      isDraining = true
      // Not the `close` of the HTTP server: that one destroys sockets whose answer is still on its way.
      for (const server of servers) NetServer.prototype.close.call(server)
      for (const conversation of conversations.values()) conversation.drain()
      if (running > 0 || conversations.size > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          onIdle = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      for (const socket of conversations.keys()) socket.destroy()
      for (const server of servers) server.close()
    },
  }

  function connectRequested(request: IncomingMessage, socket: Socket): void {
    // Node took its own listeners off the socket, the one for errors too.
    socket.on('error', () => socket.destroy())
    const code = judgeHead(request, rules).refusal ?? 'METHOD_NOT_ALLOWED'
    ;(socket as Guarded)[guard].refuse(code, 'CONNECT')
  }
}

/** Kept on the socket: a look-up in a map on every request would cost more. */
const guard = Symbol('conversation')
type Guarded = Socket & { [guard]: Conversation }

function received(request: IncomingMessage, response: ServerResponse): void {
  ;(request.socket as Guarded)[guard].receive(request, response, false)
}

function receivedAwaitingContinue(request: IncomingMessage, response: ServerResponse): void {
  ;(request.socket as Guarded)[guard].receive(request, response, true)
}

function stalled(socket: Socket): void {
  const movedBytes = () => socket.bytesRead + socket.bytesWritten
  const before = movedBytes()
  afterPendingInput(() => {
    if (movedBytes() === before) (socket as Guarded)[guard].stalled()
  })
}

function answered(this: ServerResponse): void {
  ;(this.req.socket as Guarded)[guard].answered()
}

function limits({ bodyDeadlineMs, keepAliveMs }: TransportOptions) {
  return {
    insecureHTTPParser: false,
    // The guard answers a missing Host itself.
    requireHostHeader: false,
    maxHeaderSize: 16_384,
    headersTimeout: bodyDeadlineMs,
    requestTimeout: bodyDeadlineMs,
    connectionsCheckingInterval: Math.min(500, Math.ceil(bodyDeadlineMs / 4)),
    keepAliveTimeout: keepAliveMs,
  }
}
