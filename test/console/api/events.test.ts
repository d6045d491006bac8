import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventDays } from '../../../src/contract/choices.ts'
import { eventTypes } from '../../../src/contract/events.ts'
import { createEventStore } from '../../../src/features/notifications/events/store.ts'
import { AccountOwner } from '../../../testkit/gateway/account-owner.ts'
import { expectDone, expectRefused, look } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../testkit/store/engines.ts'

interface Shown {
  readonly id: string
  readonly type: string
  readonly at: string
  readonly projectId: string
  readonly data: Record<string, unknown>
}

describe.each(httpEngines)('events in the console on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let owner: AccountOwner
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
    owner = await AccountOwner.join(gateway)
  })
  afterAll(() => gateway.stop())

  const list = async (
    query = '',
    browser = owner.browser,
  ): Promise<{ items: Shown[]; unread: number; nextAfter: string }> => look(browser, 'console.events.list', query)
  const typesSince = async (mark: string | undefined) => {
    const { items } = await list('?limit=100')
    const end = items.findIndex(({ id }) => id === mark)
    return items.slice(0, end < 0 ? items.length : end).map(({ type }) => type)
  }

  test('credits, calls, keys, sign-ins and passwords cause events, newest first, without secrets', async () => {
    const { browser } = owner
    await browser.recharge(1100)
    const key = await browser.createKey(['models:invoke'])
    const named = { name: 'limited', scopes: ['models:invoke'], budget: { credits: 2, per: 'day' } }
    const limited = (await browser.post('/v1/console/keys', named, { 'idempotency-key': 'limited' })).body
    await browser.post('/v1/console/keys', named, { 'idempotency-key': 'limited' })
    const call = (apiKey: string, name: string) => gateway.call(apiKey, '/v1/models/chat', name, { prompt: 'hello' })
    expect((await call(limited.apiKey, 'over budget')).status).toBe(402)
    for (const name of ['1', '2', '3', '4']) expect((await call(key.apiKey, name)).status).toBe(200)
    const rotation = await browser.post(
      `/v1/console/keys/${limited.keyId}/rotate`,
      { graceSeconds: 60 },
      { 'idempotency-key': 'rotate' },
    )
    await browser.post(`/v1/keys/${key.keyId}/revoke`, {})
    await browser.post(`/v1/keys/${key.keyId}/revoke`, {})
    clock.advanceSeconds(60)
    expect((await owner.logIn(owner.phone)).status).toBe(200)
    const changed = { currentPassword: owner.password, newPassword: 'another horse battery staple' }
    expectDone('console.password.change', await owner.post('password', changed))

    const { items } = await list('?limit=100')
    expect(items.map(({ type }) => type).reverse()).toEqual([
      'order.credited',
      'key.created',
      'key.created',
      'key.budget_reached',
      'credits.low',
      'key.rotated',
      'key.revoked',
      'account.signed_in',
      'account.password_changed',
    ])
    const data = Object.fromEntries(items.map((event) => [event.type, event.data]))
    expect(data['credits.low']).toEqual({ available: 98, lowBalanceCredits: 100 })
    expect(data['key.rotated']).toMatchObject({ keyId: rotation.body.keyId, rotatedFromKeyId: limited.keyId })
    expect(data['key.revoked']).toMatchObject({ keyId: key.keyId, by: 'owner' })
    expect(data['account.signed_in']).toEqual({ isNewNetwork: false })
    const text = JSON.stringify(items)
    for (const secret of [key.apiKey, limited.apiKey, owner.phone, owner.email, '127.0.0']) {
      expect(text).not.toContain(secret)
    }
    expect(new Set(items.map(({ projectId }) => projectId)).size).toBe(1)
  })

  test('a page of events ends where the next begins, and another project sees none of them', async () => {
    const all = (await list('?limit=100')).items
    const first = await list('?limit=4')
    const second = await list(`?limit=100&after=${first.nextAfter}`)
    expect([...first.items, ...second.items]).toEqual(all)
    expect(second.nextAfter).toBeNull()
    const stranger = await AccountOwner.join(gateway)
    expect((await list('', stranger.browser)).items).toEqual([])
    expect((await list(`?after=${first.nextAfter}`, stranger.browser)).items).toEqual([])
    expectRefused(
      'console.events.list',
      await owner.browser.get('/v1/console/events?after=1'),
      'REQUEST_TARGET_INVALID',
    )
  })

  test('events are unread until they are marked as read, and new ones are unread again', async () => {
    const { items, unread } = await list('?limit=100')
    expect(unread).toBe(items.length)
    const marked = await owner.post('events/read', {})
    expectDone('console.events.read', marked)
    expect(marked.body).toEqual({ unread: 0 })
    expect((await list()).unread).toBe(0)
    await owner.browser.recharge(100)
    expect(await list('?limit=1')).toMatchObject({ unread: 1, items: [{ type: 'order.credited' }] })
    expectRefused(
      'console.events.read',
      await owner.browser.post('/v1/console/events/read', {}, { origin: 'https://evil.example' }),
      'ORIGIN_INVALID',
    )
  })

  test('events are dispatched within moments, counted in the metrics, and deleted after 90 days', async () => {
    const mark = (await list('?limit=1')).items[0]!.id
    await owner.browser.recharge(100)
    expect(await typesSince(mark)).toEqual(['order.credited'])
    const store = await openDatabase(gateway.database, { exclusive: false })
    const events = createEventStore(store)
    await expect.poll(() => events.countDue(clock.now)).toBe(0)
    const metrics = (await gateway.operator('/metrics')).text
    expect(metrics).toMatch(/gateway_events_dispatched_total\{type="order.credited"\} [1-9]/)
    expect(metrics).toContain('gateway_events_due 0')
    const pruneAt = (days: number) => events.prune(clock.now + (days - eventDays) * 86_400_000, 1000)
    await pruneAt(89)
    expect((await list()).items.length).toBeGreaterThan(5)
    await pruneAt(91)
    expect((await list()).items).toEqual([])
    await owner.browser.recharge(100)
    expect((await list()).unread).toBeGreaterThan(0)
    await store.close()
  })
})

test('there are twenty-one types of events', () => {
  expect(eventTypes).toHaveLength(21)
})
