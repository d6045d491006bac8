import { connect, type Socket } from 'node:net'

/**
 * Attackers who try to take a gateway down, in their own process so that they do not slow down the watched
 * clients. They stop by themselves. The only argument is the options as JSON.
 */
export interface AttackOptions {
  readonly port: number
  readonly host: string
  readonly seconds: number
  /** A key with credits, for the paying attacker. */
  readonly apiKey: string
  readonly pipeliners: number
  readonly nonReaders: number
  readonly giants: number
  readonly callers: number
}

const options: AttackOptions = JSON.parse(process.argv[2]!)
const { port, host, apiKey } = options
const stopAt = performance.now() + options.seconds * 1000
const isOn = () => performance.now() < stopAt
const sockets = new Set<Socket>()

const pipelined = `GET /v1/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(257)
const unread = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(257)
const giant = paidCall('/v1/pick/filter', 'giant', `{"itemRefs":[${Array(21_000).fill('{}').join()}]}`)

function paidCall(path: string, idempotencyKey: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: ${idempotencyKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/** Keeps one connection busy: sends again after `responses` responses, and reconnects when it was closed. */
function keepSending(bytes: () => string, { responses = 1, isRead = true, pauseMs = 0 } = {}): void {
  if (!isOn()) return
  const socket = connect({ port, host: '127.0.0.1' })
  let missing = 0
  const send = () => {
    missing = responses
    socket.write(bytes(), 'latin1')
  }
  sockets.add(socket)
  socket.on('connect', send)
  socket.on('error', () => {})
  socket.on('close', () => {
    sockets.delete(socket)
    setTimeout(() => keepSending(bytes, { responses, isRead, pauseMs }), 20)
  })
  if (!isRead) socket.pause()
  else {
    socket.on('data', (chunk) => {
      missing -= chunk.toString('latin1').split('HTTP/1.1 ').length - 1
      if (missing > 0) return
      if (pauseMs > 0) setTimeout(send, pauseMs)
      else send()
    })
  }
}

let calls = 0
const times = (count: number, start: () => void) => Array.from({ length: count }, start)
times(options.pipeliners, () => keepSending(() => pipelined, { responses: 257 }))
times(options.nonReaders, () => keepSending(() => unread, { isRead: false }))
times(options.giants, () => keepSending(() => giant, { pauseMs: 200 }))
times(options.callers, () => keepSending(() => paidCall('/v1/models/chat', `call ${calls++}`, '{"prompt":"x"}')))
setTimeout(() => process.exit(), options.seconds * 1000)
