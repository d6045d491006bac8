import { describe, expect, it } from 'vitest'
import { engines, migratedDatabase } from '../support/store/engines.ts'
import { flood } from '../support/storms/flood.ts'

/** `npm run bench:flood` is the long version and also judges how long the client waits. */
describe.each(engines)('a flood of attackers on %s', (engine) => {
  it('leaves a paying client served, memory bounded, every outcome known and the books exact', async () => {
    const database = await migratedDatabase(engine)
    const attackers = { seconds: 5, pipeliners: 700, nonReaders: 300, giants: 10, callers: 600 }
    const { statuses, peakMemoryMb, shed, reviews, books } = await flood(database, attackers)
    await database.remove()

    const { 200: settled = 0, 503: turnedAway = 0, ...others } = statuses
    expect(others).toEqual({})
    expect(settled).toBeGreaterThan(turnedAway)
    expect(peakMemoryMb).toBeLessThan(400)
    expect(shed).toBeGreaterThan(0)
    expect(reviews).toBe(0)
    expect(books).toMatchObject({ isSound: true, differences: [] })
  })
})
