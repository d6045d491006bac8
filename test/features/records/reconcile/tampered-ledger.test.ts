import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import type { Writer } from '../../../../src/storage/engine.ts'
import { engines } from '../../../../testkit/store/engines.ts'
import { openTamperedStore, run } from './tampering.ts'

/** What a thief, a bug or a half-restored backup could leave, table by table. */
describe.each(engines)('a tampered ledger on %s', (engine) => {
  let tampered: Awaited<ReturnType<typeof openTamperedStore>>
  beforeAll(async () => {
    tampered = await openTamperedStore(engine)
  })
  afterAll(() => tampered.remove())

  const project = () => tampered.project
  const charge = () => tampered.charges
  const otherProject = () => tampered.history.other.projectId
  const found: typeof tampered.found = (tamper, options) => tampered.found(tamper, options)
  const reportOn: typeof tampered.reportOn = (tamper, options) => tampered.reportOn(tamper, options)

  describe('ledger entries', () => {
    const entry = (set: string, seq: number) =>
      run(`UPDATE ledger_entries SET ${set} WHERE project_id = $1 AND seq = $2`, [project(), seq])

    test('reconcile finds an entry missing in the middle', async () => {
      const drop = run('DELETE FROM ledger_entries WHERE project_id = $1 AND seq = 5', [project()])
      expect(await found(drop)).toEqual([
        ['I6', 'entry 6', 'number of the entry', 5, 6],
        ['I6', 'entry 6', 'running reserved', 9, 6],
        ['I6', 'balance', 'settled against the replayed ledger', 3, 6],
        ['I2', charge().settled, 'entries of a charge that is settled', '1 reserve, 1 settle', '1 reserve'],
      ])
    })
    test('reconcile finds the last entry missing', async () => {
      const differences = await found(run('DELETE FROM ledger_entries WHERE project_id = $1 AND seq = 17', [project()]))
      expect(differences).toContainEqual(['I6', 'balance', 'number of entries', 16, 17])
      expect(differences).toContainEqual(['I6', 'balance', 'available against the replayed ledger', 105, 108])
    })
    test('reconcile finds the first entry missing', async () => {
      const differences = await found(run('DELETE FROM ledger_entries WHERE project_id = $1 AND seq = 1', [project()]))
      expect(differences).toContainEqual(['I6', 'entry 2', 'number of the entry', 1, 2])
      expect(differences.filter(([, , what]) => what === 'entries of the lot')).toHaveLength(1)
    })
    test('reconcile finds a gap in the numbers', async () => {
      expect(
        await found(run('UPDATE ledger_entries SET seq = 99 WHERE project_id = $1 AND seq = 17', [project()])),
      ).toEqual([
        ['I6', 'entry 99', 'number of the entry', 17, 99],
        ['I6', 'balance', 'number of entries', 99, 17],
      ])
    })
    test('reconcile finds a charge settled twice', async () => {
      const differences = await found(async (tx) => {
        await tx.run(
          `INSERT INTO ledger_entries (previous_id, project_id, seq, kind, amount, available, reserved, charge_id, lot_id,
            entered_at)
          SELECT entry_id, project_id, 18, kind, amount, available, reserved, charge_id, lot_id, entered_at
          FROM ledger_entries WHERE charge_id = $1 AND kind = 'settle'`,
          [charge().settled],
        )
      })
      expect(differences).toContainEqual([
        'I2',
        charge().settled,
        'entries of a charge that is settled',
        '1 reserve, 1 settle',
        '1 reserve, 2 settle',
      ])
      expect(differences).toContainEqual(['I6', 'balance', 'number of entries', 18, 17])
    })
    test('reconcile finds a broken chain', async () => {
      const ids = await tampered.store.read((tx) =>
        tx.all<{ id: number }>('SELECT entry_id AS id FROM ledger_entries WHERE project_id = $1 ORDER BY seq', [
          project(),
        ]),
      )
      const idOf = (seq: number) => ids[seq - 1]!.id
      expect(await found(entry(`previous_id = ${idOf(3)}`, 8))).toEqual([
        ['I6', 'entry 8', 'the entry before it', idOf(7), idOf(3)],
      ])
      const shorter = run('UPDATE balances SET last_entry_id = $2 WHERE project_id = $1', [project(), idOf(16)])
      expect(await found(shorter)).toEqual([['I6', 'balance', 'last entry of the chain', idOf(17), idOf(16)]])
    })
    test('reconcile finds a wrong running available balance', async () => {
      expect(await found(entry('available = available + 1', 8))).toEqual([
        ['I6', 'entry 8', 'running available', 111, 112],
        ['I6', 'entry 9', 'running available', 115, 114],
      ])
    })
    test('reconcile finds a wrong running reserved balance', async () => {
      expect(await found(entry('reserved = reserved + 1', 17))).toEqual([
        ['I6', 'entry 17', 'running reserved', 6, 7],
        ['I6', 'balance', 'reserved against the replayed ledger', 7, 6],
      ])
    })
    test('reconcile finds an amount that is not the price of the charge', async () => {
      expect(
        await found(
          run("UPDATE ledger_entries SET amount = 2 WHERE charge_id = $1 AND kind = 'review'", [charge().waiting]),
        ),
      ).toEqual([['I2', charge().waiting, 'credits of its entries', 3, 2]])
    })
    test('reconcile finds an amount that differs from its lot', async () => {
      expect(await found(entry('amount = 99', 1))).toContainEqual([
        'I6',
        expect.stringMatching(/^lot_/),
        'credits entered for the lot',
        100,
        99,
      ])
    })
    test('reconcile finds a changed kind', async () => {
      expect(
        await found(
          run("UPDATE ledger_entries SET kind = 'release' WHERE charge_id = $1 AND kind = 'settle'", [
            charge().settled,
          ]),
        ),
      ).toContainEqual([
        'I2',
        charge().settled,
        'entries of a charge that is settled',
        '1 reserve, 1 settle',
        '1 reserve, 1 release',
      ])
    })
    test('reconcile finds an entry without a charge', async () => {
      expect(await found(entry('charge_id = NULL', 5))).toEqual([
        ['I6', 'entry 5', 'subject of the settle', 'a charge', 'nothing'],
        ['I2', charge().settled, 'entries of a charge that is settled', '1 reserve, 1 settle', '1 reserve'],
      ])
    })
    test('reconcile finds an ending before its reservation', async () => {
      const swap = async (tx: Writer) => {
        const move = 'UPDATE ledger_entries SET charge_id = $3 WHERE project_id = $1 AND seq = $2'
        // Entries 6 and 8 reserve two charges, 7 and 9 release them.
        await tx.run(move, [project(), 6, charge().freed])
        await tx.run(move, [project(), 7, charge().freed])
        await tx.run(move, [project(), 8, charge().refused])
        await tx.run(move, [project(), 9, charge().refused])
        await tx.run('UPDATE ledger_entries SET charge_id = $2 WHERE project_id = $1 AND seq = 7', [
          project(),
          charge().refused,
        ])
        await tx.run('UPDATE ledger_entries SET charge_id = $2 WHERE project_id = $1 AND seq = 9', [
          project(),
          charge().freed,
        ])
      }
      expect(await found(swap)).toEqual([
        ['I2', charge().refused, 'order of its entries', 'reserve, review, end', 'another order'],
      ])
    })
    test('reconcile finds an entry in the ledger of another project', async () => {
      const report = await reportOn(
        run('UPDATE ledger_entries SET charge_id = $2 WHERE project_id = $1 AND seq = 2', [
          otherProject(),
          charge().settled,
        ]),
      )
      expect(report.differences).toContainEqual({
        invariant: 'I2',
        projectId: project(),
        at: charge().settled,
        what: 'ledger of its entries',
        expected: project(),
        found: otherProject(),
      })
    })
  })

  test('a tampered ledger lists the first differences and counts the rest', async () => {
    const report = await reportOn(run('UPDATE ledger_entries SET amount = amount + 1'), { maxDifferences: 2 })
    expect(report.differences).toHaveLength(2)
    expect(report.differenceCount).toBeGreaterThan(20)
  })

  test('the books are good again after all this', async () => {
    expect((await reconcile(tampered.store)).differences).toEqual([])
  })
})
