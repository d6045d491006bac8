import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { migratedDatabase } from '../../../../testkit/store/engines.ts'
import { mediaStorm } from '../../../../testkit/storms/media-storm.ts'

/** Kills per engine, at one arrow each; `npm run bench:media-crash` does 200 at all of them. */
const kills = 2

describe('a gateway killed between the states of a job keeps its books', () => {
  async function storm(databaseUrl: string, instances: number): Promise<void> {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-media-crash-'))
    const remove = () => rm(dataDir, { recursive: true, force: true })
    const { report, ...seen } = await mediaStorm({ database: { databaseUrl, dataDir, remove }, kills, instances })
    await remove()
    console.log(JSON.stringify({ ...seen, rows: report.size }))
    expect(seen.submitted).toBeGreaterThan(0)
    expect(seen.submittedTwice).toEqual([])
    expect(seen.missing).toEqual([])
    expect(report.differences).toEqual([])
    expect(seen.exitCode).toBe(0)
  }

  it('on the embedded store', { timeout: 300_000 }, () => storm('sqlite:', 1))

  it('on PostgreSQL, with two instances', { timeout: 300_000 }, async () => {
    const database = await migratedDatabase('postgres')
    await storm(database.databaseUrl, 2)
    await database.remove()
  })
})
