import { createServer, connect as dial, type Socket } from 'node:net'

/** A proxy to PostgreSQL that can drop or delay its responses. */
export async function startPostgresProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCuttingAtCommit = false
  let awaited: string | undefined
  let held: (() => void)[] = []
  let isVanished = false

  const server = createServer((client) => {
    if (isVanished) {
      client.destroy()
      return
    }
    const upstream = dial(Number(target.port), target.hostname)
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
      upstream.write(chunk)
      if (awaited === undefined || !chunk.includes(awaited)) return
      awaited = undefined
      for (const forward of held) forward()
      held = []
    })
    upstream.on('data', (chunk) => {
      if (isCuttingAtCommit && chunk.includes('COMMIT\0')) {
        isCuttingAtCommit = false
        client.destroy()
      } else if (awaited === undefined) client.write(chunk)
      else held.push(() => client.write(chunk))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    /** The server executes the next commit, but the connection is cut before it can say so. */
    cutAtCommit: () => {
      isCuttingAtCommit = true
    },
    /** Holds every response back until the client has sent this text. */
    holdAnswersUntil: (text: string) => {
      awaited = text
    },
    /** Cuts every connection and refuses new ones, like a server that is down. */
    vanish: () => {
      isVanished = true
      for (const socket of sockets) socket.destroy()
    },
    comeBack: () => {
      isVanished = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
