import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billableOperations } from '../../../src/contract/prices.ts'
import { look, readAll } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { httpEngines } from '../../../testkit/store/engines.ts'
import { type SeededCharge, seedCharges } from '../../../testkit/store/seed-charges.ts'

interface Row {
  chargeId: string
  operation: string
  state: string
  keyId: string
}

const count = 5300
const firstAt = Date.UTC(2026, 5, 1, 16)
/** One call a minute. Operations take turns; every 10th is released, every 100th is in review. */
const past: SeededCharge[] = Array.from({ length: count }, (_, i) => ({
  at: firstAt + i * 60_000,
  operation: billableOperations[i % billableOperations.length]!,
  state: i % 100 === 50 ? 'manual_review' : i % 10 === 3 ? 'released' : 'settled',
}))

describe.each(httpEngines)('pages on %s', (engine) => {
  let gateway: Gateway
  let customer: PayingCustomer
  let otherKeyId: string
  /** Newest first, as lists show them. */
  let seeded: string[]
  beforeAll(async () => {
    gateway = await startGateway({ engine })
    customer = await PayingCustomer.join(gateway, { amountFen: 1_000_000 })
    const [key] = (await look(customer.browser, 'console.keys.list')).items
    otherKeyId = (await customer.browser.createKey(['pick:read'])).keyId
    const charges = past.map((charge, i) => (i === 7 ? { ...charge, keyId: otherKeyId } : charge))
    const owner = { projectId: customer.projectId, keyId: key.keyId }
    seeded = (await seedCharges(gateway.database, owner, charges)).reverse()
  })
  afterAll(() => gateway.stop())

  const call = async () => {
    expect((await customer.call('model.chat', { prompt: 'hello' })).status).toBe(200)
  }
  const ids = (rows: readonly Row[]) => rows.map(({ chargeId }) => chargeId)
  const where = (keep: (charge: SeededCharge, i: number) => boolean) =>
    seeded.filter((_, place) => keep(past[count - 1 - place]!, count - 1 - place))
  const read = (query: Record<string, string>, between?: () => Promise<void>) =>
    readAll<Row>(customer.browser, 'console.usage.list', query, between)

  test('pages show every charge once, in order, while new calls arrive', async () => {
    let calls = 0
    const { items, pages } = await read({ limit: '100' }, async () => {
      calls += 1
      if (calls % 10 === 0) await call()
    })
    expect(ids(items).slice(-count)).toEqual(seeded)
    expect(pages).toBe(Math.ceil(items.length / 100))
    expect(new Set(ids(items)).size).toBe(items.length)
  })

  test('pages have 25 rows by default, or as many as requested', async () => {
    expect((await look(customer.browser, 'console.usage.list')).items).toHaveLength(25)
    expect((await look(customer.browser, 'console.usage.list', '?limit=1')).items).toHaveLength(1)
  })

  test('pages show every charge that matches a filter once, and no other', async () => {
    const june2 = { from: '2026-06-02', to: '2026-06-02' }
    const ofJune2 = (_: SeededCharge, i: number) => i < 24 * 60
    expect(ids((await read({ ...june2, limit: '100' })).items)).toEqual(where(ofJune2))
    expect(ids((await read({ ...june2, state: 'released' })).items)).toEqual(
      where(({ state }, i) => ofJune2({ at: 0 }, i) && state === 'released'),
    )
    expect(ids((await read({ state: 'released', operation: 'pick.links', limit: '7' }, call)).items)).toEqual(
      where(({ state, operation }) => state === 'released' && operation === 'pick.links'),
    )
  })

  test('pages find a single match behind thousands of other charges', async () => {
    const { items } = await read({ keyId: otherKeyId, limit: '1' })
    expect(ids(items)).toEqual(where((_, i) => i === 7))
  })

  test('pages show the charges in review on the first page, however many others lie between', async () => {
    const inReview = where(({ state }) => state === 'manual_review')
    const page = await look(customer.browser, 'console.usage.list', '?state=manual_review&limit=100')
    expect(ids(page.items)).toEqual(inReview)
    expect(page.nextAfter).toBeNull()
    expect(ids((await readAll<Row>(customer.browser, 'console.reviews.list', { limit: '9' })).items)).toEqual(inReview)
  })

  test('pages are empty for days without calls and for a range that ends before it begins', async () => {
    const nothing = { items: [], nextAfter: null }
    expect(await look(customer.browser, 'console.usage.list', '?from=9999-12-31')).toEqual(nothing)
    expect(await look(customer.browser, 'console.usage.list', '?to=0001-01-01')).toEqual(nothing)
    expect(await look(customer.browser, 'console.usage.list', '?from=2026-06-03&to=2026-06-01')).toEqual(nothing)
    expect(await look(customer.browser, 'console.usage.list', '?from=2026-06-02&to=9999-12-31&limit=1')).toMatchObject({
      items: [{}],
    })
  })

  test('pages show every ledger entry once, each with the balance after it, while new calls arrive', async () => {
    for (let calls = 0; calls < 20; calls += 1) await call()
    const { seq: newest } = (await look(customer.browser, 'console.ledger.list', '?limit=1')).items[0]
    const moves = { credit: [1, 0], reserve: [-1, 1], settle: [0, -1], release: [1, -1], review: [0, 0] }
    interface Entry {
      seq: number
      kind: keyof typeof moves
      amount: number
      available: number
      reserved: number
    }
    const { items } = await readAll<Entry>(customer.browser, 'console.ledger.list', { limit: '97' }, call)
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: newest }, (_, i) => newest - i))
    let balance = { available: 0, reserved: 0 }
    for (const { kind, amount, available, reserved } of items.toReversed()) {
      const [toAvailable, toReserved] = moves[kind] as [number, number]
      balance = {
        available: balance.available + toAvailable * amount,
        reserved: balance.reserved + toReserved * amount,
      }
      expect({ available, reserved }).toEqual(balance)
    }
  })

  test('pages show every order once, while new ones are created', async () => {
    const recharge = () => customer.browser.recharge(100)
    for (let orders = 0; orders < 12; orders += 1) await recharge()
    const before = (await readAll<{ orderId: string }>(customer.browser, 'console.orders.list', { limit: '100' })).items
    const { items } = await readAll<{ orderId: string }>(
      customer.browser,
      'console.orders.list',
      { limit: '5' },
      recharge,
    )
    expect(before).toHaveLength(13)
    expect(items).toEqual(before)
  })
})
