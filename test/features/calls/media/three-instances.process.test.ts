import { afterAll, beforeAll, expect, it } from 'vitest'
import { leasing } from '../../../../testkit/gateway/process-timing.ts'
import { type Database, migratedDatabase } from '../../../../testkit/store/engines.ts'
import { sharedJobs } from '../../../../testkit/storms/shared-jobs.ts'

/** `npm run bench:media-crash` shares 2,000. */
const jobs = 60

let database: Database
beforeAll(async () => {
  database = await migratedDatabase('postgres')
})
afterAll(() => database.remove())

it('three instances share the open jobs, and a killed one hands its jobs over', { timeout: 200_000 }, async () => {
  const seen = await sharedJobs({ database, jobs, environment: leasing(5000, 1500) })
  expect(seen.mostAtOnce).toBe(1)
  expect(seen.pollers).toBe(3)
  expect(seen.unpolledAfterKill).toEqual([])
  expect(seen.completed).toBe(jobs)
  expect(seen.report.differences).toEqual([])
})
