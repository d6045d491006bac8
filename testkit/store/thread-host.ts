import { syncBuiltinESMExports } from 'node:module'
import threads, { type MessagePort } from 'node:worker_threads'

/** A thread of `reuse-threads.ts`: runs the module of the store again for each store, with what it loaded before. */

const parent = threads.parentPort!
let runs = 0

parent.on('message', ({ file, workerData, port }: { file: string; workerData: unknown; port: MessagePort }) => {
  Object.assign(threads, { workerData, parentPort: port })
  syncBuiltinESMExports()
  // A transaction that was open has a timer left, which would fail in the next store.
  port.once('close', () =>
    process.getActiveResourcesInfo().includes('Timeout') ? process.exit() : parent.postMessage('free'),
  )
  runs += 1
  void import(`${file}?run=${runs}`)
})
