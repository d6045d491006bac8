import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { everyStep } from '../payments/kills.ts'
import { killStorm, mediaStepsToHold } from './kill-storm.ts'

/** `npm run bench:crash`, `bench:media-crash` and `bench:payments` kill hundreds of times. */
export async function expectKeptPromises(
  databaseUrl: string,
  instances: number,
  killDatabase?: () => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-kills-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const database = { databaseUrl, dataDir, remove }
  const seen = await killStorm({ database, instances, ...(killDatabase && { killDatabase }) })
  await remove()
  expect(seen.faults).toEqual([])
  expect(seen.paymentSteps.toSorted()).toEqual(everyStep.map((step) => step.join(': ')).toSorted())
  expect(seen.mediaSteps).toEqual(mediaStepsToHold)
  expect(seen.exitCodes).toEqual(Array(instances).fill(0))
  const { answered, replays, credited, moved, repeated, suspensions, events } = seen.counts
  for (const count of [answered, replays, credited, moved, repeated, suspensions, seen.submitted])
    expect(count).toBeGreaterThan(0)
  expect(events.all).toBeGreaterThan(10)
}
