import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { goodProvider } from '../../../../testkit/providers/good-provider.ts'
import { type Behaviour, behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'

const maxConcurrent = 4

describe('a provider that several projects share', () => {
  let upstream: Upstream
  let gateway: Gateway
  let greedy: PayingCustomer
  let modest: PayingCustomer
  /** Responds to the pending calls, oldest first. */
  let waiting: (() => void)[]
  const hang: Behaviour = (wire, call) => void waiting.push(() => goodProvider(wire, call))

  beforeEach(async () => {
    waiting = []
    upstream = await startUpstream()
    const model = {
      adapter: 'openai',
      baseUrl: upstream.url,
      models: { fast: 'upstream-fast' },
      maxConcurrent,
      breaker: { failures: 2, coolSeconds: 3600 },
    }
    const shop = { baseUrl: upstream.url, maxConcurrent }
    gateway = await startGateway({
      file: {
        models: { providers: { model_provider_a: model } },
        shopping: { mode: 'pick-http', cacheSeconds: 0, providers: { shop_provider_a: shop } },
      },
    })
    greedy = await PayingCustomer.join(gateway)
    modest = await PayingCustomer.join(gateway)
  })
  afterEach(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const requests = {
    'model.chat': { prompt: '你好' },
    'shopping.search': { query: '杯' },
  } as const
  const exhausted = { status: 503, body: { error: { code: 'PROVIDER_CAPACITY_EXHAUSTED' } } }

  it.each(Object.keys(requests) as (keyof typeof requests)[])(
    'a provider that several projects share lets one project take every slot for %s, and only half as soon as another calls',
    async (operation) => {
      const call = (customer: PayingCustomer) => customer.call(operation, requests[operation])
      upstream.program(hang)
      const taken = Array.from({ length: maxConcurrent }, () => call(greedy))
      await upstream.received(maxConcurrent)
      expect(await call(modest)).toMatchObject(exhausted)

      // A project with more than half of the places does not get the next free one.
      waiting.shift()!()
      expect(await Promise.race(taken)).toMatchObject({ status: 200 })
      expect(await call(greedy)).toMatchObject(exhausted)
      upstream.program(goodProvider)
      expect(await call(modest)).toMatchObject({ status: 200 })

      for (const respond of waiting) respond()
      expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(await call(greedy)).toMatchObject({ status: 200 })
    },
  )

  it("a provider that several projects share does not open its circuit for all because of one project's failures", async () => {
    const call = (customer: PayingCustomer) => customer.call('model.chat', requests['model.chat'])
    const open = { status: 503, body: { error: { code: 'PROVIDER_CIRCUIT_OPEN' } } }
    upstream.program(behaves.respond(500))
    for (let time = 0; time < 2; time += 1) {
      expect(await call(greedy)).toMatchObject({ status: 503, body: { error: { code: 'PROVIDER_UNAVAILABLE' } } })
    }
    expect(await call(greedy)).toMatchObject(open)
    upstream.program(goodProvider)
    expect(await call(modest)).toMatchObject({ status: 200 })
    // Any response proves that the provider is up.
    expect(await call(greedy)).toMatchObject({ status: 200 })
  })
})
