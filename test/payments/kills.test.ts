import { describe, expect, test } from 'vitest'
import { killAtEveryStep } from '../support/payments/kills.ts'
import { isFullMatrix, migratedDatabase } from '../support/store/engines.ts'

/** After a creation was carried out, and at our answer to it or a query; `npm run bench:payments` kills at every step. */
const some = [2, 5]

describe('a gateway that gets SIGKILL while somebody pays', () => {
  test('credits every payment once', { timeout: 240_000 }, async () => {
    const database = await migratedDatabase('sqlite')
    const { killedAt, faults } = await killAtEveryStep(database, isFullMatrix ? undefined : some)
    await database.remove()
    expect(faults).toEqual([])
    expect(killedAt.length).toBeGreaterThanOrEqual(some.length)
  })
})
