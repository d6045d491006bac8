import { createServer, type Socket } from 'node:net'
import pg from 'pg'

type PoolMode = 'session' | 'transaction'

/**
 * A pooler that shares connections of PostgreSQL as PgBouncer does: in session mode a client keeps one until it leaves, in
 * transaction mode only until its transaction ends. It lets everybody in.
 */
export async function startPooler(databaseUrl: string, mode: PoolMode) {
  const sockets = new Set<Socket>()
  const idle: Socket[] = []
  const takeServer = async () => idle.pop() ?? (await connectServer(databaseUrl, sockets))

  const listener = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    serve(client, { mode, takeServer, giveBack: (server) => idle.push(server) })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((listener.address() as { port: number }).port)
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

interface Sharing {
  readonly mode: PoolMode
  readonly takeServer: () => Promise<Socket>
  readonly giveBack: (server: Socket) => void
}

function serve(client: Socket, { mode, takeServer, giveBack }: Sharing): void {
  let isStarted = false
  let server: Promise<Socket> | null = null
  /** Requests that the server has not finished yet. */
  let pending = 0
  let input = Buffer.alloc(0)

  function release(socket: Socket): void {
    socket.removeAllListeners('data')
    server = null
    giveBack(socket)
  }

  async function link(): Promise<Socket> {
    const socket = await takeServer()
    let output = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      const { messages, rest } = split(Buffer.concat([output, chunk]), 1)
      output = Buffer.from(rest)
      client.write(Buffer.concat(messages))
      for (const message of messages) {
        if (message[0] !== code('Z')) continue
        pending -= 1
        if (mode === 'transaction' && pending === 0 && message[5] === code('I')) release(socket)
      }
    })
    return socket
  }

  async function forward(messages: readonly Buffer[]): Promise<void> {
    pending += messages.filter(([type]) => type === code('Q') || type === code('S')).length
    server ??= link()
    const socket = await server
    socket.write(Buffer.concat(messages))
  }

  client.on('data', (chunk: Buffer) => {
    input = Buffer.concat([input, chunk])
    if (!isStarted) {
      const { messages, rest } = split(input, 0)
      input = Buffer.from(rest)
      if (messages.length === 0) return
      isStarted = true
      client.write(welcome)
    }
    const { messages, rest } = split(input, 1)
    input = Buffer.from(rest)
    if (messages.some(([type]) => type === code('X'))) return void client.end()
    if (messages.length > 0) void forward(messages)
  })
  client.on('close', async () => {
    if (!server) return
    const socket = await server
    socket.removeAllListeners('data')
    // As `server_reset_query` does; the response is not read, so the connection is not used again.
    socket.destroy()
  })
}

/** Complete messages: a type of `typeBytes`, then a length that counts itself. */
function split(bytes: Buffer, typeBytes: 0 | 1): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = []
  let rest = bytes
  while (rest.length >= typeBytes + 4) {
    const end = typeBytes + rest.readInt32BE(typeBytes)
    if (rest.length < end) break
    messages.push(rest.subarray(0, end))
    rest = rest.subarray(end)
    if (typeBytes === 0) break
  }
  return { messages, rest }
}

const code = (letter: string) => letter.charCodeAt(0)

/** Signed in, with a key to cancel that does nothing, and ready. */
const welcome = Buffer.concat([
  Buffer.from([code('R'), 0, 0, 0, 8, 0, 0, 0, 0]),
  Buffer.from([code('K'), 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 1]),
  Buffer.from([code('Z'), 0, 0, 0, 5, code('I')]),
])

/** Lets the driver sign in, then takes its socket. */
async function connectServer(connectionString: string, sockets: Set<Socket>): Promise<Socket> {
  const client = new pg.Client({ connectionString, application_name: 'api-relay-gateway' })
  client.on('error', () => {})
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  stream.on('error', () => {})
  sockets.add(stream)
  return stream
}
