import { createServer, connect as dial, type Socket } from 'node:net'

/** A way to PostgreSQL on which answers can be lost or held back. */
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
      for (const answer of held) answer()
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
    /** The next commit is done by the server, and the connection is cut before it can say so. */
    cutAtCommit: () => {
      isCuttingAtCommit = true
    },
    /** No answer comes through before the client has sent this text. */
    holdAnswersUntil: (text: string) => {
      awaited = text
    },
    /** Cuts every connection and refuses new ones, as a server that is gone. */
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
