import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import type { WorkerOptions } from './protocol.ts'

/** The thread that copies the write-ahead log into the database while the writer appends. */

const port = parentPort!
const { file, busyTimeoutMs } = workerData as Pick<WorkerOptions, 'file' | 'busyTimeoutMs'>
const connection = new Connection(file, { busyTimeoutMs, readOnly: false })

port.on('message', () => {
  try {
    port.postMessage(connection.checkpoint('PASSIVE'))
  } catch {
    // For example a full disk. The next message tries again.
    port.postMessage({ log: 0, checkpointed: 0 })
  }
})
