import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { Checkpoints } from './checkpoints.ts'
import { Connection, type Statements } from './connection.ts'
import { faultOf } from './faults.ts'
import { LockQueue } from './lock-queue.ts'
import type { Procedures } from './procedures.ts'
import type { Reply, Request, WorkerOptions } from './protocol.ts'
import { copyStore, createPlaceCheck, identityOf, movedAway, refuseCutShort } from './store-files.ts'
import { Transactions } from './transactions.ts'

/** The thread that holds the database, so that the event loop of the gateway never waits for the disk. */

const readers = 4
const port = parentPort!
const options = workerData as WorkerOptions
const post = (reply: Reply) => port.postMessage(reply)

try {
  const { procedures } = (await import(options.procedures)) as { procedures: Procedures }
  serve(open(), procedures)
  post({ kind: 'ready', identity: identityOf(options.file) })
  // At the end of the thread would be too late: it may be killed.
  flushCompileCache()
} catch (error) {
  post({ kind: 'failed', fault: faultOf(error) })
}

function open(): { writer: Connection; readers: Connection[] } {
  const connect = (readOnly: boolean) =>
    new Connection(options.file, { busyTimeoutMs: options.busyTimeoutMs, readOnly })
  const { file, identity } = options
  if (identity !== undefined && identityOf(file) !== identity) throw movedAway(file)
  const writer = connect(false)
  writer.assertDurable()
  refuseCutShort(file, writer)
  writer.beforeCommit = createPlaceCheck(file)
  return { writer, readers: Array.from({ length: readers }, () => connect(true)) }
}

function serve({ writer, readers }: ReturnType<typeof open>, procedures: Procedures) {
  const turns = { write: new LockQueue([writer], options), read: new LockQueue(readers, options) }
  const checkpoints = new Checkpoints({ writer, turns: turns.write, ...options })
  writer.afterCommit = () => checkpoints.afterCommit()
  const transactions = new Transactions(turns, post, options.transactionLimitMs)

  /** Runs `work` as one write transaction without leaving this thread. */
  function atOnce(id: number, work: (db: Statements) => unknown) {
    const refuse = (error: unknown) => post({ kind: 'refused', id, fault: faultOf(error) })
    turns.write.take(({ connection, end }) => {
      try {
        connection.exec('BEGIN IMMEDIATE')
        const value = work(connection)
        connection.commit()
        post({ kind: 'done', id, value })
      } catch (error) {
        connection.rollback()
        refuse(error)
      } finally {
        end()
      }
    }, refuse)
  }

  function handle(request: Request) {
    switch (request.kind) {
      case 'statement':
      case 'commit':
      case 'rollback':
      case 'end':
        return transactions.step(request)
      case 'call':
        return atOnce(request.id, (db) => {
          const procedure = procedures[request.procedure]
          if (!procedure) throw new Error(`there is no procedure ${request.procedure}`)
          return procedure(db, request.input as never)
        })
      case 'check':
        return atOnce(request.id, () => writer.claim())
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
