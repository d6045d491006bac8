import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { origin, testSecret } from '../../testkit/gateway/gateway.ts'
import { startGatewayProcess } from '../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { goodProvider } from '../../testkit/providers/good-provider.ts'
import { startUpstream } from '../../testkit/providers/upstream.ts'
import { migratedDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../testkit/store/rig.ts'

/** The goal is 50. */
const most = 64
const rounds = 10
/** The main one and SQLite's. */
const threads = 2
const source = fileURLToPath(new URL('../../src/', import.meta.url))
const recorder = new URL('../../testkit/gateway/record-calls.ts', import.meta.url).href

test(`a paid call runs functions of at most ${most} files`, async () => {
  const database = await migratedDatabase('sqlite')
  onTestFinished(() => database.remove())
  const upstream = await startUpstream(goodProvider)
  onTestFinished(() => upstream.close())
  const store = await openDatabase(database)
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  await store.close()

  const [configFile, recorded] = [join(database.dataDir, 'config.json'), join(database.dataDir, 'recorded')]
  const model = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' } }
  await writeFile(configFile, JSON.stringify({ models: { providers: { model_provider_a: model } } }))
  await writeFile(recorded, '')
  const environment = {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    GATEWAY_CONFIG: configFile,
    GATEWAY_SECRET: testSecret,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=${recorder}`,
    RECORDED_FILES: recorded,
  }
  const port = await freePort()
  const gateway = await startGatewayProcess({ environment, port })
  onTestFinished(() => gateway.kill())

  const call = async (name: string) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/v1/models/chat`, {
      method: 'POST',
      headers: {
        host: new URL(origin).host,
        'content-type': 'application/json',
        authorization: `Bearer ${customer.apiKey}`,
        'idempotency-key': name,
      },
      body: JSON.stringify({ prompt: 'hello' }),
    })
    expect([statusCode, await body.json()]).toMatchObject([200, { status: 'settled' }])
  }
  /** The files that each thread has used since the last time. */
  const lines = () => readFileSync(recorded, 'utf8').split('\n').slice(0, -1)
  const take = async (): Promise<string[]> => {
    const before = lines().length
    process.kill(gateway.pid, 'SIGUSR2')
    await expect.poll(() => lines().length, { interval: 20 }).toBe(before + threads)
    return lines()
      .slice(before)
      .flatMap((line) => JSON.parse(line) as string[])
  }

  for (let round = 0; round < 3; round += 1) await call(`warm up ${round}`)
  await take()
  const seen: Set<string>[] = []
  for (let round = 0; round < rounds; round += 1) {
    await call(`call ${round}`)
    seen.push(new Set(await take()))
  }
  // Timers run between the calls; what only some of the rounds ran is not part of a call.
  const files = [...seen[0]!].filter((url) => seen.every((round) => round.has(url)))
  const names = files.map((url) => fileURLToPath(url).replace(source, '')).sort()
  expect(names).toContain('relay/relay.ts')
  expect(names.length, `\n${names.join('\n')}\n`).toBeLessThanOrEqual(most)
})
