import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawConnection, type RawResponse } from '../../testkit/http/raw-http.ts'
import { flawOf, goodGet, goodPost } from './fixture.ts'
import { nextGroup, packets, seeded } from './fuzz-inputs.ts'

const seed = 20_260_903
const inputs = 22_000
const atOnce = 48

interface Report {
  readonly completed: number
  readonly rss: number
  readonly heapUsed: number
  readonly inFlight: number
}

let child: ChildProcess
let port = 0
beforeAll(async () => {
  child = fork(new URL('./fuzz-server.ts', import.meta.url), { execArgv: ['--expose-gc'] })
  ;[{ port }] = (await once(child, 'message')) as [{ port: number }]
})
afterAll(() => child.kill())

async function report(): Promise<Report> {
  child.send('report')
  const [response] = (await once(child, 'message')) as [Report]
  return response
}

test('no input causes a crash, a hang, a leak, or anything but a response of the contract or a clean close', async () => {
  const random = seeded(seed)
  let answered200 = 0
  const run = async (total: number) => {
    let sent = 0
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (sent < total) {
          const group = nextGroup(random)
          sent += group.length
          const count = await sendGroup(packets(random, group.join('')))
          answered200 += count
        }
      }),
    )
    for (const bytes of [goodGet, goodPost]) {
      const count = await sendGroup([bytes])
      expect(count).toBe(1)
      answered200 += count
    }
  }

  await run(inputs / 2)
  const first = await report()
  await run(inputs / 2)
  const second = await report()

  expect(child.exitCode).toBeNull()
  expect(second.completed).toBe(answered200)
  expect(answered200).toBeGreaterThan(inputs / 20)
  expect(second.inFlight).toBe(0)
  expect(second.heapUsed - first.heapUsed).toBeLessThan(8_000_000)
  expect(second.rss).toBeLessThan(first.rss * 1.5 + 50_000_000)
}, 120_000)

/** Returns how many 200s came back. */
async function sendGroup(parts: readonly string[]): Promise<number> {
  const connection = await RawConnection.open({ port })
  for (const part of parts) connection.send(part)
  connection.halfClose()
  let responses: RawResponse[] = []
  try {
    responses = (await connection.rest()).filter(({ status }) => status !== 100)
    const flaw = responses.map(flawOf).find((text) => text !== null)
    if (flaw) throw new Error(`a flawed response: ${flaw}`)
    if (connection.wasReset) throw new Error('the connection was reset')
    if (responses.slice(0, -1).some(({ headers }) => headers.get('connection') === 'close')) {
      throw new Error('a response came behind one that closes')
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}, after ${JSON.stringify(parts)}`)
  }
  return responses.filter(({ status }) => status === 200).length
}
