import { describe, expect, onTestFinished, test } from 'vitest'
import { newSortableId } from '../../src/base/ids.ts'
import { createRowPoller } from '../../src/relay/row-poller.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig } from '../../testkit/store/rig.ts'

const isDone = (state: string | undefined) => state === 'done'

/** Rows that a test changes, and how they were read. */
function createRows() {
  const rows = new Map<string, string>()
  const reads: string[][] = []
  let running = 0
  let atOnce = 0
  let now = 0
  const look = createRowPoller<string>({
    clock: () => now,
    read: async (ids) => {
      reads.push([...ids])
      running += 1
      atOnce = Math.max(atOnce, running)
      await new Promise(setImmediate)
      running -= 1
      if (rows.has('broken')) throw new Error('no store')
      return new Map([...rows].filter(([id]) => ids.includes(id)))
    },
  })
  return { rows, reads, look, atOnce: () => atOnce, setTime: (time: number) => (now = time) }
}

describe('duplicates that wait for calls on other instances', () => {
  test('duplicates that wait for calls on other instances share one read at a time, which names each call once', async () => {
    const { rows, reads, look, atOnce } = createRows()
    const waiting = Array.from({ length: 300 }, (_, i) => look.until(`call ${i % 3}`, 1, isDone))
    await expect.poll(() => reads.length).toBeGreaterThan(2)
    for (const id of ['call 0', 'call 1', 'call 2']) rows.set(id, 'done')
    expect(await Promise.all(waiting)).toEqual(Array(300).fill({ row: 'done', isLate: false }))
    expect(atOnce()).toBe(1)
    // The first one asks at once; the others came while it did.
    expect(reads[0]).toEqual(['call 0'])
    for (const ids of reads.slice(1)) expect(ids).toEqual(['call 0', 'call 1', 'call 2'])
  })

  test('duplicates that wait for calls on other instances stop reading once none waits, and start again for the next', async () => {
    const { rows, reads, look } = createRows()
    rows.set('call', 'done')
    await look.until('call', 1, isDone)
    await look.until('call', 1, isDone)
    expect(reads).toEqual([['call'], ['call']])
  })

  test('duplicates that wait for calls on other instances get the current row at their deadline', async () => {
    const { rows, look, setTime } = createRows()
    rows.set('call', 'open')
    const [early, late] = [look.until('call', 10, isDone), look.until('call', 20, isDone)]
    setTime(10)
    expect(await early).toEqual({ row: 'open', isLate: true })
    rows.set('call', 'done')
    expect(await late).toEqual({ row: 'done', isLate: false })
  })

  test('duplicates that wait for calls on other instances fail with the store, and the next one asks again', async () => {
    const { rows, look } = createRows()
    rows.set('broken', 'yes')
    await expect(look.until('call', 1, isDone)).rejects.toThrow('no store')
    rows.delete('broken')
    rows.set('call', 'done')
    expect(await look.until('call', 1, isDone)).toEqual({ row: 'done', isLate: false })
  })
})

test.each(engines)('any number of charges is found at once on %s', async (engine) => {
  const { store, remove } = await freshStore(engine)
  onTestFinished(remove)
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 1000)
  const admissions = Array.from({ length: 70 }, () =>
    admissionOf(rig, customer, { chargeId: newSortableId('chg', rig.clock()) }),
  )
  await Promise.all(admissions.map((command) => rig.ledger.admit(command)))
  const ids = admissions.map(({ chargeId }) => chargeId)
  const found = await rig.stores.charges.findAll([...ids, 'chg_unknown'])
  expect([...found.keys()].toSorted()).toEqual(ids.toSorted())
  expect(new Set([...found.values()].map(({ state }) => state))).toEqual(new Set(['reserved']))
})
