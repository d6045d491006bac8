import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { afterPendingInput } from '../../after-pending-input.ts'
import type { OpenConnections } from './open-connections.ts'
import type { ParserFault } from './parser-fault.ts'
import { checkHead, type HeadRules } from './request-head.ts'

export interface GuardedServerOptions {
  readonly rules: HeadRules
  readonly bodyDeadlineMs: number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  /** How long a client may neither send nor read a byte. */
  readonly stallLimitMs: number
  readonly maxConnections: number
  readonly onConnectionRefused: () => void
  readonly connections: OpenConnections
}

/** A server of Node whose every event goes to the connection that it is about. */
export function createGuardedServer(options: GuardedServerOptions): Server {
  const { rules, connections, onConnectionRefused } = options
  const { bySocket } = connections
  const server = createServer(limits(options))
  // A client may close its sending side after a request and still wait for the response.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.timeout = options.stallLimitMs
  // One more than allowed, so that `accept` sees and counts refused connections.
  server.maxConnections = options.maxConnections + 1
  server.on('drop', onConnectionRefused)
  server.on('connection', connections.accept)
  server.on('request', (request, response) => bySocket.get(request.socket)?.receive(request, response, false))
  server.on('checkExpectation', (request, response) => bySocket.get(request.socket)?.receive(request, response, false))
  server.on('checkContinue', (request, response) => bySocket.get(request.socket)?.receive(request, response, true))
  server.on('clientError', (fault: ParserFault, socket) => bySocket.get(socket as Socket)?.fault(fault))
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listeners, including the error listener.
    socket.on('error', () => socket.destroy())
    bySocket.get(socket)?.refuse(checkHead(request, rules).refusal ?? 'METHOD_NOT_ALLOWED', 'CONNECT')
  })
  server.on('timeout', (socket: Socket) => {
    const movedBytes = () => socket.bytesRead + socket.bytesWritten
    const before = movedBytes()
    afterPendingInput(() => {
      if (movedBytes() === before) bySocket.get(socket)?.stalled()
    })
  })
  return server
}

function limits({ bodyDeadlineMs, keepAliveMs }: GuardedServerOptions) {
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
