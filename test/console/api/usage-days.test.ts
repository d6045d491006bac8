import { describe, expect, onTestFinished, test } from 'vitest'
import { freshStore, httpEngines, type Store } from '../../../testkit/store/engines.ts'
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

describe.each(httpEngines)('usage by day on %s', (engine) => {
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
})
