import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Procedures } from './batch.ts'
import { Checkpoints } from './checkpoints.ts'
import { Connection, LockQueue, type Statements } from './connection.ts'
import { faultOf } from './faults.ts'
import type { Request, WorkerMessage, WorkerOptions } from './protocol.ts'
import { copyStore, createReplacedFileCheck, fileReplaced, identityOf, refuseTruncated } from './store-files.ts'
import { Transactions } from './transactions.ts'

/** The thread that has the database open, so that the main thread never waits for the disk. */

const readerCount = 4
const port = parentPort!
const options = workerData as WorkerOptions
const post = (message: WorkerMessage) => port.postMessage(message)

try {
  const { procedures } = (await import(options.procedures)) as { procedures: Procedures }
  serve(open(), procedures)
  post({ kind: 'ready', identity: identityOf(options.file) })
  // Now, because a thread that is killed never flushes.
  flushCompileCache()
} catch (error) {
  post({ kind: 'failed', fault: faultOf(error) })
}

function open(): { writer: Connection; readers: Connection[] } {
  const connect = (readOnly: boolean) =>
    new Connection(options.file, { busyTimeoutMs: options.busyTimeoutMs, readOnly })
  const { file, identity } = options
  if (identity !== undefined && identityOf(file) !== identity) throw fileReplaced(file)
  const writer = connect(false)
  writer.assertDurable()
  refuseTruncated(file, writer)
  writer.beforeCommit = createReplacedFileCheck(file)
  return { writer, readers: Array.from({ length: readerCount }, () => connect(true)) }
}

function serve({ writer, readers }: ReturnType<typeof open>, procedures: Procedures) {
  const locks = { write: new LockQueue([writer], options), read: new LockQueue(readers, options) }
  const checkpoints = new Checkpoints({ writer, writeLocks: locks.write, ...options })
  writer.afterCommit = () => checkpoints.afterCommit()
  const transactions = new Transactions(locks, post, options.transactionLimitMs)

  function handle(request: Request) {
    switch (request.kind) {
      case 'statement':
      case 'commit':
      case 'rollback':
      case 'end':
        return transactions.step(request)
      case 'call':
        return runInTransaction(locks.write, request.id, (db) => {
          const procedure = procedures[request.procedure]
          if (!procedure) throw new Error(`there is no procedure ${request.procedure}`)
          return procedure(db, request.input as never)
        })
      case 'check':
        return runInTransaction(locks.write, request.id, () => {
          writer.markFile()
          if (request.needsRoom) writer.takeRoom()
        })
      case 'backup':
        return copyStore(options, request.path).then(
          (value) => post({ kind: 'done', id: request.id, value }),
          (error) => post({ kind: 'refused', id: request.id, fault: faultOf(error) }),
        )
      case 'close':
        return checkpoints.stop().then(() => {
          for (const connection of [...readers, writer]) connection.close()
          post({ kind: 'done', id: request.id, value: null })
          port.close()
        })
    }
  }
  port.on('message', handle)
}

function runInTransaction(writeLocks: LockQueue, id: number, work: (db: Statements) => unknown) {
  const refuse = (error: unknown) => post({ kind: 'refused', id, fault: faultOf(error) })
  writeLocks.acquire(({ connection, release }) => {
    try {
      connection.exec('BEGIN IMMEDIATE')
      const value = work(connection)
      connection.commit()
      post({ kind: 'done', id, value })
    } catch (error) {
      connection.rollback()
      refuse(error)
    } finally {
      release()
    }
  }, refuse)
}
