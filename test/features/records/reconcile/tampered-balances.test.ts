import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkOrder } from '../../../../src/features/records/reconcile/projects.ts'
import { engines } from '../../../../testkit/store/engines.ts'
import { openTamperedStore, run, type Tamper } from './tampering.ts'

/** What a thief, a bug or a half-restored backup could leave, table by table. */
describe.each(engines)('tampered balances, orders and lots on %s', (engine) => {
  let tampered: Awaited<ReturnType<typeof openTamperedStore>>
  beforeAll(async () => {
    tampered = await openTamperedStore(engine)
  })
  afterAll(() => tampered.remove())

  const project = () => tampered.project
  const otherProject = () => tampered.history.other.projectId
  const found: typeof tampered.found = (tamper, options) => tampered.found(tamper, options)
  const reportOn: typeof tampered.reportOn = (tamper, options) => tampered.reportOn(tamper, options)

  describe('balances', () => {
    test('reconcile finds an available balance off by one', async () => {
      expect(
        await found(
          run('UPDATE balances SET available = available + 1, settled = settled - 1 WHERE project_id = $1', [
            project(),
          ]),
        ),
      ).toEqual([
        ['I1', 'balance', 'settled against the settled charges', 6, 5],
        ['I6', 'balance', 'available against the replayed ledger', 108, 109],
        ['I6', 'balance', 'settled against the replayed ledger', 6, 5],
      ])
    })
    test('reconcile finds credits without an order', async () => {
      expect(
        await found(
          run('UPDATE balances SET available = available + 7, credited = credited + 7 WHERE project_id = $1', [
            project(),
          ]),
        ),
      ).toEqual([
        ['I1', 'balance', 'available, reserved and settled against the credit lots', 120, 127],
        ['I1', 'balance', 'credited against the credit lots', 120, 127],
        ['I6', 'balance', 'available against the replayed ledger', 108, 115],
        ['I6', 'balance', 'credited against the replayed ledger', 120, 127],
      ])
    })
    test('reconcile finds a forgotten reservation', async () => {
      expect(
        await found(
          run('UPDATE balances SET available = available + 3, reserved = reserved - 3 WHERE project_id = $1', [
            project(),
          ]),
        ),
      ).toContainEqual(['I1', 'balance', 'reserved against the charges that are reserved or in review', 6, 3])
    })
    test('reconcile finds a wrong count of entries', async () => {
      expect(await found(run('UPDATE balances SET entries = entries + 1 WHERE project_id = $1', [project()]))).toEqual([
        ['I6', 'balance', 'number of entries', 17, 18],
      ])
    })
    test('reconcile finds a day with too much usage', async () => {
      const grow = run('UPDATE usage_days SET credits = credits + 1 WHERE project_id = $1', [project()])
      expect(await found(grow)).toEqual([['I1', 'balance', 'usage by day against the settled charges', 6, 7]])
    })
    test('reconcile finds a budget whose count differs from its charges', async () => {
      const { keyId } = tampered.history.other
      const add = `INSERT INTO key_budgets (budget_id, project_id, credits, per, period_from, spent)
        VALUES ($1, $2, 9, 'total', 5, 4)`
      const take = 'UPDATE charges SET budget_id = $1, budget_period = 5 WHERE project_id = $2'
      const params = [keyId, otherProject()]
      const differs = (expected: number) => [
        ['I8', keyId, 'spent credits of the budget against its charges', expected, 4],
      ]
      expect(await found(run(add, params))).toEqual(differs(0))
      const both = async (tx: Parameters<Tamper>[0]) => {
        await tx.run(add, params)
        await tx.run(take, params)
      }
      expect(await found(both)).toEqual(differs(3))
    })
    test('reconcile finds a missing balance', async () => {
      expect(await found(run('DELETE FROM balances WHERE project_id = $1', [project()]))).toEqual([
        ['I1', 'balance', 'the project has no balance', 1, 0],
      ])
    })
  })

  describe('orders and lots', () => {
    test('reconcile finds a lot whose order is not credited', async () => {
      const differences = await found(async (tx) => {
        await tx.run(
          "UPDATE orders SET state = 'pending', credited_at = NULL WHERE project_id = $1 AND credit_amount = 20",
          [project()],
        )
      })
      expect(differences).toEqual([['I5', expect.stringMatching(/^ord_/), 'lots of an order that is pending', 0, 1]])
    })
    test('reconcile finds an order credited without a lot', async () => {
      const differences = await found(
        run("UPDATE orders SET state = 'credited', credited_at = 1 WHERE project_id = $1 AND state = 'pending'", [
          otherProject(),
        ]),
      )
      expect(differences).toEqual([['I5', expect.stringMatching(/^ord_/), 'lots of an order that is credited', 1, 0]])
    })
    test('reconcile finds a lot larger than its order', async () => {
      const differences = await found(
        run('UPDATE credit_lots SET amount = 21 WHERE project_id = $1 AND amount = 20', [project()]),
      )
      expect(differences).toContainEqual(['I5', expect.stringMatching(/^ord_/), 'credits of its lot', 20, 21])
      expect(differences).toContainEqual(['I1', 'balance', 'credited against the credit lots', 121, 120])
      expect(differences).toContainEqual(['I6', expect.stringMatching(/^lot_/), 'credits entered for the lot', 21, 20])
    })
    test('reconcile finds an order larger than its lot', async () => {
      expect(
        await found(
          run('UPDATE orders SET credit_amount = 30 WHERE project_id = $1 AND credit_amount = 20', [project()]),
        ),
      ).toEqual([['I5', expect.stringMatching(/^ord_/), 'credits of its lot', 30, 20]])
    })
    test('reconcile finds a lot of another project', async () => {
      const report = await reportOn(
        run('UPDATE credit_lots SET project_id = $2 WHERE project_id = $1 AND amount = 20', [
          project(),
          otherProject(),
        ]),
      )
      expect(report.differences.filter(({ what }) => what === 'lots in another project')).toHaveLength(1)
      expect(report.differences.filter(({ what }) => what === 'entries of the lot')).toHaveLength(1)
    })
    test('reconcile finds a lot without an order', async () => {
      const differences = await found(
        run(
          `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
          SELECT 'lot_forged', project_id, order_id, 'simulated_prepaid', 70, 1 FROM orders WHERE project_id = $1 AND state = 'pending'`,
          [otherProject()],
        ),
      )
      expect(differences).toContainEqual(['I6', 'lot_forged', 'entries of the lot', 1, 0])
      expect(differences).toContainEqual([
        'I5',
        expect.stringMatching(/^ord_/),
        'lots of an order that is pending',
        0,
        1,
      ])
    })
  })

  test('reconcile finds two lots of one order', () => {
    const order = { orderId: 'ord_1', projectId: 'prj_1', creditAmount: 20, state: 'credited', strays: 0 } as const
    const [difference] = checkOrder({ ...order, lots: 2, lotAmount: 40 })
    expect(difference).toMatchObject({ invariant: 'I5', at: 'ord_1', expected: 1, found: 2 })
    expect(checkOrder({ ...order, lots: 1, lotAmount: 20 })).toEqual([])
  })
})
