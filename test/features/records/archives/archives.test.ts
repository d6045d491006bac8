import { describe, expect, it } from 'vitest'
import { engines, isFullMatrix } from '../../../../testkit/store/engines.ts'
import type { Customer } from '../../../../testkit/store/rig.ts'
import { openArchiveRig, resultDays, retentionDays } from './archive-rig.ts'
import { dayMs } from './history.ts'

const rounds = 3

describe.each(engines)('archives on %s', (engine) => {
  const seeds = engine === 'postgres' ? [3] : isFullMatrix ? [1, 2] : [1]

  it.each(seeds)(
    'archives leave books, statements and balances as they were, wherever they cut (seed %d)',
    async (seed) => {
      const rig = await openArchiveRig(engine, seed)
      const { history } = rig
      await history.addCustomers(4)
      const projectIds = history.customers.map(({ projectId }) => projectId)
      const statements = () => Promise.all(projectIds.map((projectId) => rig.statement(projectId)))
      const balances = () => Promise.all(projectIds.map((projectId) => history.rig.stores.creditsOf(projectId)))
      const charges = new Map<string, string>()
      const chooseCharges = async () => {
        await rig.tree.settle()
        const found = await rig.store.read((tx) =>
          tx.all<{ chargeId: string; projectId: string }>(
            'SELECT charge_id AS "chargeId", project_id AS "projectId" FROM charges ORDER BY charge_id',
          ),
        )
        for (const [index, { chargeId, projectId }] of found.entries())
          if (index % 29 === 0) charges.set(chargeId, projectId)
      }
      /** The receipts of these charges and of some entries, and every statement. */
      const signed = async () => {
        const receipts = []
        for (const [chargeId, projectId] of charges) receipts.push(await rig.receipt(projectId, { chargeId }))
        for (const projectId of projectIds)
          for (const seq of [1, 9]) receipts.push(await rig.receipt(projectId, { seq }))
        const statements = []
        for (const projectId of projectIds.slice(0, 1))
          for (const month of ['2026-01', '2026-02', '2026-03']) {
            if (Date.parse(`${month}-01T00:00:00+08:00`) > history.now) continue
            statements.push(await rig.signedStatement(projectId, month))
          }
        return { receipts, statements }
      }
      for (let round = 0; round < rounds; round += 1) {
        await history.play(100)
        await chooseCharges()
        const before = await signed()
        for (const { status } of before.receipts) expect(status).toBe('included')
        const booked = { statements: await statements(), balances: await balances() }
        const planned = await rig.archiver().plan()
        const done = await rig.archive({ pageEntries: 1 + ((seed * 7 + round * 13) % 40) })
        expect({ ...done, pages: 0 }).toEqual({ ...planned, pages: 0 })
        expect({ statements: await statements(), balances: await balances() }).toEqual(booked)
        expect(await signed()).toEqual(before)
        expect(await rig.reconcile()).toMatchObject({ differences: [], archives: { missing: [] } })
      }
      history.now += 40 * dayMs
      await history.endAll()
      history.now += 40 * dayMs
      const before = await statements()
      expect((await rig.archive()).heldUp).toEqual([])
      // The last entry of each ledger stays, so that the next one can follow it.
      expect(await rig.rows('ledger_entries')).toBe(projectIds.length)
      expect(await statements()).toEqual(before)
      expect(await rig.reconcile()).toMatchObject({
        differences: [],
        archives: { entries: before.flat().length - projectIds.length },
      })
      for (const customer of history.customers) await history.settledCall(customer)
      await history.play(20)
      expect((await rig.reconcile()).differences).toEqual([])
      await rig.remove()
    },
  )

  it('archives keep Idempotency-Keys for resultDays more: until then none of them is charged again', async () => {
    const rig = await openArchiveRig(engine, 4)
    const { history } = rig
    await history.addCustomers(2)
    const [customer, other] = history.customers as [Customer, Customer]
    const call = (idempotencyDigest: string) => history.settledCall(customer, { idempotencyDigest })
    await call('first')
    history.now += (retentionDays + 1) * dayMs
    // Two, so that the last entry of the ledger, which stays, is of the second.
    await call('second')
    expect(await rig.archive()).toMatchObject({ charges: 1 })
    // Once with rows that were just read, and once with cached ones.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(call('first')).rejects.toThrow('not reserved but refused')
      await call(`new ${attempt}`)
    }
    await history.settledCall(other, { idempotencyDigest: 'first' })
    history.now += (resultDays - 1) * dayMs
    await rig.archive()
    await expect(call('first')).rejects.toThrow('not reserved but refused')
    history.now += 2 * dayMs
    await rig.archive()
    await call('first')
    expect((await rig.reconcile()).differences).toEqual([])
    await rig.remove()
  })

  it('archives forget nothing else: a key whose call was released without a trace is free', async () => {
    const rig = await openArchiveRig(engine, 4)
    await rig.history.addCustomers(1)
    const [customer] = rig.history.customers as [Customer]
    await rig.history.freedCall(customer, { idempotencyDigest: 'free' })
    rig.history.now += (retentionDays + 1) * dayMs
    await rig.history.settledCall(customer)
    expect(await rig.archive()).toMatchObject({ charges: 1 })
    await rig.history.settledCall(customer, { idempotencyDigest: 'free' })
    await rig.remove()
  })
})
