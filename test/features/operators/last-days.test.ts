import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import { expectInOperatorContract, signedInOperator } from '../../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { engines, openDatabase } from '../../../testkit/store/engines.ts'

const daySeconds = 86_400

describe.each(engines)('the last two days on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
  })
  afterAll(() => gateway.stop())

  test('the overview compares yesterday with the day before, and leaves out today', async () => {
    const first = await PayingCustomer.join(gateway)
    await first.call('model.chat', { prompt: 'hello' })
    clock.advanceSeconds(daySeconds)
    await PayingCustomer.join(gateway, { amountFen: 2000 })
    await PayingCustomer.join(gateway, { amountFen: 0 })
    const store = await openDatabase(gateway.database, { exclusive: false })
    const failures = `INSERT INTO provider_hours (provider, hour, instance_id, confirmed, rejected, failed, uncertain, latencies)
      VALUES ('model/model_provider_a', $1, 'ins_other', 7, 5, 3, 1, '0')`
    await store.write((tx) => tx.run(failures, [Math.floor(clock.now / 3_600_000)]))
    await store.close()
    clock.advanceSeconds(daySeconds)
    await PayingCustomer.join(gateway)

    const viewer = await signedInOperator(gateway, 'viewer', 'viewer', clock.read)
    const overview = await viewer.get('/api/overview')
    expectInOperatorContract('operator.overview', overview)
    const nothing = { accounts: 0, rechargedFen: 0, refundedFen: 0, settledCredits: 0, failures: 0 }
    expect(overview.body.lastDays).toEqual([
      { ...nothing, day: '2026-09-04', accounts: 2, rechargedFen: 2000, failures: 4 },
      { ...nothing, day: '2026-09-03', accounts: 1, rechargedFen: 100_000, settledCredits: 3 },
    ])
  })
})
