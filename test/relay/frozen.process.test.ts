import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { origin } from '../../testkit/gateway/gateway.ts'
import { startGatewayProcess } from '../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { behaves, startUpstream } from '../../testkit/providers/upstream.ts'
import { engines, migratedDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../testkit/store/rig.ts'

const timeoutMs = 1000
const calls = 10

describe.each(engines)('a process that is frozen while providers respond, on %s', (engine) => {
  it('a process that is frozen while providers respond settles every call whose response came in time', async () => {
    const database = await migratedDatabase(engine)
    onTestFinished(database.remove)
    const upstream = await startUpstream(behaves.hang())
    onTestFinished(upstream.close)
    const provider = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'fast' }, timeoutMs }
    const configFile = join(database.dataDir, 'config.json')
    await writeFile(configFile, JSON.stringify({ models: { providers: { model_provider_a: provider } } }))
    const port = await freePort()
    const gateway = await startGatewayProcess({
      port,
      environment: {
        GATEWAY_ORIGIN: origin,
        GATEWAY_DATA_DIR: database.dataDir,
        DATABASE_URL: database.databaseUrl,
        GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more',
        GATEWAY_CONFIG: configFile,
      },
    })
    onTestFinished(gateway.kill)
    const store = await openDatabase(database, { exclusive: false })
    onTestFinished(() => store.close())
    const rig = createRig(store)
    const customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 100)

    // The last request to arrive freezes the gateway; then all get their response.
    const wires: (() => void)[] = []
    const completion = { choices: [{ message: { content: 'an answer' } }] }
    const { promise: answered, resolve: markAnswered } = Promise.withResolvers<void>()
    upstream.program((wire, call) => {
      wires.push(() => behaves.respond(200, completion)(wire, call))
      if (wires.length < calls) return
      gateway.pause()
      for (const respond of wires) respond()
      markAnswered()
    })
    const chat = async (_: unknown, place: number) => {
      const response = await request(`http://127.0.0.1:${port}/v1/models/chat`, {
        method: 'POST',
        headers: {
          host: 'localhost:8787',
          'content-type': 'application/json',
          authorization: `Bearer ${customer.apiKey}`,
          'idempotency-key': `call ${place}`,
        },
        body: JSON.stringify({ prompt: 'hello' }),
      })
      await response.body.dump()
      return response.statusCode
    }
    const responses = Promise.all(Array.from({ length: calls }, chat))
    await answered
    // The calls' timeout must pass while the process is frozen: this is the test, not a wait for a condition.
    await delay(timeoutMs * 1.5)
    gateway.resume()
    expect(await responses).toEqual(Array(calls).fill(200))
    expect(await rig.stores.creditsOf(customer.projectId)).toEqual({ available: 100 - 3 * calls, reserved: 0 })
    expect(await gateway.terminate()).toBe(0)
  })
})
