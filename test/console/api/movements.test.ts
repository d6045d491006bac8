import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look, readAll } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { type Administration, createTestAdministration } from '../../../testkit/store/administration.ts'
import { httpEngines, openDatabase, type Store } from '../../../testkit/store/engines.ts'
import { createRig } from '../../../testkit/store/rig.ts'

describe.each(httpEngines)('what an operator granted and withdrew, for the payer on %s', (engine) => {
  let gateway: Gateway
  let otherStore: Store
  let operate: Administration
  let customer: PayingCustomer

  beforeAll(async () => {
    gateway = await startGateway({ engine })
    customer = await PayingCustomer.join(gateway, { amountFen: 1000 })
    otherStore = await openDatabase(gateway.database, { exclusive: false })
    operate = createTestAdministration(createRig(otherStore))
    await move('grant', 50, 'bank 1')
    await move('withdraw', 20, 'refund 1')
    await move('grant', 5, '=bank 2')
  })
  afterAll(async () => {
    await otherStore.close()
    await gateway.stop()
  })

  const move = (kind: 'grant' | 'withdraw', credits: number, reference: string) =>
    operate.moveCredits(
      { name: 'Ada', via: 'web' },
      { kind, projectId: customer.projectId, credits, reference, reason: 'agreed by phone' },
    )

  test('grants and withdrawals are in the ledger of the payer with their references, newest first', async () => {
    const { items } = await look(customer.browser, 'console.ledger.list')
    expect(items).toMatchObject([
      { seq: 4, kind: 'grant', amount: 5, available: 135, reference: '=bank 2', orderId: null },
      { seq: 3, kind: 'withdraw', amount: 20, available: 130, reference: 'refund 1', creditLotId: null, orderId: null },
      { seq: 2, kind: 'grant', amount: 50, available: 150, reference: 'bank 1', creditLotId: expect.any(String) },
      { seq: 1, kind: 'credit', amount: 100, available: 100, reference: null, orderId: expect.any(String) },
    ])
    expect(JSON.stringify(items)).not.toMatch(/Ada|agreed by phone/)
  })

  test.each([
    ['credit', [1]],
    ['grant', [4, 2]],
    ['withdraw', [3]],
  ])('grants and withdrawals are found by the kind %s, page by page', async (kind, seqs) => {
    const { items } = await readAll(customer.browser, 'console.ledger.list', { kind, limit: '1' })
    expect(items.map(({ seq }) => seq)).toEqual(seqs)
  })

  test('grants and withdrawals are in the exported file, where no reference is run as a formula', async () => {
    const { text } = await customer.browser.get('/v1/console/ledger.csv?kind=grant')
    const references = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')[10])
    expect(references).toEqual(['reference', `"'=bank 2"`, 'bank 1'])
  })

  test('grants and withdrawals count in what was added', async () => {
    const overview = await look(customer.browser, 'console.overview')
    expect(overview).toMatchObject({ credits: { available: 135, reserved: 0 }, bought: 135 })
  })
})
