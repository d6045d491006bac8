import type { BlockList, Socket } from 'node:net'
import { findPeer, findRequester, forwardedForOf } from '../requester.ts'
import { ClientConnection, type ClientConnectionHost } from './connection.ts'

export interface OpenConnectionsOptions {
  readonly host: ClientConnectionHost
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList
  /** Limits on open connections, in total and per requester; further ones are closed at once. */
  readonly maxConnections: number
  readonly maxConnectionsPerRequester: number
  readonly onConnectionRefused: () => void
  readonly onConnectionClosed: () => void
}

export interface OpenConnections {
  /** Without the sockets over the limit. */
  readonly bySocket: ReadonlyMap<Socket, ClientConnection>
  accept(socket: Socket): void
}

/** Keeps the connections that are open, and closes those over the limits. */
export function createOpenConnections(options: OpenConnectionsOptions): OpenConnections {
  const { host, trustedProxies, maxConnections, onConnectionRefused, onConnectionClosed } = options
  const bySocket = new Map<Socket, ClientConnection>()
  const countByNetwork = new Map<string, number>()
  return {
    bySocket,
    accept(socket) {
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
