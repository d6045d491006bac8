import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyStep } from '../../testkit/payments/kills.ts'
import { startPostgres } from '../../testkit/store/postgres-server.ts'
import { killStorm } from '../../testkit/storms/kill-storm.ts'

/** `npm run bench:crash`, `bench:media-crash` and `bench:payments` kill hundreds of times. */
async function keepsEveryPromise(databaseUrl: string, instances: number, killDatabase?: () => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-kills-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const database = { databaseUrl, dataDir, remove }
  const seen = await killStorm({ database, instances, ...(killDatabase && { killDatabase }) })
  await remove()
  expect(seen.faults).toEqual([])
  expect(seen.paymentSteps.toSorted()).toEqual(everyStep.map((step) => step.join(': ')).toSorted())
  expect(seen.exitCodes).toEqual(Array(instances).fill(0))
  const { answered, replays, credited, moved, repeated, suspensions, events } = seen.counts
  for (const count of [answered, replays, credited, moved, repeated, suspensions, seen.submitted])
    expect(count).toBeGreaterThan(0)
  expect(events.all).toBeGreaterThan(10)
}

test('killed gateways keep every promise on the embedded store', { timeout: 300_000 }, () =>
  keepsEveryPromise('sqlite:', 1),
)

test('two killed gateways keep every promise on PostgreSQL, whose server is killed too', {
  timeout: 300_000,
}, async () => {
  const server = await startPostgres({ fsync: true })
  await keepsEveryPromise(server.url, 2, () => server.kill())
  await server.remove()
})
