import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleOperations } from '../../../src/app/features.ts'
import { Browser } from '../../../testkit/gateway/browser.ts'
import { expectRefused, look, readAll, views } from '../../../testkit/gateway/console-contract.ts'
import type { Gateway } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { sharedGateway } from '../../../testkit/gateway/shared-gateway.ts'
import { httpEngines } from '../../../testkit/store/engines.ts'

describe.each(httpEngines)('the console on %s', (engine) => {
  let gateway: Gateway
  let customer: PayingCustomer
  let stranger: PayingCustomer
  beforeAll(async () => {
    gateway = await sharedGateway(engine)
    customer = await PayingCustomer.join(gateway)
    stranger = await PayingCustomer.join(gateway, { amountFen: 200 })
    for (let calls = 0; calls < 3; calls += 1) await customer.call('model.chat', { prompt: 'hello' })
    await stranger.call('shopping.search', { query: '杯' })
  })
  afterAll(() => gateway.stop())

  test.each(views)('$path is refused without a session, whatever the query', async ({ id, path }) => {
    expectRefused(id, await new Browser(gateway).get(path), 'GATEWAY_AUTH_REQUIRED')
    expectRefused(id, await new Browser(gateway).get(`${path}?unknown=1`), 'GATEWAY_AUTH_REQUIRED')
  })

  test('charge details are refused without a session, whether the charge exists or not', async () => {
    const { chargeId } = (await look(customer.browser, 'console.usage.list')).items[0]
    for (const id of [chargeId, 'chg_unknown']) {
      const response = await new Browser(gateway).get(`/v1/console/usage/${id}`)
      expectRefused('console.usage.read', response, 'GATEWAY_AUTH_REQUIRED')
    }
  })

  test.each(views)('$path refuses an unknown query parameter and works without any', async ({ id, path }) => {
    expectRefused(id, await customer.browser.get(`${path}?unknown=1`), 'REQUEST_TARGET_INVALID')
    expectRefused(id, await customer.browser.get(`${path}?__proto__=1`), 'REQUEST_TARGET_INVALID')
    expect((await customer.browser.get(path)).status).toBe(200)
    expect((await customer.browser.get(`${path}?`)).status).toBe(200)
  })

  test.each([
    ['console.usage.list', 'limit=0'],
    ['console.usage.list', 'limit=101'],
    ['console.usage.list', 'limit=1e1'],
    ['console.usage.list', 'limit=+5'],
    ['console.usage.list', 'limit=05'],
    ['console.usage.list', 'limit='],
    ['console.usage.list', 'limit=5&limit=5'],
    ['console.usage.list', 'after='],
    ['console.usage.list', "after=chg_'--"],
    ['console.usage.list', `after=chg_${'x'.repeat(100)}`],
    ['console.usage.list', 'operation=model'],
    ['console.usage.list', 'state=Settled'],
    ['console.usage.list', 'keyId=chg_1'],
    ['console.usage.list', 'from=2026-02-30'],
    ['console.usage.list', 'from=2026-1-1'],
    ['console.usage.list', 'to=yesterday'],
    ['console.usage.list', 'to=%zz'],
    ['console.usage.daily', 'days=0'],
    ['console.usage.daily', 'days=367'],
    ['console.usage.daily', 'id=chg_1'],
    ['console.usage.list', 'id=1'],
    ['console.usage.list', "id=chg_'--"],
    ['console.usage.csv', 'state=Settled'],
    ['console.ledger.list', 'kind=bought'],
    ['console.ledger.csv', 'operation=model.chat'],
    ['console.ledger.list', 'after=0'],
    ['console.ledger.list', 'after=9999999999999999'],
    ['console.ledger.list', 'after=chg_1'],
    ['console.orders.list', 'after=ord_1'],
    ['console.orders.list', 'after=1.'],
    ['console.reviews.list', 'state=reserved'],
    ['console.usage.csv', 'limit=5'],
    ['console.ledger.csv', 'from=2026-13-01'],
  ])('%s?%s is refused', async (id, query) => {
    const { path } = consoleOperations.find((operation) => operation.id === id)!
    expectRefused(id, await customer.browser.get(`${path}?${query}`), 'REQUEST_TARGET_INVALID')
  })

  test('one project sees nothing of another', async () => {
    const seenBy = async ({ browser }: PayingCustomer) => {
      const lists = ['usage', 'ledger', 'orders', 'reviews'].map((name) => readAll(browser, `console.${name}.list`, {}))
      const texts = ['overview', 'usage/daily', 'keys', 'usage.csv', 'ledger.csv', 'sessions'].map((path) =>
        browser.get(`/v1/console/${path}`).then(({ text }) => text),
      )
      return JSON.stringify([await Promise.all(lists), await Promise.all(texts)])
    }
    const namesOf = (seen: string) => new Set(seen.match(/\b(chg|key|ord|lot|ses|req)_[A-Za-z0-9]+/g))
    const [ours, theirs] = [namesOf(await seenBy(customer)), namesOf(await seenBy(stranger))]
    expect(ours.size).toBeGreaterThan(8)
    expect(theirs.size).toBeGreaterThan(5)
    expect([...ours.intersection(theirs)]).toEqual([])
  })

  test('a charge of another project, an unknown one and a malformed one all get the same 404', async () => {
    const { chargeId } = (await look(customer.browser, 'console.usage.list')).items[0]
    for (const id of [chargeId, 'chg_0000', 'chg_', 'daily1', 'x']) {
      const response = await stranger.browser.get(`/v1/console/usage/${id}`)
      expectRefused('console.usage.read', response, 'NOT_FOUND')
    }
  })

  test('a page position or key of another project reveals nothing of it', async () => {
    const { items, nextAfter } = await look(customer.browser, 'console.usage.list', '?limit=1')
    const idsOf = (page: { items: { chargeId: string }[] }) => page.items.map(({ chargeId }) => chargeId)
    const all = idsOf(await look(stranger.browser, 'console.usage.list'))
    for (const after of [nextAfter, '1', '999999999999999']) {
      const some = idsOf(await look(stranger.browser, 'console.usage.list', `?after=${after}`))
      expect(all).toEqual(expect.arrayContaining(some))
    }
    const [{ chargeId, keyId }] = items
    const reviews = `?state=manual_review&after=${chargeId}`
    expect((await look(stranger.browser, 'console.usage.list', reviews)).items).toEqual([])
    expect((await look(stranger.browser, 'console.usage.list', `?keyId=${keyId}`)).items).toEqual([])
  })

  test('a page position of the review list is refused by the charge list, and vice versa', async () => {
    for (const query of ['?after=chg_0V', '?state=settled&after=chg_0V', '?state=manual_review&after=7']) {
      const response = await customer.browser.get(`/v1/console/usage${query}`)
      expectRefused('console.usage.list', response, 'REQUEST_TARGET_INVALID')
    }
  })

  test('the local preview serves the same views under its own prefix', async () => {
    const response = await customer.browser.get('/gateway/api/console/usage?limit=2')
    expect(response.body).toEqual(await look(customer.browser, 'console.usage.list', '?limit=2'))
  })

  test('a query string is never logged', async () => {
    await customer.browser.get('/v1/console/usage?keyId=key_TraceOfQuery')
    await customer.browser.get('/v1/console/usage?wrong=TraceOfQuery')
    expect(gateway.log.join('')).toContain('/v1/console/usage')
    expect(gateway.log.join('')).not.toContain('TraceOfQuery')
  })
})
