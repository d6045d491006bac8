import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { monotonicMs } from '../../base/clock.ts'
import { createAdmissionQueue, createRecentKeys } from './admission-queue.ts'
import type { Exchange } from './exchange.ts'
import { createGuardedServer, createOpenConnections, type ListenerLimits, watchProgress } from './guarded-server.ts'
import type { HeadRefusal } from './request-head.ts'

export interface TransportOptions extends ListenerLimits {
  /** How long a client may neither send nor read a byte, beyond `bodyDeadlineMs`. */
  readonly stallMs: number
  /** How long a request may wait in a long queue before it is shed. */
  readonly shedAfterMs: number
  readonly newRequestId: () => string
  readonly handle: (exchange: Exchange) => void
  /** Refuses a request as cheaply as possible. */
  readonly shed: (exchange: Exchange) => void
  readonly refuse: (refusal: HeadRefusal) => string
}

/** Checks and queues requests between Node's HTTP server and the router; see docs/decisions/0003-transport-guard.md. */
export function createTransport(options: TransportOptions) {
  const { rules, newRequestId, refuse } = options
  const servers = new Set<Server>()
  let running = 0
  let isDraining = false

  const idle = createIdleSignal(() => running === 0 && connections.bySocket.size === 0)
  const connections = createOpenConnections({
    ...options,
    onConnectionClosed: idle.check,
    host: {
      rules,
      recentKeys: createRecentKeys(),
      newRequestId,
      refuse,
      isDraining: () => isDraining,
      handle: enqueue,
    },
  })
  const queue = createQueue(options)
  const stallLimitMs = options.bodyDeadlineMs + options.stallMs
  const stopWatching = watchProgress(connections, stallLimitMs)

  function enqueue(exchange: Exchange): void {
    running++
    exchange.response.on('close', () => closed(exchange))
    queue.add(exchange)
  }

  function closed(exchange: Exchange): void {
    if (queue.remove(exchange)) done()
    else if (exchange.response.statusCode === 401) exchange.forgetKey()
    connections.bySocket.get(exchange.request.socket)?.responseClosed()
  }

  function done(): void {
    running--
    idle.check()
  }

  return {
    /** A server that passes on only valid requests, one at a time per connection. */
    createServer(): Server {
      const server = createGuardedServer({ ...options, stallLimitMs, connections })
      servers.add(server)
      return server
    },
    /** Must be called once per exchange when its handler is done, even if the client disconnected. */
    done,
    inFlight: () => running,
    /** From now on every response says `Connection: close`, but new connections are still accepted. */
    announceDrain(): void {
      isDraining = true
    },
    /**
     * Stops accepting and waits for running requests; after `timeoutMs` every socket is destroyed. `endStreams` then ends the
     * responses that are still being made, and says how many: they get a moment to tell their clients.
     */
    async drain(timeoutMs: number, endStreams: () => number = () => 0): Promise<void> {
      isDraining = true
      // Not `http.Server.close`: it destroys sockets that are still sending a response.
      for (const server of servers) NetServer.prototype.close.call(server)
      for (const connection of connections.bySocket.values()) connection.drain()
      await idle.wait(timeoutMs)
      if (endStreams() > 0) await idle.wait(streamEndMs)
      stopWatching()
      for (const socket of connections.bySocket.keys()) socket.destroy()
      for (const server of servers) server.close()
    },
  }
}

/** `wait` resolves once `isIdle` holds. Call `check` after each change of what it depends on. */
function createIdleSignal(isIdle: () => boolean) {
  let onIdle: (() => void) | null = null
  return {
    check(): void {
      if (onIdle !== null && isIdle()) onIdle()
    },
    async wait(timeoutMs: number): Promise<void> {
      if (isIdle()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onIdle = resolve
      const timer = setTimeout(resolve, timeoutMs)
      await promise
      clearTimeout(timer)
    },
  }
}

const streamEndMs = 2000

/** The fastest of 16, 24 and 32: with the others, this thread and that of the embedded store wait longer for each other. */
const beginPerTurn = 24
/** Takes a few tenths of a second to empty; only a longer queue is overload. */
const longQueue = 512

const createQueue = ({ shedAfterMs, handle, shed }: TransportOptions) =>
  createAdmissionQueue<Exchange>({
    perTurn: beginPerTurn,
    longQueue,
    maxWaitMs: shedAfterMs,
    now: monotonicMs,
    begin: handle,
    shed,
  })
