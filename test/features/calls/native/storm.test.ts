import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider, linkHost } from '../../../../testkit/providers/good-provider.ts'
import { startUpstream } from '../../../../testkit/providers/upstream.ts'
import { type EngineName, isFullMatrix, migratedDatabase, openDatabase } from '../../../../testkit/store/engines.ts'
import { moodyProvider, storm } from '../../../../testkit/storms/storm.ts'

/** For longer runs: STORM_ENGINES=sqlite,postgres STORM_CALLS=50000 STORM_SEED=7 npx vitest run test/features/calls/native/storm.test.ts */
const engines = (process.env.STORM_ENGINES ?? 'sqlite').split(',') as EngineName[]
const calls = Number(process.env.STORM_CALLS ?? (isFullMatrix ? 3000 : 1000))
const seed = Number(process.env.STORM_SEED ?? 20_260_903)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What a storm must have met to prove anything. Full capacity and open circuits depend on the machine's speed. */
const weather = [
  '200',
  '202',
  '400 INVALID_JSON',
  '402 INSUFFICIENT_PAID_CREDITS',
  '409 IDEMPOTENCY_CONFLICT',
  '409 PROVIDER_CAPABILITY_UNSUPPORTED',
  '502 PROVIDER_CONTRACT_INVALID',
  '502 PROVIDER_REQUEST_REJECTED',
  '503 PROVIDER_RATE_LIMITED',
  '503 PROVIDER_UNAVAILABLE',
]

const richFen = 1_000_000
const poorFen = 3000

describe.each(engines)('a storm on %s', (engine) => {
  it(`a storm of ${calls} calls leaves exact books, gets only responses of the contract, and leaks nothing`, {
    timeout: 600_000,
  }, async () => {
    const before = activeResources()
    const rejections: unknown[] = []
    const onRejection = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', onRejection)

    const database = await migratedDatabase(engine)
    const upstream = await startUpstream(moodyProvider(seed))
    const gateway = await startGateway({ database, file: config(upstream.url) })
    const customers = [
      await PayingCustomer.join(gateway, { amountFen: richFen }),
      await PayingCustomer.join(gateway, { amountFen: richFen }),
      // Runs out of credits on the way.
      await PayingCustomer.join(gateway, { amountFen: poorFen }),
    ]
    const heap: number[] = []
    const outcome = await storm({
      gateway,
      customers,
      calls,
      concurrency: 100,
      seed,
      onCall: (made) => {
        // The log of this test gateway is kept in memory.
        if (made % 100 === 0) gateway.log.length = 0
        if (made === Math.ceil(calls / 2)) heap.push(usedHeap())
      },
    })
    heap.push(usedHeap())
    upstream.program(goodProvider)
    await outcome.findOut()
    expect(Object.keys(outcome.responses)).toEqual(expect.arrayContaining(weather))
    expect(outcome.replays).toBeGreaterThan(calls / 50)

    expect(outcome.faults).toEqual([])
    for (const [place, customer] of customers.entries()) {
      const recharged = (place === 2 ? poorFen : richFen) / 10
      expect(await customer.credits()).toEqual(outcome.expectedCredits(customer, recharged))
    }
    expect((await gateway.operator('/metrics')).text).toMatch(/^gateway_charges_held 0$/m)
    await gateway.stop()
    await upstream.close()

    const store = await openDatabase(database)
    expect(await reconcile(store)).toMatchObject({ isSound: true, differences: [] })
    expect(await store.read((tx) => tx.all("SELECT charge_id FROM charges WHERE state = 'reserved'"))).toEqual([])
    await store.close()
    await database.remove()

    expect(heap[1]! - heap[0]!).toBeLessThan(16_000_000)
    expect(rejections).toEqual([])
    process.off('unhandledRejection', onRejection)
    await untilGone(before)
    expect(leftSince(before)).toEqual([])
  })
})

function config(url: string): object {
  const upstream = { baseUrl: url, timeoutMs: 600, maxConcurrent: 5 }
  const model = {
    adapter: 'openai',
    models: { fast: 'upstream-fast' },
    ...upstream,
    breaker: { failures: 2, coolSeconds: 1 },
  }
  const shop = { ...upstream, linkHosts: [linkHost] }
  return {
    models: { providers: { model_provider_a: model, model_provider_b: model } },
    shopping: {
      mode: 'pick-http',
      providers: { shop_provider_a: shop, shop_provider_b: shop, shop_provider_c: shop },
    },
    limits: { callsPerKey: { max: 1_000_000, windowSeconds: 60 } },
  }
}

function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Sockets, timers, workers and whatever else keeps the process alive, counted by kind. */
function activeResources(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo().sort()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const leftSince = (before: Record<string, number>) =>
  Object.entries(activeResources()).filter(([kind, count]) => count > (before[kind] ?? 0))

/** Closing takes a few turns of the event loop. */
async function untilGone(before: Record<string, number>): Promise<void> {
  for (let waitedMs = 0; leftSince(before).length > 0 && waitedMs < 5000; waitedMs += 20) await delay(20)
}
