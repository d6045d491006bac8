import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { afterPendingInput } from '../../after-pending-input.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { createAdmissionQueue } from './admission-queue.ts'
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
  /** Connections at once, in total and from one address; one more is closed at once. */
  readonly maxConnections: number
  readonly maxConnectionsPerRequester: number
  readonly onConnectionRefused: () => void
  /** How long a request may wait for its turn before it is turned away. */
  readonly shedAfterMs: number
  readonly newRequestId: () => string
  readonly handle: (exchange: Exchange) => void
  /** Answers as cheaply as possible: there is no time for more. */
  readonly turnAway: (exchange: Exchange) => void
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
  const { rules, newRequestId, handle, turnAway, refuse } = options
  const servers = new Set<Server>()
  const conversations = new Map<Socket, Conversation>()
  const connectionsOf = new Map<string, number>()
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
      exchange.response.on('close', () => conversationOf(exchange.request)?.answered())
      queue.add(exchange)
    },
  }
  const queue = createAdmissionQueue<Exchange>({
    perTurn: beginPerTurn,
    longQueue,
    shedAfterMs: options.shedAfterMs,
    now: () => performance.now(),
    begin: handle,
    turnAway,
    abandon: done,
  })

  function accept(socket: Socket): void {
    const requester = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    const connections = (connectionsOf.get(requester) ?? 0) + 1
    if (connections > options.maxConnectionsPerRequester || conversations.size >= options.maxConnections) {
      options.onConnectionRefused()
      socket.destroy()
      return
    }
    connectionsOf.set(requester, connections)
    const conversation = new Conversation(socket, requester, host)
    conversations.set(socket, conversation)
    socket.on('close', () => {
      conversations.delete(socket)
      const left = connectionsOf.get(requester)! - 1
      if (left === 0) connectionsOf.delete(requester)
      else connectionsOf.set(requester, left)
      conversation.closed()
      reportIdle()
    })
  }

  /** A connection that was refused has none. */
  const conversationOf = ({ socket }: IncomingMessage) => conversations.get(socket)

  function done(): void {
    running--
    reportIdle()
  }

  function reportIdle(): void {
    if (running === 0 && conversations.size === 0) onIdle?.()
  }

  const stallLimitMs = options.bodyDeadlineMs + options.stallMs
  const checkEveryMs = Math.max(1, Math.min(1000, Math.floor(stallLimitMs / 4)))
  const progressChecks = setInterval(() => {
    for (const conversation of conversations.values()) conversation.checkProgress(stallLimitMs / checkEveryMs)
  }, checkEveryMs)
  progressChecks.unref()

  return {
    createServer() {
      const server = createServer(limits(options))
      // A client may end its side after a complete request and still wait for the answer.
      Object.assign(server, { httpAllowHalfOpen: true })
      server.timeout = stallLimitMs
      // One more than are served, so that `accept` sees and counts those that are refused.
      server.maxConnections = options.maxConnections + 1
      server.on('drop', options.onConnectionRefused)
      server.on('connection', accept)
      server.on('request', (request, response) => conversationOf(request)?.receive(request, response, false))
      server.on('checkExpectation', (request, response) => conversationOf(request)?.receive(request, response, false))
      server.on('checkContinue', (request, response) => conversationOf(request)?.receive(request, response, true))
      server.on('connect', connectRequested)
      server.on('clientError', (fault: ParserFault, socket) => conversations.get(socket as Socket)?.fault(fault))
      server.on('timeout', stalled)
      servers.add(server)
      return server
    },
    done,
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
      clearInterval(progressChecks)
      for (const socket of conversations.keys()) socket.destroy()
      for (const server of servers) server.close()
    },
  }

  function stalled(socket: Socket): void {
    const movedBytes = () => socket.bytesRead + socket.bytesWritten
    const before = movedBytes()
    afterPendingInput(() => {
      if (movedBytes() === before) conversations.get(socket)?.stalled()
    })
  }

  function connectRequested(request: IncomingMessage, socket: Socket): void {
    // Node took its own listeners off the socket, the one for errors too.
    socket.on('error', () => socket.destroy())
    const code = judgeHead(request, rules).refusal ?? 'METHOD_NOT_ALLOWED'
    conversations.get(socket)?.refuse(code, 'CONNECT')
  }
}

/** As many as make a full batch of the embedded store; with 16 or 32 both threads wait more for each other. */
const beginPerTurn = 24
/** A queue of this length is gone within a few tenths of a second; only a longer one is overload. */
const longQueue = 512

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
