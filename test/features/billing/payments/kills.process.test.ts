import { expect, test } from 'vitest'
import { everyStep, type KillStep, killAtSteps } from '../../../../testkit/payments/kills.ts'
import { isFullMatrix, migratedDatabase } from '../../../../testkit/store/engines.ts'

/** `npm run bench:payments` kills at every step. */
const some: readonly KillStep[] = [
  ['paid', 'POST native after'],
  ['cancelled', 'POST close after'],
  ['refunded', 'POST refunds after'],
]

test('a gateway that gets SIGKILL while somebody pays or is refunded credits and refunds each payment once', {
  timeout: 240_000,
}, async () => {
  const database = await migratedDatabase('sqlite')
  const steps = isFullMatrix ? everyStep : some
  const { killedAt, faults } = await killAtSteps(database, steps)
  await database.remove()
  expect({ faults, kills: killedAt.length }).toEqual({ faults: [], kills: steps.length })
})
