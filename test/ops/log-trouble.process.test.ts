import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../testkit/http/free-port.ts'

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const sinkFile = new URL('../../src/ops/log.ts', import.meta.url).href

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-log-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** Both ends of a pipe; writes block, as in a pipe made by a shell. */
function openPipe() {
  const path = join(directory, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  return { reader, writer }
}

async function startWithOutput(stdout: number) {
  const [port, operatorPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [mainFile], {
    stdio: ['ignore', stdout, 'ignore'],
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'info',
      GATEWAY_DATA_DIR: join(directory, 'data'),
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
    },
  })
  const exited = once(child, 'exit')
  const agent = new Agent({ connections: 8 })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await agent.destroy()
  })
  const get = async (url: string, headers = {}) => {
    const response = await request(url, { dispatcher: agent, headers })
    return { status: response.statusCode, text: await response.body.text() }
  }
  const operator = (path: string) => get(`http://127.0.0.1:${operatorPort}${path}`)
  await expect
    .poll(() => operator('/readyz').then(({ status }) => status, String), { timeout: 30_000, interval: 50 })
    .toBe(200)
  return {
    operator,
    pricing: () => get(`http://127.0.0.1:${port}/v1/pricing`, { host: 'localhost:8787' }),
    terminate: async () => {
      child.kill('SIGTERM')
      return (await exited)[0] as number | null
    },
  }
}

describe('a gateway whose log', () => {
  test('a gateway whose log is on a full disk serves, counts the lines it drops, and exits when asked', async () => {
    const full = openSync('/dev/full', 'w')
    const gateway = await startWithOutput(full)
    closeSync(full)
    expect(await gateway.pricing()).toMatchObject({ status: 200 })
    const dropped = async () =>
      Number(/^gateway_log_lines_dropped_total (\d+)$/m.exec((await gateway.operator('/metrics')).text)?.[1])
    await expect.poll(dropped, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(await gateway.pricing()).toMatchObject({ status: 200 })
    expect(await gateway.terminate()).toBe(0)
  })

  test('a gateway serves, and exits when asked, while its log pipe is full', async () => {
    const { reader, writer } = openPipe()
    const gateway = await startWithOutput(writer)
    closeSync(writer)
    // More lines than a pipe holds.
    for (let round = 0; round < 100; round += 1) {
      const responses = await Promise.all(Array.from({ length: 8 }, gateway.pricing))
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    }
    expect(await gateway.operator('/readyz')).toMatchObject({ status: 200 })
    expect(await gateway.terminate()).toBe(0)
    closeSync(reader)
  })

  test('a gateway whose log is a pipe whose reader has gone serves, and exits when asked', async () => {
    const { reader, writer } = openPipe()
    const gateway = await startWithOutput(writer)
    closeSync(writer)
    closeSync(reader)
    expect(await gateway.pricing()).toMatchObject({ status: 200 })
    expect(await gateway.terminate()).toBe(0)
  })
})

test('every line is written or counted as dropped, and only whole lines are dropped', async () => {
  const { reader, writer } = openPipe()
  const lines = 5000
  const program = `
    import { LineSink, unblockStandardOutput } from ${JSON.stringify(sinkFile)}
    unblockStandardOutput()
    const sink = new LineSink({ fd: 1, maxUnreadBytes: 50_000 })
    process.on('exit', () => process.stderr.write(String(sink.dropped)))
    for (let line = 0; line < ${lines}; line += 1) {
      if (line % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
      sink.write(JSON.stringify({ line, text: 'x'.repeat(80) }) + '\\n')
    }
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', writer, 'pipe'],
  })
  closeSync(writer)
  let dropped = ''
  child.stderr!.on('data', (chunk) => {
    dropped += chunk
  })
  await once(child, 'close')
  const rows = readAll(reader).split('\n').slice(0, -1)
  closeSync(reader)
  const seen = rows.map((row) => (JSON.parse(row) as { line: number }).line)
  expect(seen).toEqual(Array.from(seen, (_, line) => line))
  expect(seen.length).toBeGreaterThan(100)
  expect(seen.length + Number(dropped)).toBe(lines)
})

function readAll(fd: number): string {
  const chunk = Buffer.alloc(65_536)
  let text = ''
  for (let size = readSync(fd, chunk); size > 0; size = readSync(fd, chunk)) text += chunk.toString('utf8', 0, size)
  return text
}
