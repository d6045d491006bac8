import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { request } from 'undici'
import { freePort } from '../../../testkit/http/free-port.ts'
import type { Prng } from '../prng.ts'
import type { Image } from './images.ts'
import { environmentOf, type Files, logName, newFolder, removeFolder, storeName, writeFiles } from './installation.ts'
import { digestOf } from './log-file.ts'
import type { AnsweredCall, Recording } from './workload.ts'

const mainFile = resolve(import.meta.dirname, '../../../src/main.ts')

/**
 * A gateway in a process whose files cannot grow any more: as on a full disk, a write is cut short, and the next one fails.
 * What it had answered before it was killed must be there.
 */
export async function fillDisk(
  { moments, calls }: Recording,
  random: Prng,
  signal?: AbortSignal,
): Promise<{ image: Image; recording: Recording; refused: number }> {
  const dataDir = newFolder()
  const { database, log, files } = moments.at(-1)!
  writeFiles(dataDir, new Map([...files, [storeName, database], [logName, log]]))
  const port = await freePort()
  // In blocks of 512 bytes; some shells take 1024. The log begins anew with the start, and gets as long as the database.
  const blocks = Math.ceil(database.length / 512) + random.between(100, 300)
  const script = `trap '' XFSZ; ulimit -f "$0"; exec "$@"`
  const child = spawn('sh', ['-c', script, String(blocks), process.execPath, mainFile], {
    // Never the test's own stderr: a gateway that outlived its test would hold the pipe, and so the whole run.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environmentOf(dataDir), GATEWAY_LISTEN: `127.0.0.1:${port}`, LOG_LEVEL: 'fatal' },
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const exited = once(child, 'exit')
  try {
    await Promise.race([
      once(child.stdout, 'data'),
      exited.then(() => Promise.reject(new Error(`the gateway did not start:\n${complaints}`))),
    ])
    const last = calls.at(-1)!
    const answered: AnsweredCall[] = []
    let refused = 0
    for (let number = 0; number < 2000 && refused < 20; number += 1) {
      const idempotencyKey = `full ${number}`
      const { status, body } = await call(port, { ...last, idempotencyKey, prompt: 'x'.repeat(3000) })
      if (status === 200)
        answered.push({ ...last, idempotencyKey, prompt: 'x'.repeat(3000), body, moment: 0, isOld: false })
      else refused += 1
    }
    child.kill('SIGKILL')
    await exited
    const left = filesIn(dataDir)
    const image: Image = { kind: 'full disk', isHonest: true, moment: 0, files: left, about: `${blocks} blocks` }
    const state = digestOf(left.get(storeName)!, left.get(logName) ?? Buffer.alloc(0))
    const moment = { database, log, files, state, synchronous: 2 }
    return { image, recording: { moments: [moment], calls: answered }, refused }
  } finally {
    child.kill('SIGKILL')
    await exited.catch(() => undefined)
    removeFolder(dataDir)
    removeFolder(`${dataDir}.json`)
  }
}

export async function call(
  port: number,
  { customer, idempotencyKey, prompt }: Pick<AnsweredCall, 'customer' | 'idempotencyKey' | 'prompt'>,
) {
  const { statusCode, headers, body } = await request(`http://127.0.0.1:${port}/v1/models/chat`, {
    method: 'POST',
    headers: {
      host: 'localhost:8787',
      'content-type': 'application/json',
      authorization: `Bearer ${customer.apiKey}`,
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ prompt }),
  })
  return { status: statusCode, body: await body.text(), isReplay: headers['idempotent-replayed'] === 'true' }
}

const filesIn = (folder: string): Files =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.endsWith('.lock') && !name.endsWith('-shm') && statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name))]),
  )
