import { pollTiming } from '../../src/features/calls/media/job-transitions.ts'

/** The environment of a gateway process that polls media jobs at other times: it loads this file first. */
export const pollingEvery = (firstMs: number, maxMs: number) => ({
  NODE_OPTIONS: `--import=${import.meta.url}`,
  TEST_POLL_TIMING: `${firstMs} ${maxMs}`,
})

const { TEST_POLL_TIMING } = process.env
if (TEST_POLL_TIMING !== undefined) {
  const [firstMs, maxMs] = TEST_POLL_TIMING.split(' ').map(Number)
  Object.assign(pollTiming, { firstMs, maxMs })
}
