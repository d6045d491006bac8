import { isMainThread } from 'node:worker_threads'

const preload = { NODE_OPTIONS: `--import=${import.meta.url}` }

/** The environment of a gateway process that polls media jobs at other times: it loads this file first. */
export const pollingEvery = (firstMs: number, maxMs: number) => ({
  ...preload,
  TEST_POLL_TIMING: `${firstMs} ${maxMs}`,
})

/** The same for a shorter lease, so that a killed instance is recovered soon. */
export const leasing = (leaseMs: number, renewMs: number) => ({
  ...preload,
  TEST_LEASE_TIMING: `${leaseMs} ${renewMs}`,
})

const { TEST_POLL_TIMING, TEST_LEASE_TIMING } = process.env
if (TEST_POLL_TIMING !== undefined && isMainThread) {
  const { pollTiming } = await import('../../src/features/calls/media/job-transitions.ts')
  const [firstMs, maxMs] = TEST_POLL_TIMING.split(' ').map(Number)
  Object.assign(pollTiming, { firstMs, maxMs })
}
if (TEST_LEASE_TIMING !== undefined && isMainThread) {
  const { leaseTiming } = await import('../../src/storage/postgres/lease.ts')
  const [leaseMs, renewMs] = TEST_LEASE_TIMING.split(' ').map(Number)
  Object.assign(leaseTiming, { leaseMs, renewMs })
}
