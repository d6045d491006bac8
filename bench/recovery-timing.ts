import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'undici'
import { startGatewayProcess } from '../testkit/gateway/gateway-process.ts'
import { freePort } from '../testkit/http/free-port.ts'
import { startPostgres } from '../testkit/store/postgres-server.ts'
import { rankTest } from './rank-test.ts'
import { median } from './statistics.ts'

/** Whether the time of `recovery/send-code` reveals whether there is an account. Known and unknown phones come in random order. */
const samples = 200
const warmUp = 25
/** With this chance the test finds a difference where there is none. */
const level = 0.01
const pauseMs = 100
let isSound = true

interface Site {
  readonly client: Client
  readonly origin: string
  readonly dataDir: string
}

async function post({ client, origin }: Site, path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await client.request({
    method: 'POST',
    path,
    headers: { origin, host: new URL(origin).host, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.statusCode, text: await response.body.text() }
}

async function register(site: Site, phone: string): Promise<void> {
  const { text } = await post(site, '/v1/auth/send-code', { phone })
  const { challengeId } = JSON.parse(text)
  const outbox = (await readFile(join(site.dataDir, 'sms-outbox.jsonl'), 'utf8')).trimEnd().split('\n')
  const message = outbox.map((line) => JSON.parse(line)).findLast((line) => line.challengeId === challengeId)
  const account = { recoveryEmail: 'li@example.com', password: 'correct horse battery staple' }
  const body = { phone, challengeId, verificationCode: message.code, ...account }
  const { status } = await post(site, '/v1/auth/register', body)
  if (status !== 201) throw new Error(`registration got ${status}`)
}

async function timeOf(site: Site, identifier: string): Promise<number> {
  const startedAt = performance.now()
  const { status, text } = await post(site, '/v1/auth/recovery/send-code', { identifier })
  const tookMs = performance.now() - startedAt
  if (status !== 202) throw new Error(`send-code got ${status}: ${text}`)
  // The worker delivers the message now; it must not slow the next sample.
  await delay(pauseMs)
  return tookMs
}

async function measure(site: Site): Promise<{ known: number[]; unknown: number[] }> {
  const count = samples + warmUp
  const phones = (first: number) => Array.from({ length: count }, (_, i) => String(first + i))
  const [registered, strangers] = [phones(13_800_000_000), phones(13_900_000_000)]
  for (const phone of registered) await register(site, phone)
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < count; i += 1) {
    const isKnownFirst = Math.random() < 0.5
    for (const isKnown of [isKnownFirst, !isKnownFirst]) {
      const tookMs = await timeOf(site, (isKnown ? registered : strangers)[i]!)
      if (i >= warmUp) (isKnown ? known : unknown).push(tookMs)
    }
  }
  return { known, unknown }
}

async function run(engine: string, databaseUrl: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-recovery-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const many = { max: 100_000, windowSeconds: 600 }
  const configFile = join(dataDir, 'config.json')
  const perRequester = { sendCodePerRequester: many, registerPerRequester: many, recoveryPerRequester: many }
  const limits = { ...perRequester, codesPerHour: 1_000_000 }
  await writeFile(configFile, JSON.stringify({ limits }))
  const environment = {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    GATEWAY_CONFIG: configFile,
  }
  const gateway = await startGatewayProcess({ environment, port })
  const client = new Client(`http://127.0.0.1:${port}`)
  const { known, unknown } = await measure({ client, origin, dataDir })
  await client.close()
  await gateway.terminate()
  await rm(dataDir, { recursive: true, force: true })
  const p = rankTest(known, unknown)
  const figures = { samples, knownMs: median(known).toFixed(3), unknownMs: median(unknown).toFixed(3) }
  console.log(engine, JSON.stringify({ ...figures, p: Number(p.toFixed(4)) }))
  isSound &&= p >= level
}

await run('SQLite', 'sqlite:')
const server = await startPostgres({ fsync: true })
await run('PostgreSQL', server.url)
await server.remove()
process.exit(isSound ? 0 : 1)
