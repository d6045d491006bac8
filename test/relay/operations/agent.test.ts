import { describe, expect, it } from 'vitest'
import type { AgentArguments } from '../../../src/contract/schemas/business.ts'
import { httpShopping, resultOf, startOperations } from '../../../testkit/providers/operations.ts'
import { providerNames } from '../../../testkit/providers/provider-names.ts'
import { behaves, startUpstream } from '../../../testkit/providers/upstream.ts'

const [a, b] = providerNames.shops as [string, string, string]
const itemRefs = [
  { provider: a, productId: 'a-1001' },
  { provider: b, productId: 'b-2044' },
]
const run = (args: AgentArguments) => ({ tool: 'pick.assist' as const, arguments: args })

describe('agent.run', () => {
  it.each([
    { operation: 'search', payload: { query: '保温杯', limit: 2 } },
    { operation: 'filter', payload: { itemRefs, criteria: { maxPriceCents: 4000 } } },
    { operation: 'compare', payload: { itemRefs } },
    { operation: 'recommend', payload: { itemRefs, preferences: { priority: 'price' } } },
    { operation: 'prepurchase_review', payload: { itemRef: itemRefs[0]!, requirements: ['304'] } },
  ] satisfies AgentArguments[])('$operation returns what the pick operation returns', async (args) => {
    await using gateway = startOperations()
    await gateway.perform('pick.search', { query: '保温杯' })
    const own = resultOf(await gateway.perform(`pick.${args.operation}`, args.payload as never))
    const { data, usage } = resultOf(await gateway.perform('agent.run', run(args)))
    expect(data).toEqual({ tool: 'pick.assist', result: { operation: args.operation, result: own.data } })
    expect(usage).toEqual({ toolCalls: 1 })
  })

  it('a search of agent.run makes items readable afterwards', async () => {
    await using gateway = startOperations()
    const found = resultOf(
      await gateway.perform('agent.run', run({ operation: 'search', payload: { query: '保温杯' } })),
    )
    expect(found.snapshots).toHaveLength(3)
    expect((await gateway.perform('pick.compare', { itemRefs })).kind).toBe('confirmed')
  })

  it('agent.run returns the failure of the wrapped operation', async () => {
    await using shop = await startUpstream(behaves.redirect(302, '/'), behaves.reset())
    await using gateway = startOperations({ shopping: httpShopping([shop.url, null, null]) })
    const search = run({ operation: 'search', payload: { query: 'x' } })
    expect(await gateway.perform('agent.run', search)).toMatchObject({
      code: 'PROVIDER_REDIRECT_FORBIDDEN',
      sent: true,
    })
    expect(await gateway.perform('agent.run', search)).toMatchObject({ kind: 'uncertain' })
  })

  it('agent.run lets recovery know whether the wrapped operation leaves the process', async () => {
    await using gateway = startOperations({ shopping: httpShopping(['http://127.0.0.1:9', null, null]) })
    const { prepare } = gateway.operations['agent.run']
    expect(prepare(run({ operation: 'search', payload: { query: 'x' } })).leavesProcess).toBe(true)
    expect(prepare(run({ operation: 'compare', payload: { itemRefs } })).leavesProcess).toBe(false)
  })
})

describe('an exception of our own', () => {
  const broken = { find: () => Promise.reject(new Error('store with a secret is down')) }

  it('an exception of our own before sending is a release, is reported, and reveals nothing to the caller', async () => {
    await using gateway = startOperations({ snapshots: broken })
    for (const operation of ['pick.filter', 'pick.links'] as const)
      expect(await gateway.perform(operation, { itemRefs: [itemRefs[0]!] })).toEqual({
        kind: 'refused',
        code: 'ADAPTER_FAILURE',
        sent: false,
      })
    expect(gateway.faults).toHaveLength(2)
  })

  it('an exception of our own after sending is uncertain', async () => {
    const item = {
      productId: 'x',
      title: 't',
      priceCents: 1,
      currency: 'CNY',
      availability: 'unknown',
      highlights: [],
      reason: 'r',
    }
    await using shop = await startUpstream(behaves.respond(200, { items: [item] }))
    const shopping = httpShopping([shop.url, null, null])
    // The clock is read when the result is cached, after the shop has responded.
    await using gateway = startOperations({ shopping })
    Object.defineProperty(gateway.time, 'now', {
      get: () => {
        throw new Error('no time')
      },
    })
    expect(await gateway.perform('pick.search', { query: 'x' })).toEqual({
      kind: 'uncertain',
      reason: 'ADAPTER_FAILED_AFTER_SENDING',
      sent: true,
    })
    expect(gateway.faults).toHaveLength(1)
  })
})
