import { describe, expect, it } from 'vitest'
import { httpEngines, migratedDatabase } from '../../../../testkit/store/engines.ts'
import { flood } from '../../../../testkit/storms/flood.ts'

/**
 * `npm run bench:flood` is the long version. It also judges what depends on the machine: how long the client waits,
 * how many of its calls are served, and whether the gateway has to shed any.
 */
describe.each(httpEngines)('a flood of attackers on %s', (engine) => {
  it('a flood of attackers leaves a paying client served, memory bounded, every outcome known and the books exact', async () => {
    const database = await migratedDatabase(engine)
    const attackers = { seconds: 5, pipeliners: 700, nonReaders: 300, giants: 10, callers: 600 }
    const { statuses, peakMemoryMb, reviews, reconciled } = await flood(database, attackers)
    await database.remove()

    const { 200: settled = 0, 503: shed = 0, ...others } = statuses
    expect(others).toEqual({})
    expect(settled, `${shed} were shed`).toBeGreaterThan(0)
    expect(peakMemoryMb).toBeLessThan(400)
    expect(reviews).toBe(0)
    expect(reconciled).toMatchObject({ isSound: true, differences: [] })
  })
})
