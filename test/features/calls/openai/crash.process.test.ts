import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { origin, startGateway, testSecret } from '../../../../testkit/gateway/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../../../../testkit/gateway/gateway-process.ts'
import { askAndLeave, type OpenStream, openStreamAt } from '../../../../testkit/gateway/openai-caller.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { freePort } from '../../../../testkit/http/free-port.ts'
import { goodContent, goodEvents, goodStream, steppedStream, streams } from '../../../../testkit/providers/streams.ts'
import { startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { type Database, engines, migratedDatabase, openDatabase } from '../../../../testkit/store/engines.ts'

describe.each(engines)('a gateway killed within a stream on %s', (engine) => {
  let database: Database
  let upstream: Upstream
  let apiKey: string
  let gateway: GatewayProcess

  async function start(): Promise<void> {
    gateway = await startGatewayProcess({
      port: await freePort(),
      environment: {
        GATEWAY_ORIGIN: origin,
        GATEWAY_DATA_DIR: database.dataDir,
        DATABASE_URL: database.databaseUrl,
        GATEWAY_SECRET: testSecret,
        GATEWAY_CONFIG: join(database.dataDir, 'config.json'),
      },
    })
  }

  beforeAll(async () => {
    database = await migratedDatabase(engine)
    upstream = await startUpstream()
    const model = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-fast' } }
    const file = { models: { providers: { model_provider_b: model } } }
    const first = await startGateway({ database, file })
    apiKey = (await PayingCustomer.join(first)).apiKey
    await first.stop()
    await writeFile(join(database.dataDir, 'config.json'), JSON.stringify(file))
    await start()
  }, 60_000)
  afterAll(async () => {
    await gateway.terminate()
    const store = await openDatabase(database)
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
    await upstream.close()
    await database.remove()
  }, 60_000)

  const bodyOf = (prompt: string) => ({ model: 'fast', messages: [{ role: 'user', content: prompt }] })
  const ask = (prompt: string, headers: Record<string, string> = {}): Promise<OpenStream> =>
    openStreamAt(gateway.port, apiKey, bodyOf(prompt), headers)

  /** What `openai` sends after its connection broke. */
  const repeat = (prompt: string) => ask(prompt, { 'x-stainless-retry-count': '1' })

  it('at any part asks the provider once, and a repeat finds the call in review', { timeout: 120_000 }, async () => {
    const calls = upstream.calls.length
    // The fourth part is the end: the usage that may follow it is still waited for, so the charge is not settled yet.
    const prompts = ['no part', 'one part', 'two parts', 'three parts', 'all parts']
    const openings: Promise<OpenStream | null>[] = []
    for (const [place, prompt] of prompts.entries()) {
      const stepped = steppedStream()
      upstream.program(stepped.behaviour)
      const opening = ask(prompt).catch(() => null)
      openings.push(opening)
      await stepped.started
      if (place === 0) continue
      stepped.send(goodEvents.slice(0, place).join(''))
      await (await opening)?.until('data: ')
    }
    await gateway.kill()
    await Promise.all(openings)
    await start()
    // On PostgreSQL the lease of the killed instance has to expire first.
    await noneReserved()
    for (const prompt of prompts) {
      const found = await repeat(prompt)
      expect(found.status).toBe(403)
      expect(await found.rest()).toContain('MANUAL_REVIEW')
    }
    expect(upstream.calls.length).toBe(calls + prompts.length)
  })

  it('after the end answers a repeat from its store', { timeout: 120_000 }, async () => {
    const calls = upstream.calls.length
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const opening = ask('after the end')
    await stepped.started
    stepped.send(goodEvents[0]!)
    const stream = await opening
    await stream.leave()
    stepped.send(goodEvents.slice(1).join(''))
    stepped.finish()
    const store = await openDatabase(database, { exclusive: false })
    const states = () => store.read((tx) => tx.all("SELECT charge_id FROM charges WHERE state = 'settled'"))
    await expect.poll(states, { timeout: 20_000 }).toHaveLength(1)
    await store.close()
    await gateway.kill()
    await start()
    const found = await repeat('after the end')
    expect(found.status).toBe(200)
    expect(found.headers['x-charge-id']).toBe(stream.headers['x-charge-id'])
    expect(await found.rest()).toContain(JSON.stringify(goodContent).slice(1, -1))
    expect(upstream.calls.length).toBe(calls + 1)
  })

  it('stopped for a while takes a call and its repeat for one', { timeout: 120_000 }, async () => {
    const calls = upstream.calls.length
    upstream.program(streams(goodStream))
    gateway.pause()
    await askAndLeave(gateway.port, apiKey, bodyOf('stopped'))
    const second = repeat('stopped')
    gateway.resume()
    expect((await second).status).toBe(200)
    expect(await (await second).rest()).toContain('[DONE]')
    expect(upstream.calls.length).toBe(calls + 1)
  })

  async function noneReserved(): Promise<void> {
    const store = await openDatabase(database, { exclusive: false })
    const reserved = () => store.read((tx) => tx.all("SELECT charge_id FROM charges WHERE state = 'reserved'"))
    await expect.poll(reserved, { timeout: 60_000, interval: 100 }).toEqual([])
    await store.close()
  }
})
