import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reasons } from '../../../src/contract/reasons.ts'
import { Browser } from '../../../testkit/gateway/browser.ts'
import { look } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import { behaves, startUpstream, type Upstream } from '../../../testkit/providers/upstream.ts'
import { httpEngines } from '../../../testkit/store/engines.ts'

const daySeconds = 86_400

const completion = {
  model: 'upstream-name',
  choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
}

describe.each(httpEngines)('reports of a project on %s', (engine) => {
  const clock = new TestClock()
  let upstream: Upstream
  let gateway: Gateway
  beforeAll(async () => {
    upstream = await startUpstream(behaves.respond(200, completion))
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: {
        sessions: { lifetimeSeconds: 365 * daySeconds },
        models: {
          providers: {
            model_provider_b: { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-name' } },
            model_provider_c: { adapter: 'disabled' },
          },
        },
      },
    })
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const ask = (customer: PayingCustomer, provider: string) => customer.call('model.chat', { prompt: 'hello', provider })

  test('a new project sees its first steps and has no runway', async () => {
    const browser = new Browser(gateway)
    await browser.register()
    expect(await look(browser, 'console.overview')).toEqual({
      credits: { available: 0, reserved: 0 },
      bought: 0,
      held: [
        { state: 'reserved', charges: 0, credits: 0 },
        { state: 'manual_review', charges: 0, credits: 0 },
      ],
      spent: { today: 0, last7Days: 0, last30Days: 0 },
      callsToday: 0,
      spentPerDay: null,
      runwayDays: null,
      firstSteps: { hasOrder: false, hasKey: false, hasCall: false },
      baseUrl: 'http://localhost:8787',
      smsInboxUrl: `http://127.0.0.1:${gateway.app.operator!.port}/inbox`,
      paymentMode: 'local-simulated',
    })
    await browser.post('/v1/orders', { amountFen: 100 }, { 'idempotency-key': 'unpaid' })
    await browser.createKey(['models:invoke'])
    expect((await look(browser, 'console.overview')).firstSteps).toEqual({
      hasOrder: false,
      hasKey: true,
      hasCall: false,
    })
  })

  test('days begin at midnight in Shanghai, and sums cover 1, 7 and 30 of them', async () => {
    const customer = await PayingCustomer.join(gateway, { amountFen: 1000 })
    const overview = () => look(customer.browser, 'console.overview')
    // 2026-09-03, the last millisecond of the day in Shanghai and the first of the next.
    clock.now = Date.UTC(2026, 8, 3, 15, 59, 59, 999)
    await ask(customer, 'model_provider_a')
    clock.now += 1
    await ask(customer, 'model_provider_a')
    await customer.call('shopping.search', { query: '杯' })
    expect(await overview()).toMatchObject({
      credits: { available: 92, reserved: 0 },
      bought: 100,
      spent: { today: 5, last7Days: 8, last30Days: 8 },
      callsToday: 2,
      spentPerDay: null,
      runwayDays: null,
      firstSteps: { hasOrder: true, hasKey: true, hasCall: true },
    })
    expect(await look(customer.browser, 'console.usage.daily', '?days=2')).toEqual({
      from: '2026-09-03',
      to: '2026-09-04',
      countedFrom: '2026-09-03',
      items: [
        { day: '2026-09-03', operation: 'model.chat', calls: 1, credits: 3 },
        { day: '2026-09-04', operation: 'model.chat', calls: 1, credits: 3 },
        { day: '2026-09-04', operation: 'shopping.search', calls: 1, credits: 2 },
      ],
    })
    expect((await look(customer.browser, 'console.usage.daily', '?days=1')).items).toHaveLength(2)
    // A day after the first call the average is of that day; later it is of seven.
    clock.advanceSeconds(daySeconds)
    expect((await overview()).runwayDays).toBe(11)
    clock.advanceSeconds(daySeconds)
    expect(await overview()).toMatchObject({ spentPerDay: expect.closeTo(4, 3), runwayDays: 23 })
    clock.advanceSeconds(4 * daySeconds)
    expect((await overview()).spent).toEqual({ today: 0, last7Days: 5, last30Days: 8 })
    clock.advanceSeconds(23 * daySeconds)
    expect(await overview()).toMatchObject({ spent: { today: 0, last7Days: 0, last30Days: 5 }, runwayDays: null })
    clock.advanceSeconds(daySeconds)
    expect((await overview()).spent.last30Days).toBe(0)
    expect((await look(customer.browser, 'console.usage.daily', '?days=90')).items).toHaveLength(3)
  })

  test('the calls of a day are counted by how they ended, with the most frequent errors', async () => {
    const customer = await PayingCustomer.join(gateway, { amountFen: 1000 })
    const outcomes = (query = '') => look(customer.browser, 'console.usage.outcomes', query)
    await ask(customer, 'model_provider_a')
    await ask(customer, 'model_provider_c')
    await ask(customer, 'model_provider_c')
    const today = await outcomes()
    expect(today).toMatchObject({
      isWhole: true,
      ...{ succeeded: 1, failed: 2, inReview: 0, underWay: 0 },
      reasons: [{ code: 'PROVIDER_DISABLED', calls: 2 }],
    })
    const failed = await look(customer.browser, 'console.usage.list', '?reason=PROVIDER_DISABLED')
    expect(failed.items.map(({ state }: { state: string }) => state)).toEqual(['released', 'released'])
    clock.advanceSeconds(daySeconds)
    expect(await outcomes()).toMatchObject({ succeeded: 0, failed: 0, reasons: [] })
    expect(await outcomes(`?from=${today.from}&to=${today.to}`)).toEqual(today)
  })

  test('the overview separates calls in progress from calls in review', async () => {
    const customer = await PayingCustomer.join(gateway)
    upstream.program(behaves.hangUp())
    expect((await ask(customer, 'model_provider_b')).status).toBe(202)
    let finish = () => {}
    upstream.program((wire, call) => {
      finish = () => behaves.respond(200, completion)(wire, call)
    })
    const before = upstream.calls.length
    const underWay = ask(customer, 'model_provider_b')
    await upstream.received(before + 1)
    expect(await look(customer.browser, 'console.overview')).toMatchObject({
      credits: { available: 9994, reserved: 6 },
      held: [
        { state: 'reserved', charges: 1, credits: 3 },
        { state: 'manual_review', charges: 1, credits: 3 },
      ],
    })
    expect((await look(customer.browser, 'console.usage.list', '?state=reserved')).items).toHaveLength(1)
    finish()
    expect((await underWay).status).toBe(200)
    expect(await look(customer.browser, 'console.overview')).toMatchObject({
      credits: { available: 9994, reserved: 3 },
      held: [{ charges: 0, credits: 0 }, { charges: 1 }],
      spent: { today: 3 },
    })
  })

  test('charge details show the whole history of a call: settled, released, in review and decided', async () => {
    const customer = await PayingCustomer.join(gateway)
    const newest = async () => (await look(customer.browser, 'console.usage.list', '?limit=1')).items[0]
    const receipt = (chargeId: string) =>
      look(customer.browser, 'console.usage.read', '', `/v1/console/usage/${chargeId}`)

    upstream.program(behaves.respond(200, completion))
    await ask(customer, 'model_provider_b')
    const settled = await newest()
    expect(settled).toMatchObject({ operation: 'model.chat', state: 'settled', credits: 3, reason: null })
    const at = new Date(clock.now).toISOString()
    expect(await receipt(settled.chargeId)).toEqual({
      ...settled,
      pricingVersion: 'gateway-custom-cny-10credits-v1',
      amountFen: 30,
      chargedCredits: 3,
      settledAt: at,
      releasedAt: null,
      reviewedAt: null,
      usage: { inputUnits: 2, outputUnits: 3, totalUnits: 5 },
      hasContent: false,
      entries: [
        entry(2, 'reserve', { available: 9997, reserved: 3 }),
        entry(3, 'settle', { available: 9997, reserved: 0 }),
      ],
      decision: null,
    })
    function entry(seq: number, kind: string, balance: object) {
      const nothing = { creditLotId: null, orderId: null, reference: null, orderFen: null, paidFen: null, paidAt: null }
      return {
        seq,
        kind,
        amount: 3,
        ...balance,
        chargeId: settled.chargeId,
        operation: 'model.chat',
        ...nothing,
        enteredAt: at,
      }
    }

    await ask(customer, 'model_provider_c')
    const released = await receipt((await newest()).chargeId)
    expect(released).toMatchObject({
      state: 'released',
      reason: { code: 'PROVIDER_DISABLED', text: 'The provider is out of service.' },
      chargedCredits: 0,
      releasedAt: at,
      usage: null,
    })

    upstream.program(behaves.hangUp())
    const { chargeId } = (await ask(customer, 'model_provider_b')).body
    const held = await receipt(chargeId)
    expect(held).toMatchObject({ state: 'manual_review', chargedCredits: 0, reviewedAt: at, decision: null })
    expect(held.reason).toEqual({ code: 'PROVIDER_CONNECTION_LOST', text: reasons.PROVIDER_CONNECTION_LOST })
    expect(
      gateway.log
        .map((line) => JSON.parse(line))
        .filter((line) => line.chargeId === chargeId && line.msg !== 'request'),
    ).toEqual([
      expect.objectContaining({
        msg: 'the outcome of a call is uncertain',
        reason: 'PROVIDER_CONNECTION_LOST',
        detail: expect.any(String),
      }),
    ])
    expect((await look(customer.browser, 'console.reviews.list')).items).toEqual([
      expect.objectContaining({ chargeId, credits: 3, since: at, reason: held.reason }),
    ])

    const decided = await runCommand(
      gateway.database,
      ['reviews', 'settle', chargeId, '--by', 'operator', '--reason', 'the provider confirmed it'],
      { clock: clock.read },
    )
    expect(decided).toMatchObject({ exitCode: 0, stderr: '' })
    const after = await receipt(chargeId)
    expect(after.entries.map(({ kind }: { kind: string }) => kind)).toEqual(['reserve', 'review', 'settle'])
    expect([held.latencyMs, after.latencyMs]).toEqual([0, null])
    expect(after).toMatchObject({
      state: 'settled',
      chargedCredits: 3,
      reviewedAt: at,
      settledAt: at,
      reason: held.reason,
      decision: { decision: 'settled', reason: 'the provider confirmed it', decidedAt: at },
    })
    expect((await look(customer.browser, 'console.reviews.list')).items).toEqual([])
  })
})
