import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptStatement, writeScript } from '../../src/storage/engine.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

describe.each(engines)('a script on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  beforeEach(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store)
  })
  afterEach(() => fresh.remove())

  const window = (key: string): ScriptStatement => ({
    sql: 'INSERT INTO rate_windows (bucket, window_ends_at, used) VALUES ($1, 1, 1)',
    params: [key],
  })
  const windows = () => fresh.store.read((tx) => tx.all('SELECT bucket FROM rate_windows ORDER BY bucket'))

  test('a script commits all of its statements', async () => {
    expect(await writeScript(fresh.store, [window('a'), window('b')])).toBe(true)
    expect(await windows()).toHaveLength(2)
  })

  test('a script writes nothing if a statement that must change a row changes none', async () => {
    const nothing: ScriptStatement = {
      sql: "UPDATE rate_windows SET used = 2 WHERE bucket = 'none'",
      params: [],
      mustChange: true,
    }
    expect(await writeScript(fresh.store, [window('a'), nothing, window('b')])).toBe(false)
    expect(await windows()).toEqual([])
  })

  test('a script writes nothing if a statement fails', async () => {
    await expect(writeScript(fresh.store, [window('a'), window('a')])).rejects.toThrow('already exists')
    expect(await windows()).toEqual([])
  })

  test('the ledger sees what a script has changed', async () => {
    const customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 10)
    expect(await rig.ledger.admit(admissionOf(rig, customer))).toEqual({ kind: 'reserved' })
    const suspend = 'UPDATE api_keys SET revoked_at = 1 WHERE key_id = $1'
    await writeScript(fresh.store, [{ sql: suspend, params: [customer.keyId], mustChange: true }])
    expect(await rig.ledger.admit(admissionOf(rig, customer))).toMatchObject({ kind: 'refused' })
  })
})
