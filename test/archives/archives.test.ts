import { describe, expect, it } from 'vitest'
import { engines } from '../support/store/engines.ts'
import { openArchiveRig } from './archive-rig.ts'
import { dayMs } from './history.ts'

const seeds = [1, 2]
const rounds = 3

describe.each(engines)('archives on %s', (engine) => {
  it.each(seeds)('leave books, statements and balances as they were, wherever they cut (seed %d)', async (seed) => {
    const rig = await openArchiveRig(engine, seed)
    const { history } = rig
    await history.addCustomers(4)
    const projectIds = history.customers.map(({ projectId }) => projectId)
    const statements = () => Promise.all(projectIds.map((projectId) => rig.statement(projectId)))
    const balances = () => Promise.all(projectIds.map((projectId) => history.rig.stores.creditsOf(projectId)))
    for (let round = 0; round < rounds; round += 1) {
      await history.play(80)
      const before = { statements: await statements(), balances: await balances() }
      const planned = await rig.archiver().plan()
      const done = await rig.archive({ pageEntries: 1 + ((seed * 7 + round * 13) % 40) })
      expect({ ...done, pages: 0 }).toEqual({ ...planned, pages: 0 })
      expect({ statements: await statements(), balances: await balances() }).toEqual(before)
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
  })
})
