import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { type EngineName, isFullMatrix, openDatabase } from '../../testkit/store/engines.ts'
import { eventDifferences } from '../../testkit/store/event-differences.ts'

const fleets: readonly { readonly engine: EngineName; readonly instances: number }[] = [
  { engine: 'sqlite', instances: 1 },
  ...(isFullMatrix ? [{ engine: 'postgres', instances: 1 } as const] : []),
  { engine: 'postgres', instances: 3 },
]

describe.each(fleets)('$instances instance(s) on $engine', ({ engine, instances }) => {
  const fleet: Gateway[] = []
  const any = (i: number) => fleet[i % fleet.length]!
  let payer: Browser
  let apiKey: string

  beforeAll(async () => {
    const first = await startGateway({ engine })
    fleet.push(first)
    while (fleet.length < instances) fleet.push(await startGateway({ database: first.database }))
    payer = new Browser(first)
  })
  afterAll(async () => {
    for (const gateway of fleet.reverse()) await gateway.stop()
  })

  const newPayer = async (credits: number) => {
    payer = new Browser(fleet[0]!)
    await payer.register()
    if (credits > 0) await payer.recharge(credits * 10)
    apiKey = (await payer.createKey(['models:invoke'])).apiKey
  }
  const call = (i: number, key: string, prompt = 'hello') => any(i).call(apiKey, '/v1/models/chat', key, { prompt })
  const credits = async () => (await payer.get('/v1/me')).body.credits
  /** How often each type of event was raised. */
  const eventCounts = async (): Promise<Record<string, number>> => {
    const { items } = (await payer.get('/v1/console/events?limit=100')).body
    return Object.fromEntries(
      Object.entries(Object.groupBy(items, ({ type }: { type: string }) => type)).map(([type, list]) => [
        type,
        list!.length,
      ]),
    )
  }

  it('500 concurrent calls with credits for exactly 100 settle exactly 100', async () => {
    await newPayer(300)
    const responses = await Promise.all(Array.from({ length: 500 }, (_, i) => call(i, `call ${i}`)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(100)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['INSUFFICIENT_PAID_CREDITS']))
    expect(await credits()).toEqual({ available: 0, reserved: 0 })
    await payer.recharge(100)
    const once = { 'key.created': 1, 'credits.low': 1, 'credits.empty': 1 }
    expect(await eventCounts()).toEqual({ ...once, 'order.credited': 2 })
    expect((await call(0, `call ${responses.findIndex(({ status }) => status === 402)}`)).status).toBe(200)
    const further = await Promise.all(Array.from({ length: 50 }, (_, i) => call(i, `further ${i}`)))
    expect(further.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await eventCounts()).toEqual({ ...once, 'order.credited': 2, 'credits.empty': 2 })
  })

  it('200 duplicates of one call are charged once and get the same bytes', async () => {
    await newPayer(300)
    const responses = await Promise.all(Array.from({ length: 200 }, (_, i) => call(i, 'the same')))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]!.status).toBe(200)
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] !== 'true')).toHaveLength(1)
    expect(await credits()).toEqual({ available: 297, reserved: 0 })
  })

  it('100 different requests with one key: one is charged, the rest conflict', async () => {
    await newPayer(300)
    const responses = await Promise.all(Array.from({ length: 100 }, (_, i) => call(i, 'one key', `prompt ${i}`)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ body }) => body.error?.code === 'IDEMPOTENCY_CONFLICT')).toHaveLength(99)
    expect(await credits()).toEqual({ available: 297, reserved: 0 })
  })

  it('100 confirmations of one order credit once', async () => {
    await newPayer(0)
    const order = await payer.post('/v1/orders', { amountFen: 1000 }, { 'idempotency-key': 'order' })
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const elsewhere = Object.assign(new Browser(any(i)), { cookie: payer.cookie, csrfToken: payer.csrfToken })
        return elsewhere.post(`/v1/orders/${order.body.orderId}/confirm`, {})
      }),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(responses.filter(({ status }) => status !== 200).map(({ status }) => status))).toEqual(
      new Set([409]),
    )
    expect(await credits()).toEqual({ available: 100, reserved: 0 })
  })

  it('no call is served after a concurrent revocation has returned, and the books agree', async () => {
    await newPayer(3000)
    const { keyId } = (await payer.get('/v1/keys')).body.items[0]
    const racing = Array.from({ length: 150 }, (_, i) => call(i, `race ${i}`))
    await payer.post(`/v1/keys/${keyId}/revoke`, {})
    const after = await Promise.all(Array.from({ length: 30 }, (_, i) => call(i, `after ${i}`)))
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
    const served = (await Promise.all(racing)).filter(({ status }) => status === 200).length
    expect(await credits()).toEqual({ available: 3000 - 3 * served, reserved: 0 })
  })

  it('1000 racing calls of a rotation chain never pass its budget by one credit', async () => {
    await newPayer(3000)
    const settings = { name: 'limited', scopes: ['models:invoke'], budget: { credits: 100, per: 'total' } }
    const first = await payer.post('/v1/console/keys', settings, { 'idempotency-key': 'limited' })
    const { keyId } = first.body
    const rotate = { graceSeconds: 604_800 }
    const second = await payer.post(`/v1/console/keys/${keyId}/rotate`, rotate, { 'idempotency-key': 'next' })
    const chain = [first.body.apiKey, second.body.apiKey]
    const responses = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        any(i).call(chain[(i >> 2) % 2], '/v1/models/chat', `budget ${i}`, { prompt: 'hello' }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(33)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.message}`))).toEqual(
      new Set([
        '402 The budget of this API key (100 credits in total) does not cover the price; nothing was forwarded.',
      ]),
    )
    expect(await credits()).toEqual({ available: 3000 - 99, reserved: 0 })
    expect(await eventCounts()).toMatchObject({ 'key.budget_reached': 1 })
    const { items } = (await payer.get('/v1/console/keys')).body
    expect(items.filter((key: { budget: object | null }) => key.budget)).toMatchObject([
      { budgetSpent: 99 },
      { budgetSpent: 99 },
    ])
  })

  it('the books reconcile and the events agree with them after all races', async () => {
    const store = await openDatabase(fleet[0]!.database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    expect(await eventDifferences(store)).toEqual([])
    await store.close()
  })
})
