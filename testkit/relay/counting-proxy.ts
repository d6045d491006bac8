import { connect, createServer, type Socket } from 'node:net'

/** What was sent to PostgreSQL, in figures that are the same on every machine. */
export interface ServerCounts {
  /** Statements that were executed. */
  statements: number
  /** Times that a client waited for the server. */
  roundTrips: number
  bytesSent: number
}

/** In every statement that saves a batch of the ledger. */
const batchText = '_row_v'

/** Stands between a gateway and PostgreSQL, and counts what the sessions of the ledger send. Others work in the background. */
export async function startCountingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let counts = noCounts()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let isLedger = false
    const count = createMessageReader((type) => {
      if (!isLedger) return
      if (type === 'E' || type === 'Q') counts.statements += 1
      if (type === 'S' || type === 'Q') counts.roundTrips += 1
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => {
      isLedger ||= chunk.includes(batchText)
      if (isLedger) counts.bytesSent += chunk.length
      count(chunk)
      upstream.write(chunk)
    })
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    /** The counts since the last time. */
    take(): ServerCounts {
      const taken = counts
      counts = noCounts()
      return taken
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const noCounts = (): ServerCounts => ({ statements: 0, roundTrips: 0, bytesSent: 0 })

/** Calls back with the type of each message of a client. The first one has no type. */
function createMessageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      if (isStarted) onMessage(String.fromCharCode(rest[0]!))
      isStarted = true
      rest = rest.subarray(length)
    }
  }
}
