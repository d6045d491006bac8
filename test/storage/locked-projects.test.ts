import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { batchLimits } from '../../src/storage/postgres/batch.ts'
import type { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, type Customer, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

describe('a project that another session has locked', () => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let locked: Customer
  let others: Customer[]

  beforeAll(async () => {
    opened = await freshStore('postgres')
    rig = createRig(opened.store)
    others = await Promise.all(Array.from({ length: 5 }, () => createCustomer(rig)))
    for (const { projectId } of others) await addCredits(rig, projectId, 1000)
  })
  beforeEach(async () => {
    locked = await createCustomer(rig)
    await addCredits(rig, locked.projectId, 100)
  })
  afterAll(() => opened.remove())

  /** As a gateway holds it that stalls in the middle of a batch. */
  async function lock(table: 'balances' | 'api_keys', column: string, id: string) {
    const client = new pg.Client({ connectionString: opened.database.databaseUrl })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('BEGIN')
    await client.query(`SELECT 1 FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [id])
    return { release: () => client.query('ROLLBACK') }
  }
  const admit = (customer: Customer, ledger = rig.ledger) => ledger.admit(admissionOf(rig, customer))
  const reserved = { kind: 'reserved' }

  it.each([
    ['balance', () => lock('balances', 'project_id', locked.projectId)],
    ['key', () => lock('api_keys', 'key_id', locked.keyId)],
  ])(
    'a project that another session has locked by its %s delays only its own calls, which run once it is free',
    async (_row, lockIt) => {
      // Cached rows too: an optimistic batch must not wait either.
      await Promise.all([locked, ...others].map((customer) => admit(customer)))
      const { release } = await lockIt()
      let hasRun = false
      const waiting = Promise.all([admit(locked), admit(locked)]).then((results) => {
        hasRun = true
        return results
      })
      for (let round = 0; round < 5; round += 1) {
        const batch = [...others, ...others].map((customer) => admit(customer))
        expect(await Promise.all(batch)).toEqual(Array(10).fill(reserved))
      }
      const later = admit(locked)
      expect(hasRun).toBe(false)
      expect(rig.ledger.queued()).toBeGreaterThanOrEqual(3)
      await release()
      expect(await waiting).toEqual([reserved, reserved])
      expect(await later).toEqual(reserved)
      expect(await rig.stores.creditsOf(locked.projectId)).toEqual({ available: 88, reserved: 12 })
      expect(rig.ledger.queued()).toBe(0)
      expect((await reconcile(rig.engine)).differences).toEqual([])
    },
  )

  it('a key is revoked only after the batch that has locked its project, which may still admit its calls', async () => {
    const { release } = await lock('balances', 'project_id', locked.projectId)
    let isRevoked = false
    const revoked = rig.keys.revoke(locked.projectId, locked.keyId).then(() => {
      isRevoked = true
    })
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => isRevoked || (await rig.engine.read((tx) => tx.all(waiting))).length).toBe(1)
    await release()
    await revoked
    expect(await admit(locked)).toMatchObject({ kind: 'refused', code: 'UNAUTHORIZED' })
  })

  it('a project locked by another session is given up on after a while, and only that one', async () => {
    const ledger = createLedger({ store: rig.stores.batches, waitLimitMs: 200 })
    const { release } = await lock('balances', 'project_id', locked.projectId)
    const failing = admit(locked, ledger)
    const [other] = others
    expect(await admit(other!, ledger)).toEqual(reserved)
    await expect(failing).rejects.toMatchObject({ name: 'ProjectLocked' })
    await release()
    expect(await admit(locked, ledger)).toEqual(reserved)
    expect(await rig.stores.creditsOf(locked.projectId)).toEqual({ available: 97, reserved: 3 })
  })

  it('a project that another session has locked is unlocked by the server when its gateway stalls or vanishes', async () => {
    const engine = (opened.store as PostgresEngine).withOwnPool(batchLimits)
    const rows = await engine.read((tx) =>
      tx.all<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings
        WHERE name LIKE 'tcp_%' OR name = 'idle_in_transaction_session_timeout' ORDER BY name`,
      ),
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      idle_in_transaction_session_timeout: '2500',
      tcp_keepalives_count: '3',
      tcp_keepalives_idle: '5',
      tcp_keepalives_interval: '2',
      tcp_user_timeout: '11000',
    })
  })
})
