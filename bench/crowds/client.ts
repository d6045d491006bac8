import { connect } from 'node:net'

/**
 * Many connections that each repeat a request as soon as the response arrives, in their own process. The first message is the
 * options; every further one pauses or resumes them, or asks for the figures since the last time.
 */
export interface CrowdOptions {
  readonly port: number
  readonly host: string
  readonly connections: number
  /** Loopback addresses that the connections come from, in turn. */
  readonly from: readonly string[]
  /** Used in turn, one for each connection. Without any, the requests are those of a stranger. */
  readonly apiKeys: readonly string[]
}

export interface CrowdFigures {
  readonly open: number
  readonly statuses: Readonly<Record<string, number>>
  /** Connections that were closed or refused. */
  readonly closed: number
  readonly latenciesMs: readonly number[]
}

export type CrowdMessage = 'pause' | 'resume' | 'figures'

let isPaused = false
const paused: (() => void)[] = []
let open = 0
let closed = 0
let sent = 0
let statuses: Record<string, number> = {}
let latenciesMs: number[] = []

function requestOf({ host, apiKeys }: CrowdOptions, index: number): () => string {
  const key = apiKeys[index % apiKeys.length]
  if (key === undefined) return () => `GET /v1/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const body = '{"prompt":"hello"}'
  const head = `POST /v1/models/chat HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  return () => `${head}Idempotency-Key: ${process.pid} ${sent++}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function keepCalling(options: CrowdOptions, index: number): void {
  const { port, from } = options
  const request = requestOf(options, index)
  const socket = connect({ port, host: '127.0.0.1', localAddress: from[index % from.length]! })
  let isOpen = false
  let sentAt = 0
  const send = () => {
    if (isPaused) {
      paused.push(send)
      return
    }
    if (socket.destroyed) return
    sentAt = performance.now()
    socket.write(request(), 'latin1')
  }
  socket.on('connect', () => {
    open += 1
    isOpen = true
    send()
  })
  // Responses are short: each arrives in one piece.
  socket.on('data', (bytes) => {
    const status = bytes.toString('latin1', 9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    latenciesMs.push(performance.now() - sentAt)
    send()
  })
  const reconnect = () => {
    if (isPaused) paused.push(reconnect)
    else keepCalling(options, index)
  }
  socket.on('error', () => {})
  socket.on('close', () => {
    if (isOpen) open -= 1
    closed += 1
    setTimeout(reconnect, reconnectMs)
  })
}

const reconnectMs = 100
/** Fewer than the listener's backlog, so that no connection has to be tried twice. */
const connectAtOnce = 100

process.once('message', async (options: CrowdOptions) => {
  process.on('message', (message: CrowdMessage) => {
    isPaused = message === 'pause' || (isPaused && message !== 'resume')
    if (message === 'resume') for (const send of paused.splice(0)) send()
    if (message !== 'figures') return
    process.send!({ open, closed, statuses, latenciesMs } satisfies CrowdFigures)
    closed = 0
    statuses = {}
    latenciesMs = []
  })
  for (let index = 0; index < options.connections; index += 1) {
    if (index % connectAtOnce === 0) await new Promise((resolve) => setTimeout(resolve, connectEveryMs))
    keepCalling(options, index)
  }
})
process.on('disconnect', () => process.exit())

const connectEveryMs = 50
