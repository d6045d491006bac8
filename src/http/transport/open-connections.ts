import type { Socket } from 'node:net'
import { ClientConnection, type ClientConnectionHost } from './connection.ts'

export interface OpenConnectionsOptions {
  readonly host: ClientConnectionHost
  /** Limits on open connections, in total and per client address; further ones are closed at once. */
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
  const { host, maxConnections, maxConnectionsPerRequester, onConnectionRefused, onConnectionClosed } = options
  const bySocket = new Map<Socket, ClientConnection>()
  const countByRequester = new Map<string, number>()
  return {
    bySocket,
    accept(socket) {
      const requester = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
      const count = (countByRequester.get(requester) ?? 0) + 1
      if (count > maxConnectionsPerRequester || bySocket.size >= maxConnections) {
        onConnectionRefused()
        socket.destroy()
        return
      }
      countByRequester.set(requester, count)
      const connection = new ClientConnection(socket, requester, host)
      bySocket.set(socket, connection)
      socket.on('close', () => {
        bySocket.delete(socket)
        const left = countByRequester.get(requester)! - 1
        if (left === 0) countByRequester.delete(requester)
        else countByRequester.set(requester, left)
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
