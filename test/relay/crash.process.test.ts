import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../../testkit/store/postgres-server.ts'
import { crashStorm, type StormOptions } from '../../testkit/storms/crash-storm.ts'

/** A few kills; `npm run bench:crash` does 500 per engine. */
describe('gateways killed at random moments keep every promise', () => {
  async function storm(options: Omit<StormOptions, 'database'>, databaseUrl: string): Promise<void> {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
    const remove = () => rm(dataDir, { recursive: true, force: true })
    const { report, ...seen } = await crashStorm({
      ...options,
      pauseMs: 30,
      database: { databaseUrl, dataDir, remove },
    })
    await remove()
    console.log(JSON.stringify({ ...seen, rows: report.size }))
    expect(seen.kills).toBeGreaterThanOrEqual(options.kills)
    expect(seen.told).toBeGreaterThan(0)
    expect(seen.mismatches).toEqual([])
    expect(seen.forwardedTwice).toEqual([])
    expect(seen.operators.faults).toEqual([])
    expect(seen.operators.repeated).toBeGreaterThan(0)
    expect(seen.operators.suspensions).toBeGreaterThan(0)
    expect(report.differences).toEqual([])
    expect(seen.eventFaults).toEqual([])
    expect(seen.events.all).toBeGreaterThan(10)
    expect(seen.events.due).toBe(0)
    expect(seen.exitCode).toBe(0)
  }

  it('on the embedded store', { timeout: 600_000 }, () => storm({ instances: 1, kills: 3 }, 'sqlite:'))

  it('on PostgreSQL, with two instances, while the database itself is killed too', { timeout: 600_000 }, async () => {
    const server = await startPostgres({ fsync: true })
    await storm({ instances: 2, kills: 4, killDatabase: { every: 3, kill: () => server.kill() } }, server.url)
    await server.remove()
  })
})
