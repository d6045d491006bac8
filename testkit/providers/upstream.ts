import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A provider that misbehaves on command, over real sockets. */
export interface Upstream {
  readonly port: number
  /** Without a trailing slash. */
  readonly url: string
  /** Every complete request that arrived, in order. */
  readonly calls: readonly RecordedCall[]
  /** Connections accepted so far. */
  readonly connections: () => number
  /** One behaviour per future call; the last one stays. */
  program(...behaviours: Behaviour[]): void
  /** Resolves when that many complete requests have arrived. */
  received(count: number): Promise<void>
  /** Ends all open connections from this side, and waits for the other. */
  dropConnections(): Promise<void>
  close(): Promise<void>
}

export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Behaviour = (wire: Socket, call: RecordedCall) => void

/** Closes itself when used with `await using`. */
export async function startUpstream(...behaviours: Behaviour[]): Promise<Upstream & AsyncDisposable> {
  let queue = behaviours
  let accepted = 0
  const calls: RecordedCall[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const server = createServer((wire) => {
    accepted += 1
    sockets.add(wire)
    wire.on('close', () => sockets.delete(wire)).on('error', () => {})
    readCalls(wire, (call) => {
      calls.push(call)
      const behave = queue.length > 1 ? queue.shift()! : queue[0]
      try {
        behave?.(wire, call)
      } catch (error) {
        // The caller gets its response now, and Vitest reports the error: the test does not wait for a time limit.
        behaves.respond(404, { error: String(error) })(wire, call)
        queueMicrotask(() => {
          throw error
        })
      }
      for (const check of waiting) check()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const wire of sockets) wire.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    calls,
    connections: () => accepted,
    program: (...next) => {
      queue = next
    },
    received: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (calls.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    dropConnections: async () => {
      await Promise.all([...sockets].map((wire) => once(wire.end(), 'close')))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const upstream = await startUpstream()
  await upstream.close()
  return upstream.port
}

const head = (status: number, headers: Record<string, string | number>) =>
  `HTTP/1.1 ${status} Status\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

export const behaves = {
  /** A complete response; an object is sent as JSON. The connection stays open. */
  respond:
    (status: number, body: unknown = {}, headers: Record<string, string> = {}): Behaviour =>
    (wire) => {
      const bytes = Buffer.from(textOf(body))
      wire.write(
        head(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers }) + textOf(body),
      )
    },
  redirect: (status: number, location: string): Behaviour => behaves.respond(status, {}, { location }),
  /** Reads the request and sends nothing. */
  hang: (): Behaviour => () => {},
  /** Sends the headers and the start of the body, then nothing. */
  hangInBody:
    (status = 200): Behaviour =>
    (wire) => {
      wire.write(`${head(status, { 'content-length': 1000 })}{"par`)
    },
  /** Sends one byte of an endless body per turn of the event loop. */
  drip: (): Behaviour => (wire) => {
    wire.write(head(200, { 'transfer-encoding': 'chunked' }))
    const drip = () => {
      if (wire.destroyed) return
      wire.write('1\r\n \r\n', () => setImmediate(drip))
    }
    drip()
  },
  /** RST before any response. */
  reset: (): Behaviour => (wire) => void wire.resetAndDestroy(),
  /** FIN before any response. */
  hangUp: (): Behaviour => (wire) => void wire.end(),
  /** FIN within a body of known length. */
  cutBody: (): Behaviour => (wire) => void wire.end(`${head(200, { 'content-length': 1000 })}{"par`),
  /** RST within a chunked body. */
  resetInBody: (): Behaviour => (wire) => {
    wire.write(`${head(200, { 'transfer-encoding': 'chunked' })}5\r\n{"par\r\n`, () =>
      setImmediate(() => wire.resetAndDestroy()),
    )
  },
  /** FIN within a body that only the end of the connection delimits. */
  cutUnframedBody: (): Behaviour => (wire) => void wire.end(`${head(200, { connection: 'close' })}{"par`),
  /** RST within such a body. */
  resetUnframedBody: (): Behaviour => (wire) => {
    wire.write(`${head(200, { connection: 'close' })}{"par`, () => setImmediate(() => wire.resetAndDestroy()))
  },
  /** A complete response that only the end of the connection delimits. */
  respondUnframed:
    (body: unknown): Behaviour =>
    (wire) =>
      void wire.end(head(200, { connection: 'close' }) + textOf(body)),
  /** An endless body, as fast as it is read. */
  flood:
    (status = 200): Behaviour =>
    (wire) => {
      wire.write(head(status, { 'transfer-encoding': 'chunked' }))
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
      // A failed write ends it: its callback may run during the stream's own clean-up.
      const pour = (error?: Error | null) => {
        if (!error && !wire.destroyed) wire.write(chunk, pour)
      }
      pour()
    },
  /** Bytes that are not HTTP. */
  garble: (): Behaviour => (wire) => void wire.write('SSH-2.0-OpenSSH\r\n\r\n'),
  /** Headers over every size limit. */
  floodHeaders: (): Behaviour => (wire) => {
    wire.write(head(200, { 'x-long': 'x'.repeat(100_000) }))
  },
}

/** Splits a connection into requests with a Content-Length. */
function readCalls(wire: Socket, onCall: (call: RecordedCall) => void): void {
  let buffer = Buffer.alloc(0)
  wire.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const headEnd = buffer.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const [requestLine = '', ...lines] = buffer.subarray(0, headEnd).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      )
      const end = headEnd + 4 + Number(headers['content-length'] ?? 0)
      if (buffer.length < end) return
      const body = buffer.subarray(headEnd + 4, end).toString('utf8')
      buffer = buffer.subarray(end)
      const [method = '', path = ''] = requestLine.split(' ')
      onCall({ method, path, authorization: headers.authorization, headers, body })
    }
  })
}
