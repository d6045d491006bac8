import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into every thread of a gateway process (`NODE_OPTIONS=--import`). At each SIGUSR2 every thread appends a line to
 * the file `RECORDED_FILES`: the source files whose functions ran since the signal before.
 */
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const signals = new BroadcastChannel('record-calls')
signals.onmessage = record
;(signals as unknown as { unref(): void }).unref()
if (isMainThread)
  process.on('SIGUSR2', () => {
    signals.postMessage('')
    record()
  })

function record(): void {
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const files = result.filter(({ url, functions }) => url.includes('/src/') && functions.some(hasRun))
    appendFileSync(process.env.RECORDED_FILES!, `${JSON.stringify(files.map(({ url }) => url))}\n`)
  })
}

const hasRun = ({ ranges }: { ranges: { count: number }[] }) => ranges.some(({ count }) => count > 0)
