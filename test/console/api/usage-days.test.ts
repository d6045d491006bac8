import { describe, expect, onTestFinished, test } from 'vitest'
import { dayOf } from '../../../src/base/time.ts'
import { createConsoleStore } from '../../../src/features/records/reports/store.ts'
import { dailyParts } from '../../../src/features/records/reports/usage.ts'
import { engines, freshStore, type Store } from '../../../testkit/store/engines.ts'
import {
  addCredits,
  chatCall,
  chatResult,
  createCustomer,
  createRig,
  createTestRelay,
  testOperations,
} from '../../../testkit/store/rig.ts'

const midnight = Date.UTC(2026, 8, 3, 16)

describe.each(engines)('usage by day on %s', (engine) => {
  async function settleSome(store: Store) {
    let now = midnight - 1
    const rig = createRig(store, { clock: () => now })
    const relay = createTestRelay(
      rig,
      testOperations(async (prompt) => chatResult(prompt)),
    )
    const customers = [await createCustomer(rig), await createCustomer(rig)]
    for (const { projectId } of customers) await addCredits(rig, projectId, 1000)
    const callAll = (round: string) =>
      Promise.all(
        customers.flatMap((customer, of) =>
          Array.from({ length: 3 + of }, (_, i) => relay.run(chatCall(customer, `${round} ${i}`, 'hello'))),
        ),
      )
    await callAll('late')
    now = midnight
    await callAll('early')
    await callAll('again')
    return customers.map(({ projectId }) => projectId)
  }

  const rowsOf = (store: Store) =>
    store.read((tx) =>
      tx.all('SELECT project_id, day, operation, calls, credits FROM usage_days ORDER BY project_id, day'),
    )

  test('usage by day adds up what each batch settled by project and day in Shanghai', async () => {
    const { store, remove } = await freshStore(engine)
    onTestFinished(remove)
    const projectIds = await settleSome(store)
    const day = Math.floor(Date.UTC(2026, 8, 3) / 86_400_000)
    const expected = projectIds.flatMap((project_id, of) =>
      [3 + of, 6 + 2 * of].map((calls, later) => {
        return { project_id, day: day + later, operation: 'model.chat', calls, credits: calls * 3 }
      }),
    )
    expect(await rowsOf(store)).toEqual(expect.arrayContaining(expected))
    expect(await rowsOf(store)).toHaveLength(expected.length)
  })

  test('usage by day and key or model adds up the same calls, and names the largest eight', async () => {
    const { store, remove } = await freshStore(engine)
    onTestFinished(remove)
    const [projectId] = await settleSome(store)
    const reports = createConsoleStore(store)
    for (const by of ['key', 'model'] as const) {
      const { items } = await dailyParts(reports, projectId!, { by, days: 30, now: midnight })
      expect(items.map(({ day, calls, credits }) => [day, calls, credits])).toEqual([
        ['2026-09-03', 3, 9],
        ['2026-09-04', 6, 18],
      ])
      if (by === 'key')
        expect(new Set(items.map(({ part }) => part))).toEqual(new Set([expect.stringMatching(/^key_/)]))
    }
    const many = {
      ...reports,
      partsByDay: async () =>
        Array.from({ length: 20 }, (_, i) => ({ day: dayOf(midnight), part: `key_${i}`, calls: 1, credits: 20 - i })),
    }
    const { items } = await dailyParts(many, projectId!, { by: 'key', days: 1, now: midnight })
    expect(items).toHaveLength(9)
    expect(items.find(({ part }) => part === null)).toMatchObject({ calls: 12, credits: 78 })
  })
})
