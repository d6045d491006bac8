import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { createHealth } from '../../src/ops/health.ts'
import { migrate } from '../../src/storage/schema/migrate.ts'
import { migrations } from '../../src/storage/schema/migrations.ts'
import { sqliteDialect } from '../../src/storage/sqlite/faults.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { behaves, startUpstream } from '../../testkit/providers/upstream.ts'
import { movement } from '../../testkit/store/commands.ts'
import { migratedDatabase, openDatabase, type Store, silent } from '../../testkit/store/engines.ts'
import type { procedures as faulty } from '../../testkit/store/faulty-procedures.ts'
import { startPostgresProxy } from '../../testkit/store/postgres-proxy.ts'
import {
  addCredits,
  type ChatOutcome,
  chatCall,
  chatResult,
  createCustomer,
  createRig,
  createTestRelay,
  testOperations,
} from '../../testkit/store/rig.ts'

/** Waits for something that happens at an unknown time. */
async function eventually<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const value = await ask()
    if (isRight(value) || tries === 400) return value
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

describe('the embedded store', () => {
  let dataDir: string
  let engine: Awaited<ReturnType<typeof openSqlite<typeof faulty>>>
  let other: DatabaseSync | undefined
  const otherProcess = () => {
    other = new DatabaseSync(join(dataDir, 'gateway.sqlite'))
    return other
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-faults-'))
    const procedures = new URL('../../testkit/store/faulty-procedures.ts', import.meta.url)
    engine = await openSqlite<typeof faulty>({
      file: join(dataDir, 'gateway.sqlite'),
      exclusive: true,
      logger: silent,
      procedures,
      restartDelaysMs: [5, 20],
      // Shorter than the check of the health may take.
      busyTimeoutMs: 200,
    })
    await migrate(engine, { dialect: sqliteDialect, migrations, now: Date.now })
  })
  afterEach(async () => {
    if (other?.isOpen) other.close()
    await engine.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const faults = {
    'takes no writes': {
      strike: async () => otherProcess().exec('BEGIN IMMEDIATE'),
      heal: async () => other!.exec('ROLLBACK'),
    },
    'has no room left': {
      strike: async () => {
        const { page_count } = (await engine.call('pragma', 'page_count')) as { page_count: number }
        await engine.call('pragma', `max_page_count = ${page_count}`)
      },
      heal: () => engine.call('pragma', 'max_page_count = 1000000'),
    },
    'loses its worker': {
      strike: () => engine.call('putThenDie', 'x').catch(() => {}),
      heal: async () => {},
    },
  }

  it.each(Object.keys(faults) as (keyof typeof faults)[])(
    '%s while a call is under way: the caller gets an error, and the outcome is recorded later',
    async (fault) => {
      const rig = createRig(engine as unknown as Store)
      const customer = await createCustomer(rig)
      await addCredits(rig, customer.projectId, 100)
      const { promise: outcome, resolve: finish } = Promise.withResolvers<ChatOutcome>()
      const { promise: forwarded, resolve: markForwarded } = Promise.withResolvers<void>()
      const relay = createTestRelay(
        rig,
        testOperations(() => {
          markForwarded()
          return outcome
        }),
      )
      const call = chatCall(customer, 'key', 'prompt')
      const response = relay.run(call)
      const verdict = response.then(
        () => 'answered',
        (error) => error.name as string,
      )
      await forwarded
      await faults[fault].strike()
      // Long enough to need a new page, as a full disk would refuse it.
      finish(chatResult('an answer '.repeat(1000)))
      const result = await verdict
      if (fault !== 'loses its worker') expect(result).toBe('StoreUnavailable')
      await faults[fault].heal()

      const replayed = await eventually(
        () => relay.run(call).catch((error) => error),
        (value) => value.status === 200,
      )
      expect(replayed).toMatchObject({ status: 200, isReplay: true })
      expect(await rig.stores.creditsOf(customer.projectId)).toEqual({ available: 97, reserved: 0 })
      expect((await reconcile(engine)).differences).toEqual([])
      await relay.close()
    },
  )

  it('the embedded store is not ready while it accepts no writes, and recovers automatically', async () => {
    const health = createHealth({
      checkStore: (options) => engine.check(options),
      checkDescriptors: async () => {},
      isLeaseHeld: () => true,
      isRecovered: () => true,
    })
    expect(await health.problems()).toEqual([])
    await faults['takes no writes'].strike()
    expect(await health.problems()).toEqual(['the store cannot be written to'])
    await faults['takes no writes'].heal()
    expect(await health.problems()).toEqual([])
  })

  it('the embedded store has no room left: not ready from the failed commits on, although small writes succeed, and ready again without a restart', async () => {
    const rig = createRig(engine as unknown as Store)
    const customer = await createCustomer(rig)
    const health = createHealth({
      checkStore: (options) => engine.check(options),
      checkDescriptors: async () => {},
      isLeaseHeld: () => true,
      isRecovered: () => true,
      commits: rig.ledger,
    })
    expect(await health.problems()).toEqual([])
    await faults['has no room left'].strike()
    const grant = () => rig.ledger.move(movement({ projectId: customer.projectId, reference: 'x'.repeat(100_000) }))
    for (let time = 0; time < 3; time += 1) await expect(grant()).rejects.toThrow('disk is full')
    await expect(engine.check()).resolves.toBeUndefined()
    for (let time = 0; time < 5; time += 1) expect(await health.problems()).toEqual(['the store cannot be written to'])
    await faults['has no room left'].heal()
    expect(await health.problems()).toEqual([])
    expect(await health.problems()).toEqual([])
  })
})

describe('PostgreSQL', () => {
  it('PostgreSQL goes down during settle: 500, not ready, and everything is recorded once it is back', async () => {
    const database = await migratedDatabase('postgres')
    const proxy = await startPostgresProxy(database.databaseUrl)
    const completion = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'an answer' }, finish_reason: 'stop' }],
    }
    const upstream = await startUpstream(behaves.hang())
    const file = {
      models: {
        providers: { model_provider_b: { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'fast' } } },
      },
    }
    const gateway = await startGateway({ database: { ...database, databaseUrl: proxy.url }, file })
    try {
      const payer = new Browser(gateway)
      await payer.register()
      await payer.recharge(1000)
      const { apiKey } = await payer.createKey(['models:invoke'])
      const call = () =>
        gateway.call(apiKey, '/v1/models/chat', 'key', { prompt: 'hello', provider: 'model_provider_b' })

      // The store goes down while the provider has the request, so the response cannot be recorded.
      upstream.program((wire, recorded) => {
        proxy.vanish()
        behaves.respond(200, completion)(wire, recorded)
      })
      expect(await call()).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } })
      expect(await gateway.operator('/readyz')).toMatchObject({ status: 503 })
      expect(await gateway.operator('/healthz')).toMatchObject({ status: 200 })
      const metrics = await gateway.operator('/metrics')
      expect(metrics).toMatchObject({ status: 200 })
      expect(metrics.text).toMatch(/^gateway_reviews_open Nan$/m)
      expect(metrics.text).toMatch(/^gateway_charges_held 1$/m)

      proxy.comeBack()
      const replayed = await eventually(call, ({ status }) => status === 200)
      expect(replayed.headers['idempotent-replayed']).toBe('true')
      expect(
        (
          await eventually(
            () => gateway.operator('/readyz'),
            ({ status }) => status === 200,
          )
        ).status,
      ).toBe(200)
      expect((await payer.get('/v1/me')).body.credits).toEqual({ available: 97, reserved: 0 })
      expect(upstream.calls).toHaveLength(1)
      const store = await openDatabase(database, { exclusive: false })
      expect((await reconcile(store)).differences).toEqual([])
      await store.close()
    } finally {
      await gateway.stop()
      proxy.close()
      await upstream.close()
      await database.remove()
    }
  })

  it('PostgreSQL that went silent does not hold up the stop', { timeout: 40_000 }, async () => {
    const database = await migratedDatabase('postgres')
    const proxy = await startPostgresProxy(database.databaseUrl)
    const gateway = await startGateway({ database: { ...database, databaseUrl: proxy.url } })
    proxy.goSilent()
    await gateway.stop()
    proxy.close()
    await database.remove()
  })
})
