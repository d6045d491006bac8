import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type BlockList, Server as NetServer, type Socket } from 'node:net'
import { afterPendingInput } from '../../after-pending-input.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { findPeer, findRequester, forwardedForOf } from '../requester.ts'
import { createAdmissionQueue } from './admission-queue.ts'
import { ClientConnection, type ClientConnectionHost } from './connection.ts'
import type { Exchange } from './exchange.ts'
import type { ParserFault } from './parser-fault.ts'
import { checkHead, type HeadRules } from './request-head.ts'

export interface TransportOptions {
  readonly rules: HeadRules
  readonly bodyDeadlineMs: number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  /** How long a client may neither send nor read a byte, beyond `bodyDeadlineMs`. */
  readonly stallMs: number
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList
  /** Limits on open connections, in total and per requester; further ones are closed at once. */
  readonly maxConnections: number
  readonly maxConnectionsPerRequester: number
  readonly onConnectionRefused: () => void
  /** How long a request may wait in a long queue before it is shed. */
  readonly shedAfterMs: number
  readonly newRequestId: () => string
  readonly handle: (exchange: Exchange) => void
  /** Refuses a request as cheaply as possible. */
  readonly shed: (exchange: Exchange) => void
  readonly refuse: (code: ErrorCode, method: string) => string
}

export interface Transport {
  /** A server that passes on only valid requests, one at a time per connection. */
  createServer(): Server
  /** Must be called once per exchange when its handler is done, even if the client disconnected. */
  done(): void
  /** Running handlers. */
  inFlight(): number
  /** Stops accepting and waits for running requests; after `timeoutMs` every socket is destroyed. */
  drain(timeoutMs: number): Promise<void>
}

/** Checks and queues requests between Node's HTTP server and the router; see docs/decisions/0003-transport-guard.md. */
export function createTransport(options: TransportOptions): Transport {
  const { rules, newRequestId, handle, shed, refuse } = options
  const servers = new Set<Server>()
  const connections = new Map<Socket, ClientConnection>()
  const countByNetwork = new Map<string, number>()
  let running = 0
  let isDraining = false
  let onIdle: (() => void) | null = null

  const host: ClientConnectionHost = {
    rules,
    newRequestId,
    refuse,
    isDraining: () => isDraining,
    handle: (exchange) => {
      running++
      exchange.response.on('close', () => connectionOf(exchange.request)?.responseClosed())
      queue.add(exchange)
    },
  }
  const queue = createAdmissionQueue<Exchange>({
    perTurn: beginPerTurn,
    longQueue,
    shedAfterMs: options.shedAfterMs,
    now: () => performance.now(),
    begin: handle,
    shed,
    abandon: done,
  })

  function accept(socket: Socket): void {
    const { trustedProxies } = options
    const peer = findPeer(socket.remoteAddress, trustedProxies)
    const { network } = peer.requester
    const count = (countByNetwork.get(network) ?? 0) + 1
    // The connections of a proxy belong to many requesters.
    const maxOwn = peer.isTrusted ? options.maxConnections : options.maxConnectionsPerRequester
    if (count > maxOwn || connections.size >= options.maxConnections) {
      options.onConnectionRefused()
      socket.destroy()
      return
    }
    countByNetwork.set(network, count)
    const requesterOf = peer.isTrusted
      ? (rawHeaders: readonly string[]) => findRequester(peer, forwardedForOf(rawHeaders), trustedProxies)
      : () => peer.requester
    const connection = new ClientConnection(socket, requesterOf, host)
    connections.set(socket, connection)
    socket.on('close', () => {
      connections.delete(socket)
      const left = countByNetwork.get(network)! - 1
      if (left === 0) countByNetwork.delete(network)
      else countByNetwork.set(network, left)
      connection.closed()
      reportIdle()
    })
  }

  /** Undefined for a connection over the limit. */
  const connectionOf = ({ socket }: IncomingMessage) => connections.get(socket)

  function done(): void {
    running--
    reportIdle()
  }

  function reportIdle(): void {
    if (running === 0 && connections.size === 0) onIdle?.()
  }

  const stallLimitMs = options.bodyDeadlineMs + options.stallMs
  const checkEveryMs = Math.max(1, Math.min(1000, Math.floor(stallLimitMs / 4)))
  const progressChecks = setInterval(() => {
    for (const connection of connections.values()) connection.checkProgress(stallLimitMs / checkEveryMs)
  }, checkEveryMs)
  progressChecks.unref()

  return {
    createServer() {
      const server = createServer(limits(options))
      // A client may close its sending side after a request and still wait for the response.
      Object.assign(server, { httpAllowHalfOpen: true })
      server.timeout = stallLimitMs
      // One more than allowed, so that `accept` sees and counts refused connections.
      server.maxConnections = options.maxConnections + 1
      server.on('drop', options.onConnectionRefused)
      server.on('connection', accept)
      server.on('request', (request, response) => connectionOf(request)?.receive(request, response, false))
      server.on('checkExpectation', (request, response) => connectionOf(request)?.receive(request, response, false))
      server.on('checkContinue', (request, response) => connectionOf(request)?.receive(request, response, true))
      server.on('connect', connectRequested)
      server.on('clientError', (fault: ParserFault, socket) => connections.get(socket as Socket)?.fault(fault))
      server.on('timeout', stalled)
      servers.add(server)
      return server
    },
    done,
    inFlight: () => running,
    async drain(timeoutMs) {
      isDraining = true
      // Not `http.Server.close`: it destroys sockets that are still sending a response.
      for (const server of servers) NetServer.prototype.close.call(server)
      for (const connection of connections.values()) connection.drain()
      if (running > 0 || connections.size > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          onIdle = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      clearInterval(progressChecks)
      for (const socket of connections.keys()) socket.destroy()
      for (const server of servers) server.close()
    },
  }

  function stalled(socket: Socket): void {
    const movedBytes = () => socket.bytesRead + socket.bytesWritten
    const before = movedBytes()
    afterPendingInput(() => {
      if (movedBytes() === before) connections.get(socket)?.stalled()
    })
  }

  function connectRequested(request: IncomingMessage, socket: Socket): void {
    // Node has removed its own listeners, including the error listener.
    socket.on('error', () => socket.destroy())
    const code = checkHead(request, rules).refusal ?? 'METHOD_NOT_ALLOWED'
    connections.get(socket)?.refuse(code, 'CONNECT')
  }
}

/** A full batch of the embedded store; with 16 or 32 the two threads wait longer for each other. */
const beginPerTurn = 24
/** Takes a few tenths of a second to empty; only a longer queue is overload. */
const longQueue = 512

function limits({ bodyDeadlineMs, keepAliveMs }: TransportOptions) {
  return {
    insecureHTTPParser: false,
    // `checkHead` refuses a missing Host with our own error.
    requireHostHeader: false,
    maxHeaderSize: 16_384,
    headersTimeout: bodyDeadlineMs,
    requestTimeout: bodyDeadlineMs,
    connectionsCheckingInterval: Math.min(500, Math.ceil(bodyDeadlineMs / 4)),
    keepAliveTimeout: keepAliveMs,
  }
}
