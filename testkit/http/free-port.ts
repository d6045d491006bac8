import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range from which systems number outgoing connections, so that none of those takes it before the test listens. */
const [firstPort, lastPort] = [20_000, 32_000]
/** Each test worker has ports of its own, because a server may listen only seconds after its port was chosen. */
const slices = 8
const portsPerSlice = (lastPort - firstPort) / slices
const firstOfSlice = firstPort + (Number(process.env.VITEST_POOL_ID ?? 0) % slices) * portsPerSlice
const chosen = new Set<number>()

/** A loopback port on which nothing listens, and which was not chosen before while there are others. */
export async function freePort(): Promise<number> {
  for (;;) {
    if (chosen.size > portsPerSlice / 2) chosen.clear()
    const port = firstOfSlice + randomInt(portsPerSlice)
    if (chosen.has(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      (error) => {
        if (error.code === 'EADDRINUSE') return false
        throw error
      },
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    chosen.add(port)
    return port
  }
}
