import { createServer, connect as dial, type Socket } from 'node:net'

/** A proxy to PostgreSQL that can drop or delay its responses. */
export async function startPostgresProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const silenced = new WeakSet<Socket>()
  let isCuttingAtCommit = false
  let awaited: string | undefined
  let held: (() => void)[] = []
  let isVanished = false
  let isSilent = false
  let isWarningAtCommit = false
  let probesToCome = 0
  let pauseAfterMs = 0

  let accepted = 0
  const server = createServer((client) => {
    accepted += 1
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
    const startedSilent = isSilent
    let isProbe = probesToCome > 0
    let isAsked = false
    client.on('data', (chunk) => {
      if (startedSilent || silenced.has(client)) return
      upstream.write(chunk)
      isAsked ||= chunk.includes('pg_stat_activity')
      if (awaited === undefined || !chunk.includes(awaited)) return
      awaited = undefined
      for (const forward of held) forward()
      held = []
    })
    upstream.on('data', (chunk) => {
      if (startedSilent || silenced.has(client)) return
      if (isWarningAtCommit && chunk.includes('COMMIT\0')) {
        isWarningAtCommit = false
        // Before the message that ends with COMMIT: its type and length come before the text.
        const place = chunk.indexOf('COMMIT\0') - 5
        client.write(Buffer.concat([chunk.subarray(0, place), standbyWarning, chunk.subarray(place)]))
      } else if (isCuttingAtCommit && chunk.includes('COMMIT\0')) {
        isCuttingAtCommit = false
        client.destroy()
      } else if (awaited === undefined && (isProbe || probesToCome === 0)) client.write(chunk)
      else held.push(() => client.write(chunk))
      if (!isProbe || !isAsked || probesToCome === 0) return
      isProbe = false
      if (probesToCome > 1) probesToCome -= 1
      else if (pauseAfterMs === 0) release()
      else setTimeout(release, pauseAfterMs)
    })
  })
  function release() {
    probesToCome = 0
    for (const forward of held) forward()
    held = []
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    /** Connections so far. */
    accepted: () => accepted,
    /** The server executes the next commit, but the connection is cut before it can say so. */
    cutAtCommit: () => {
      isCuttingAtCommit = true
    },
    /** Holds every response back until the client has sent this text. */
    holdResponsesUntil: (text: string) => {
      awaited = text
    },
    /** Holds the responses of connections back that are open now, until new ones have asked about them so often. */
    holdResponsesUntilProbes: (count: number, thenMs = 0) => {
      probesToCome = count
      pauseAfterMs = thenMs
    },
    /** Cuts every connection and refuses new ones, like a server that is down. */
    vanish: () => {
      isVanished = true
      for (const socket of sockets) socket.destroy()
    },
    /** Like a machine that lost its network: neither connections nor new ones get another byte, nor a reset. */
    goSilent: () => {
      isSilent = true
      for (const socket of sockets) silenced.add(socket)
    },
    /** New connections get no response; those from before work. */
    ignoreNew: () => {
      isSilent = true
    },
    /** New connections work; those from before stay silent. */
    acceptAgain: () => {
      isSilent = false
    },
    /** The server warns at the next commit, as when its wait for a standby is cancelled. */
    warnAtCommit: () => {
      isWarningAtCommit = true
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

const standbyWarning = (() => {
  const fields = 'SWARNING\0VWARNING\0C01000\0Mcanceling wait for synchronous replication due to user request\0\0'
  const message = Buffer.alloc(5 + fields.length)
  message.write('N')
  message.writeInt32BE(4 + fields.length, 1)
  message.write(fields, 5)
  return message
})()
