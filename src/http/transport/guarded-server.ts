import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo, BlockList, Socket } from 'node:net'
import { afterPendingInput } from '../../base/after-pending-input.ts'
import { createServer } from '../../base/node-http.ts'
import { findPeer, findRequester, forwardedForOf } from '../requester.ts'
import type { ClientConnectionHost } from './connection.ts'
import { ClientConnection } from './connection.ts'

import type { ParserFault } from './request-head.ts'
import { checkHead, type HeadRules } from './request-head.ts'

export interface ListenerLimits {
  readonly rules: HeadRules
  readonly bodyDeadlineMs: number
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList
  /** Limits on open connections, in total and per requester; further ones are closed at once. */
  readonly maxConnections: number
  readonly maxConnectionsPerRequester: number
  readonly onConnectionRefused: () => void
}

interface GuardedServerOptions extends ListenerLimits {
  /** How long a client may neither send nor read a byte. */
  readonly stallLimitMs: number
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
    const code = checkHead(request, rules).refusal ?? 'METHOD_NOT_ALLOWED'
    bySocket.get(socket)?.refuse({ code, method: 'CONNECT', target: null })
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

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Listens on the address. `localhost` means both 127.0.0.1 and ::1 where available, because clients differ in which one
 * they try.
 */
export async function listen(
  first: Server,
  another: () => Server,
  { host, port }: ListenAddress,
): Promise<ListenAddress> {
  const hosts = host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  const bound = await listenOn(first, { host: hosts[0] ?? host, port })
  for (const other of hosts.slice(1)) {
    // Best effort: a machine may resolve ::1 without having it.
    await listenOn(another(), { host: other, port: bound.port }).catch(() => {})
  }
  return { host, port: bound.port }
}

async function listenOn(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  server.listen({ host, port })
  // Rejects on an error event.
  await once(server, 'listening')
  return server.address() as AddressInfo
}

type OpenConnections = ReturnType<typeof createOpenConnections>

interface OpenConnectionsOptions extends ListenerLimits {
  readonly host: ClientConnectionHost
  readonly onConnectionClosed: () => void
}

/** Keeps the connections that are open, and closes those over the limits. */
export function createOpenConnections(options: OpenConnectionsOptions) {
  const { host, trustedProxies, maxConnections, onConnectionRefused, onConnectionClosed } = options
  const bySocket = new Map<Socket, ClientConnection>()
  const countByNetwork = new Map<string, number>()
  return {
    /** Without the sockets over the limit. */
    bySocket: bySocket as ReadonlyMap<Socket, ClientConnection>,
    accept(socket: Socket): void {
      const peer = findPeer(socket.remoteAddress, trustedProxies)
      const { network } = peer.requester
      const count = (countByNetwork.get(network) ?? 0) + 1
      // The connections of a proxy belong to many requesters.
      const maxOwn = peer.isTrusted ? maxConnections : options.maxConnectionsPerRequester
      if (count > maxOwn || bySocket.size >= maxConnections) {
        onConnectionRefused()
        socket.destroy()
        return
      }
      countByNetwork.set(network, count)
      const requesterOf = peer.isTrusted
        ? (rawHeaders: readonly string[]) => findRequester(peer, forwardedForOf(rawHeaders), trustedProxies)
        : () => peer.requester
      const connection = new ClientConnection(socket, requesterOf, host)
      bySocket.set(socket, connection)
      socket.on('close', () => {
        bySocket.delete(socket)
        const left = countByNetwork.get(network)! - 1
        if (left === 0) countByNetwork.delete(network)
        else countByNetwork.set(network, left)
        connection.closed()
        onConnectionClosed()
      })
    },
  }
}

/** Closes connections whose client reads nothing for `stallLimitMs`. Call the result to stop. */
export function watchProgress({ bySocket }: OpenConnections, stallLimitMs: number): () => void {
  const checkEveryMs = Math.max(1, Math.min(1000, Math.floor(stallLimitMs / 4)))
  const checks = setInterval(() => {
    for (const connection of bySocket.values()) connection.checkProgress(stallLimitMs / checkEveryMs)
  }, checkEveryMs)
  checks.unref()
  return () => clearInterval(checks)
}
