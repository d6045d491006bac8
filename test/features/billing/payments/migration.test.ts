import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { openStore } from '../../../../src/storage/open-store.ts'
import { migrations } from '../../../../src/storage/schema/migrations.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { type Database, engines, freshDatabase, silent } from '../../../../testkit/store/engines.ts'

describe.each(engines)('the migration to payments, on %s', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database.remove())

  const open = (known = migrations) =>
    openStore({ ...database, exclusive: true, clock: () => 1_700_000_000_000, logger: silent, migrations: known })

  it('keeps the lots and what refers to them, and the lots can be paid ones', async () => {
    const old = await open(migrations.filter(({ version }) => version < 4))
    await old.write(async (tx) => {
      for (const sql of [
        `INSERT INTO accounts (account_id, name, recovery_email_digest, recovery_email_masked, recovery_email_state, password_digest, created_at)
          VALUES ('acc', 'n', 'd', 'm', 'verified', 'p', 1)`,
        `INSERT INTO projects (project_id, account_id, name, created_at) VALUES ('prj', 'acc', 'n', 1)`,
        `INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount, pricing_version, state, created_at, credited_at)
          VALUES ('ord', 'prj', 'i', 1000, 100, 'v', 'credited', 1, 2)`,
        `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
          VALUES ('lot', 'prj', 'ord', 'simulated_prepaid', 100, 2)`,
        `INSERT INTO ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available, reserved, lot_id, entered_at)
          VALUES (1, NULL, 'prj', 1, 'credit', 100, 100, 0, 'lot', 2)`,
        `INSERT INTO balances (project_id, available, reserved, settled, credited, entries, last_entry_id)
          VALUES ('prj', 100, 0, 0, 100, 1, 1)`,
      ])
        await tx.run(sql)
    })
    await old.close()

    // PostgreSQL is migrated by the command, SQLite by the start too.
    expect((await runCommand(database, ['migrate'])).exitCode).toBe(0)
    const store = await open()
    const lots = await store.read((tx) => tx.all('SELECT lot_id, kind, amount, reference FROM credit_lots'))
    expect(lots).toEqual([{ lot_id: 'lot', kind: 'simulated_prepaid', amount: 100, reference: null }])
    expect((await reconcile(store)).differences).toEqual([])
    const insert = (kind: string, reference: string | null, order = 'ord2') =>
      store.write(async (tx) => {
        await tx.run(
          `INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount, pricing_version, state, created_at, credited_at)
          VALUES ($1, 'prj', $1, 1000, 100, 'v', 'credited', 1, 2)`,
          [order],
        )
        await tx.run(
          `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at, reference)
          VALUES ($1, 'prj', $1, $2, 100, 2, $3)`,
          [order, kind, reference],
        )
      })
    await insert('paid', 'wechat:1')
    await expect(insert('paid', 'wechat:1', 'ord3')).rejects.toThrow()
    await expect(insert('paid', null, 'ord4')).rejects.toThrow()
    await expect(insert('gift', null, 'ord5')).rejects.toThrow()
    // I9: a paid lot needs its payment.
    expect((await reconcile(store)).differences.map(({ invariant }) => invariant)).toContain('I9')
    // Nothing can take a lot away from its ledger entry.
    await expect(store.write((tx) => tx.run("DELETE FROM credit_lots WHERE lot_id = 'lot'"))).rejects.toThrow()
    await store.close()
  })
})
