import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cutNotice, cutNoticeInChinese } from '../../../src/contract/paging.ts'
import { createExports } from '../../../src/features/records/reports/exports.ts'
import { createConsoleStore } from '../../../src/features/records/reports/store.ts'
import { dailyUsage } from '../../../src/features/records/reports/usage.ts'
import { look, readAll } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { httpEngines, openDatabase } from '../../../testkit/store/engines.ts'
import { seedCharges } from '../../../testkit/store/seed-charges.ts'

const hourMs = 3_600_000
/** Noon of 2026-09-01 in Shanghai. */
const noon = Date.UTC(2026, 8, 1, 4)

describe.each(httpEngines)('filters on %s', (engine) => {
  const clock = new TestClock()
  clock.now = noon - hourMs
  let gateway: Gateway
  let customer: PayingCustomer
  let secondKeyId: string
  let ids: string[]
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read, file: { sessions: { lifetimeSeconds: 8_640_000 } } })
    customer = await PayingCustomer.join(gateway)
    const { keyId } = (await look(customer.browser, 'console.keys.list')).items[0]
    secondKeyId = (await customer.browser.createKey(['models:invoke', 'pick:read'])).keyId
    ids = await seedCharges(gateway.database, { projectId: customer.projectId, keyId }, [
      { at: noon },
      { at: noon + 1, operation: 'pick.search' },
      { at: noon + 24 * hourMs, state: 'released', reason: 'PROVIDER_UNAVAILABLE' },
      { at: noon + 48 * hourMs, keyId: secondKeyId },
      { at: noon + 48 * hourMs + 1, keyId: secondKeyId, operation: 'pick.search', state: 'manual_review' },
    ])
    clock.now = noon + 72 * hourMs
    await customer.browser.recharge(500)
    await customer.call('model.chat', { prompt: 'hello' })
  })
  afterAll(() => gateway.stop())

  const chargeIds = async (query: string): Promise<string[]> =>
    (await look(customer.browser, 'console.usage.list', query)).items.map((row: { chargeId: string }) => row.chargeId)
  const csvIds = async (query: string) => {
    const { status, text } = await customer.browser.get(`/v1/console/usage.csv${query}`)
    expect(status).toBe(200)
    return text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
  }

  test.each([
    '?operation=pick.search',
    '?state=released',
    '?state=manual_review',
    '?operation=model.chat&state=settled&from=2026-09-02',
    '?operation=pick.links',
  ])('an exported file has the calls that the list has: %s', async (query) => {
    expect(await csvIds(query)).toEqual(await chargeIds(query))
  })

  test('an exported file has the calls of one key', async () => {
    expect(await csvIds(`?keyId=${secondKeyId}`)).toEqual([ids[4], ids[3]])
  })

  test('a call is found by its charge id and by its request id, within the other filters', async () => {
    expect(await chargeIds(`?id=${ids[1]}`)).toEqual([ids[1]])
    expect(await chargeIds(`?id=${ids[4]}`)).toEqual([ids[4]])
    expect(await chargeIds(`?id=${ids[4]}&state=manual_review`)).toEqual([ids[4]])
    expect(await chargeIds(`?id=${ids[4]}&state=settled`)).toEqual([])
    const newest = (await look(customer.browser, 'console.usage.list', '?limit=1')).items[0]
    expect(await chargeIds(`?id=${newest.requestId}`)).toEqual([newest.chargeId])
    expect(await chargeIds('?id=chg_none')).toEqual([])
    expect(await chargeIds('?id=req_none')).toEqual([])
    expect(await csvIds(`?id=${newest.requestId}`)).toEqual([newest.chargeId])
  })

  test("another project's call is not found by its id", async () => {
    const someone = await PayingCustomer.join(gateway)
    expect((await look(someone.browser, 'console.usage.list', `?id=${ids[0]}`)).items).toEqual([])
  })

  test('the ledger shows one kind of entry and the days that are asked for, page by page', async () => {
    const entries = async (query: Record<string, string>) =>
      (await readAll<{ kind: string; seq: number }>(customer.browser, 'console.ledger.list', query)).items
    const all = await entries({ limit: '100' })
    for (const kind of ['credit', 'reserve', 'settle', 'release', 'review']) {
      const expected = all.filter((entry) => entry.kind === kind)
      expect(expected.length).toBeGreaterThan(0)
      expect(await entries({ kind, limit: '1' })).toEqual(expected)
      expect(await entries({ kind, limit: '100' })).toEqual(expected)
    }
    const ofDay = await entries({ from: '2026-09-02', to: '2026-09-02' })
    expect(ofDay.map(({ kind }) => kind)).toEqual(['release', 'reserve'])
    expect(await entries({ kind: 'credit', from: '2026-09-02' })).toHaveLength(1)
    const csv = (await customer.browser.get('/v1/console/ledger.csv?kind=credit')).text.trim().split('\r\n')
    expect(csv.slice(1).map((line) => line.split(',')[1])).toEqual(['credit', 'credit'])
  })

  const daily = (query: string) => look(customer.browser, 'console.usage.daily', query)

  test('daily usage follows the operation and the range, without scanning calls', async () => {
    expect(await daily('?from=2026-09-01&to=2026-09-03&operation=pick.search')).toEqual({
      from: '2026-09-01',
      to: '2026-09-03',
      countedFrom: '2026-09-01',
      items: [{ day: '2026-09-01', operation: 'pick.search', calls: 1, credits: 2 }],
    })
    expect(await daily('?from=2026-09-03&to=2026-12-31')).toMatchObject({ from: '2026-09-03', to: '2026-09-04' })
    expect(await daily('?to=2026-09-02&days=2')).toMatchObject({ from: '2026-09-01', to: '2026-09-02' })
    expect((await daily('?from=2020-01-01')).from).toBe('2025-09-04')
    expect((await daily('?from=2026-10-01')).items).toEqual([])
  })

  test('daily usage follows a key and a state', async () => {
    expect((await daily(`?days=30&keyId=${secondKeyId}`)).items).toEqual([
      { day: '2026-09-03', operation: 'model.chat', calls: 1, credits: 3 },
    ])
    expect((await daily('?days=30&state=released')).items).toEqual([
      { day: '2026-09-02', operation: 'model.chat', calls: 1, credits: 3 },
    ])
    expect((await daily(`?days=30&state=manual_review&keyId=${secondKeyId}&operation=model.chat`)).items).toEqual([])
    expect((await daily('?days=30&state=settled')).items).toEqual((await daily('?days=30')).items)
    expect((await daily('?days=2&state=released')).items).toEqual([])
  })

  test('daily usage by key says from which day it counts when there are too many calls to scan', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const query = { keyId: secondKeyId, days: 30, now: clock.now, mostEntries: 5 }
    expect(await dailyUsage(createConsoleStore(store), customer.projectId, query)).toMatchObject({
      from: '2026-08-06',
      countedFrom: '2026-09-04',
      items: [],
    })
    await store.close()
  })

  test('an export with a filter ends after a bounded scan, and says so', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const exports = createExports(createConsoleStore(store), { rowsLimit: 2 })
    const whole = await text(await exports.usage(customer.projectId, { id: ids[4]!, from: '2026-09-03' }))
    expect(whole).not.toContain(cutNotice)
    expect(await text(await exports.usage(customer.projectId, { id: ids[0]! }))).toContain(cutNotice)
    const inChinese = await exports.usage(customer.projectId, { id: ids[0]!, language: 'zh' })
    expect(await text(inChinese)).toContain(`\n${cutNoticeInChinese} `)
    await store.close()
  })
})
