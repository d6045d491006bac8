import { describe, expect, onTestFinished, test } from 'vitest'
import { reconcile } from '../../src/operator/reconcile.ts'
import { openMigrator } from '../../src/storage/migrate-store.ts'
import { postgresDialect } from '../../src/storage/postgres/dialect.ts'
import { openPostgres } from '../../src/storage/postgres/postgres-engine.ts'
import { migrate } from '../../src/storage/schema/migrate.ts'
import { migrations } from '../../src/storage/schema/migrations.ts'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'
import { createTestAdministration } from '../support/store/administration.ts'
import {
  type Database,
  type EngineName,
  engines,
  freshDatabase,
  openDatabase,
  type Store,
  silent,
} from '../support/store/engines.ts'
import { admissionOf, createRig } from '../support/store/rig.ts'

/** Opens a database without migrating it. */
const openBare = ({ databaseUrl, dataDir }: Database, engine: EngineName): Promise<Store> =>
  engine === 'sqlite'
    ? openSqlite({ file: `${dataDir}/gateway.sqlite`, exclusive: false, logger: silent })
    : openPostgres({ url: databaseUrl, logger: silent })

const [projects, chargesEach] = [3, 40]

/** Books as the version before wrote them: each project bought 1000 credits and settled some calls of 3. */
async function writeOldBooks(store: Store): Promise<void> {
  await store.write(async (tx) => {
    let entryId = 0
    for (let p = 1; p <= projects; p += 1) {
      const own = [`acc_${p}`, `prj_${p}`, `key_${p}`, `ord_${p}`, `lot_${p}`] as const
      const [account, project, key, order, lot] = own
      await tx.run(
        `INSERT INTO accounts (account_id, name, recovery_email_digest, recovery_email_masked, recovery_email_state,
          password_digest, created_at) VALUES ($1, 'Account', $1, 'l***@example.com', 'verified', 'digest', 1)`,
        [account],
      )
      await tx.run(
        `INSERT INTO identities (identity_subject, account_id, phone_digest, phone_masked, verified_at)
        VALUES ($1, $1, $1, '138****5678', 1)`,
        [account],
      )
      await tx.run("INSERT INTO projects (project_id, account_id, name, created_at) VALUES ($1, $2, 'Project', 1)", [
        project,
        account,
      ])
      await tx.run(
        `INSERT INTO api_keys (key_id, project_id, key_digest, display_prefix, scopes, created_at)
        VALUES ($1, $2, $1, 'gk_live_abcd...wxyz', 'models:invoke', 1)`,
        [key, project],
      )
      await tx.run(
        `INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount, pricing_version, state,
          created_at, credited_at) VALUES ($1, $2, 'digest', 10000, 1000, 'v1', 'credited', 1, 1)`,
        [order, project],
      )
      await tx.run("INSERT INTO credit_lots VALUES ($1, $2, $3, 'simulated_prepaid', 1000, 1)", [lot, project, order])
      let previous: number | null = null
      let seq = 0
      const enter = async (
        kind: string,
        amount: number,
        available: number,
        reserved: number,
        charge: string | null,
      ) => {
        entryId += 1
        seq += 1
        await tx.run('INSERT INTO ledger_entries VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)', [
          ...[entryId, previous, project, seq, kind, amount, available, reserved],
          ...[charge, charge === null ? lot : null],
        ])
        previous = entryId
      }
      await enter('credit', 1000, 1000, 0, null)
      for (let c = 1; c <= chargesEach; c += 1) {
        const charge = `chg_${p}_${String(c).padStart(3, '0')}`
        await tx.run(
          `INSERT INTO charges (charge_id, project_id, key_id, operation, credits, pricing_version, state, idempotency_digest,
            fingerprint, isolation_version, leaves_process, instance_id, request_id, reserved_at, ended_at)
          VALUES ($1, $2, $3, 'model.chat', 3, 'v1', 'settled', $1, 'print', 1, 1, 'ins', 'req', 1, 1)`,
          [charge, project, key],
        )
        await tx.run("INSERT INTO charge_responses VALUES ($1, 200, NULL, '{}', 1)", [charge])
        await enter('reserve', 3, 1000 - 3 * c, 3, charge)
        await enter('settle', 3, 1000 - 3 * c, 0, charge)
      }
      const settled = 3 * chargesEach
      await tx.run('INSERT INTO balances VALUES ($1, $2, 0, $3, 1000, $4, $5)', [
        project,
        1000 - settled,
        settled,
        seq,
        previous,
      ])
      await tx.run(
        "INSERT INTO usage_days (project_id, day, operation, calls, credits) VALUES ($1, 0, 'model.chat', $2, $3)",
        [...[project, chargesEach, settled]],
      )
    }
    if (store.kind === 'postgres') await tx.get("SELECT setval('ledger_entry_ids', 257) AS done")
  })
}

describe.each(engines)('a store of the version before, on %s', (engine) => {
  test('keeps its books, and takes grants, withdrawals and suspensions', async () => {
    const database = await freshDatabase(engine)
    onTestFinished(() => database.remove())
    const dialect = engine === 'sqlite' ? sqliteDialect : postgresDialect
    const old = await openBare(database, engine)
    await migrate(old, { dialect, migrations: migrations.filter(({ version }) => version < 3), now: () => 1 })
    await writeOldBooks(old)
    const rowsOf = (store: Store, table: string) => store.read((tx) => tx.all(`SELECT * FROM ${table} ORDER BY 1`))
    const before = { entries: await rowsOf(old, 'ledger_entries'), lots: await rowsOf(old, 'credit_lots') }
    await old.close()

    const migrator = await openMigrator({ ...database, clock: () => 1, logger: silent })
    await migrator.run(() => {})
    await migrator.close()
    const store = await openDatabase(database)
    onTestFinished(() => store.close())
    expect(await rowsOf(store, 'ledger_entries')).toEqual(before.entries)
    expect(await rowsOf(store, 'credit_lots')).toEqual(before.lots)
    expect(before.entries).toHaveLength(projects * (1 + 2 * chargesEach))
    expect((await reconcile(store)).differences).toEqual([])

    const rig = createRig(store)
    const operate = createTestAdministration(rig)
    const actor = { name: 'Ada', via: 'command line' } as const
    const request = { projectId: 'prj_1', reference: 'bank 1', reason: 'paid' }
    const granted = await operate.moveCredits(actor, { ...request, kind: 'grant', credits: 50 })
    expect(granted).toMatchObject({ balance: { available: 930, reserved: 0 } })
    await operate.moveCredits(actor, { ...request, kind: 'withdraw', credits: 930 })
    await operate.suspendAccount(actor, { accountId: 'acc_2', reason: 'abuse' })
    const call = (p: number) =>
      rig.ledger.admit(admissionOf(rig, { projectId: `prj_${p}`, keyId: `key_${p}`, apiKey: '' }))
    expect(await call(1)).toMatchObject({ code: 'INSUFFICIENT_PAID_CREDITS' })
    expect(await call(2)).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await call(3)).toEqual({ kind: 'reserved' })
    expect((await reconcile(store)).differences).toEqual([])
  })
})
