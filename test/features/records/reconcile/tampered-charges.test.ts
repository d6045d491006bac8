import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { engines } from '../../../../testkit/store/engines.ts'
import { openTamperedStore, run } from './tampering.ts'

/** What a thief, a bug or a half-restored backup could leave, table by table. */
describe.each(engines)('tampered charges on %s', (engine) => {
  let tampered: Awaited<ReturnType<typeof openTamperedStore>>
  beforeAll(async () => {
    tampered = await openTamperedStore(engine)
  })
  afterAll(() => tampered.remove())

  const charge = () => tampered.charges
  const found: typeof tampered.found = (tamper, options) => tampered.found(tamper, options)

  describe('charges', () => {
    const setState = (state: string, chargeId: string) =>
      run(`UPDATE charges SET state = '${state}', ended_at = COALESCE(ended_at, 1) WHERE charge_id = $1`, [chargeId])

    test('reconcile finds a settled charge whose entries still hold it', async () => {
      const differences = await found(setState('settled', charge().reserved))
      expect(differences).toContainEqual([
        'I2',
        charge().reserved,
        'entries of a charge that is settled',
        '1 reserve, 1 settle',
        '1 reserve',
      ])
      expect(differences).toContainEqual(['I1', 'balance', 'settled against the settled charges', 9, 6])
      expect(differences).toContainEqual(['I3', charge().reserved, 'stored response', 'one', 'none'])
    })
    test('reconcile finds a released charge whose entries settled it', async () => {
      expect(await found(setState('released', charge().settled))).toContainEqual([
        'I3',
        charge().settled,
        'status of the stored response of a charge that is released',
        'an error, or 202 for a job',
        200,
      ])
    })
    test('reconcile finds a decided charge back in review', async () => {
      expect(await found(setState('manual_review', charge().reviewedAndReleased))).toContainEqual([
        'I2',
        charge().reviewedAndReleased,
        'decision of an operator',
        'none',
        'released',
      ])
    })
    test('reconcile finds a changed price', async () => {
      const differences = await found(run('UPDATE charges SET credits = 1 WHERE charge_id = $1', [charge().settled]))
      expect(differences).toEqual([
        ['I1', 'balance', 'settled against the settled charges', 4, 6],
        ['I1', 'balance', 'usage by day against the settled charges', 4, 6],
        ['I2', charge().settled, 'credits of its entries', 1, 3],
      ])
    })
    test('reconcile finds a settled charge whose key could be charged again', async () => {
      const free = 'UPDATE charges SET idempotency_digest = NULL WHERE charge_id = $1'
      expect(await found(run(free, [charge().settled]))).toEqual([
        ['I3', charge().settled, 'its Idempotency-Key', 'used up', 'free'],
        ['I3', charge().settled, 'stored response', 'none', 200],
      ])
    })
    test('reconcile finds two charges with one key', async () => {
      const differences = await found(async (tx) => {
        await tx.run('DROP INDEX charges_by_idempotency')
        await tx.run(
          `UPDATE charges SET idempotency_digest = (SELECT idempotency_digest FROM charges WHERE charge_id = $1)
          WHERE charge_id = $2`,
          [charge().settled, charge().waiting],
        )
      })
      expect(differences).toEqual([
        ['I3', charge().settled, `charges with one Idempotency-Key, up to ${charge().waiting}`, 1, 2],
      ])
    })
    test('reconcile finds a charge without entries', async () => {
      expect(await found(run('DELETE FROM ledger_entries WHERE charge_id = $1', [charge().reserved]))).toContainEqual([
        'I2',
        charge().reserved,
        'entries of a charge that is reserved',
        '1 reserve',
        'none',
      ])
    })
  })

  describe('stored responses', () => {
    test('reconcile finds a stored response deleted too early, and none deleted in time', async () => {
      const drop = run('DELETE FROM charge_responses WHERE charge_id = $1', [charge().settled])
      expect(await found(drop)).toEqual([['I3', charge().settled, 'stored response', 'one', 'none']])
      expect(await found(drop, { resultsKeptSince: Number.MAX_SAFE_INTEGER })).toEqual([])
    })
    test('reconcile finds a stored response of a charge that is still in progress', async () => {
      const insert = run(
        "INSERT INTO charge_responses (charge_id, status, body, stored_at) VALUES ($1, 200, '{}', 1)",
        [charge().reserved],
      )
      expect(await found(insert)).toEqual([['I3', charge().reserved, 'stored response', 'none', 200]])
    })
    test('reconcile finds a stored success for a charge in review', async () => {
      expect(
        await found(run('UPDATE charge_responses SET status = 200 WHERE charge_id = $1', [charge().waiting])),
      ).toEqual([
        ['I3', charge().waiting, 'status of the stored response of a charge that is manual_review', '202', 200],
      ])
    })
    test('reconcile finds a stored plain success after a review', async () => {
      const update = run('UPDATE charge_responses SET status = 200 WHERE charge_id = $1', [charge().reviewedAndSettled])
      expect((await found(update)).map(([, at]) => at)).toEqual([charge().reviewedAndSettled])
    })
  })

  describe('decisions', () => {
    const insert =
      "INSERT INTO review_decisions (charge_id, decision, reason, decided_by, decided_at) VALUES ($1, 'settled', 'r', 'b', 1)"
    test('reconcile finds a missing decision', async () => {
      const drop = run('DELETE FROM review_decisions WHERE charge_id = $1', [charge().reviewedAndSettled])
      expect(await found(drop)).toEqual([
        ['I2', charge().reviewedAndSettled, 'decision of an operator', 'settled', 'none'],
      ])
    })
    test('reconcile finds a decision about a charge that was never in review', async () => {
      expect(await found(run(insert, [charge().settled]))).toEqual([
        ['I2', charge().settled, 'decision of an operator', 'none', 'settled'],
        ['I7', `charge ${charge().settled}`, 'entry review.settle', 'one', 'none'],
      ])
    })
    test('reconcile finds a decision about a charge that is still in review', async () => {
      expect(await found(run(insert, [charge().waiting]))).toHaveLength(2)
    })
    test('reconcile finds a decision that says the opposite', async () => {
      const flip = run("UPDATE review_decisions SET decision = 'released' WHERE charge_id = $1", [
        charge().reviewedAndSettled,
      ])
      expect(await found(flip)).toEqual([
        ['I2', charge().reviewedAndSettled, 'decision of an operator', 'settled', 'released'],
        ['I7', `charge ${charge().reviewedAndSettled}`, 'entry review.release', 'one', 'none'],
      ])
    })
  })

  test('the books are good again after all this', async () => {
    expect((await reconcile(tampered.store)).differences).toEqual([])
  })
})
