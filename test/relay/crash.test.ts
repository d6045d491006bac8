import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crashStorm } from '../support/crash-storm.ts'
import { type Database, type EngineName, freshDatabase } from '../support/engines.ts'

const kills = Number(process.env.KILLS ?? 50)
const storms = [
  { engine: 'sqlite', instances: 1 },
  { engine: 'postgres', instances: 2 },
] as const satisfies { engine: EngineName; instances: number }[]

describe.each(storms)('$instances gateway(s) on $engine, killed at random', ({ engine, instances }) => {
  let database: Database

  beforeAll(async () => {
    database = await freshDatabase(engine)
  })
  afterAll(() => database.remove())

  it(`keep every promise through ${kills} kills`, { timeout: 300_000 }, async () => {
    const { report, ...storm } = await crashStorm({ database, instances, kills })
    console.log(engine, JSON.stringify({ ...storm, books: report.size }))
    expect(storm.kills).toBeGreaterThanOrEqual(kills)
    expect(storm.told).toBeGreaterThan(0)
    expect(storm.mismatches).toEqual([])
    expect(storm.forwardedTwice).toEqual([])
    expect(report.differences).toEqual([])
    expect(storm.exitCode).toBe(0)
  })
})
