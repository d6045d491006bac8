import type { Metrics } from '../../../ops/metrics.ts'

export type ReleasedStreams = ReturnType<typeof createReleasedStreams>

/** Counts output that callers got for nothing and the provider may bill. */
export function createReleasedStreams() {
  let streams = 0
  let bytes = 0
  const what = 'streams whose charge was released after parts of them had been passed on.'
  return {
    count(partBytes: number): void {
      if (partBytes === 0) return
      streams += 1
      bytes += partBytes
    },
    registerMetrics({ counter }: Metrics): void {
      counter('gateway_streams_released_total', `Number of ${what}`, () => streams)
      counter('gateway_streams_released_bytes_total', `Bytes passed on in ${what}`, () => bytes)
    },
  }
}
