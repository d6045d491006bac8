import { afterEach, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { type Database, engines, migratedDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig } from '../../testkit/store/rig.ts'

describe.each(engines)('a charge that cannot be ended, on %s', (engine) => {
  let database: Database
  let gateway: Gateway | undefined
  afterEach(async () => {
    await gateway?.stop()
    await database.remove()
  })

  it('a charge that cannot be ended blocks neither the start nor the recovery of other charges, and is reported', async () => {
    database = await migratedDatabase(engine)
    const store = await openDatabase(database)
    const rig = createRig(store)
    const reserve = async () => {
      const customer = await createCustomer(rig)
      await addCredits(rig, customer.projectId, 100)
      const admission = admissionOf(rig, customer, { leavesProcess: false })
      expect(await rig.ledger.admit(admission)).toMatchObject({ kind: 'reserved' })
      return admission
    }
    const stuck = await reserve()
    const sound = await reserve()
    // Less than the charge holds, so releasing its three credits breaks a rule.
    await store.write((tx) =>
      tx.run('UPDATE balances SET available = credited - 1, reserved = 1 WHERE project_id = $1', [stuck.projectId]),
    )
    await store.close()

    gateway = await startGateway({ database, lease: { leaseMs: 2000, renewMs: 500 } })
    expect(await gateway.operator('/readyz')).toMatchObject({ status: 200 })
    // On PostgreSQL only after a whole period of its own lease.
    const log = gateway.log
    const reports = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a charge cannot be ended')
    await expect.poll(reports, { timeout: 60_000 }).toMatchObject([{ chargeId: stuck.chargeId }])
    const metrics = async () => (await gateway!.operator('/metrics')).text
    await expect.poll(metrics).toContain('gateway_charges_stuck 1\n')

    await gateway.stop()
    gateway = undefined
    const after = await openDatabase(database)
    const { charges } = createRig(after).stores
    expect(await charges.find(sound.chargeId)).toMatchObject({ state: 'released' })
    expect(await charges.find(stuck.chargeId)).toMatchObject({ state: 'reserved' })
    await after.close()
  })
})
