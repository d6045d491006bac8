import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Procedures } from './batch.ts'
import { Checkpoints } from './checkpoints.ts'
import { Connection, LockQueue } from './connection.ts'
import { faultOf } from './faults.ts'
import type { Request, WorkerMessage, WorkerOptions } from './protocol.ts'
import { refuseInconsistent } from './start-check.ts'
import { copyStore, createReplacedFileCheck, fileReplaced, hasLog, identityOf, refuseTruncated } from './store-files.ts'
import { Transactions } from './transactions.ts'

/** A thread that has the database open, so that the main thread never waits for the disk. Without procedures it only reads. */

const readerCount = 4
const port = parentPort!
const options = workerData as WorkerOptions
const post = (message: WorkerMessage) => port.postMessage(message)

try {
  if (options.procedures === null) serveReads(openReaders())
  else {
    const { procedures } = (await import(options.procedures)) as { procedures: Procedures }
    serve({ writer: openWriter(), readers: openReaders() }, procedures)
  }
  post({ kind: 'ready', identity: identityOf(options.file) })
  // Now, because a thread that is killed never flushes.
  flushCompileCache()
} catch (error) {
  post({ kind: 'failed', fault: faultOf(error, options.file) })
}

function connect(readOnly: boolean): Connection {
  const { file, identity, busyTimeoutMs } = options
  if (identity !== undefined && identityOf(file) !== identity) throw fileReplaced(file)
  return new Connection(file, { busyTimeoutMs, readOnly })
}

function openWriter(): Connection {
  const { file, identity, isFirst, busyTimeoutMs } = options
  // A store that was closed has no log. A worker that replaces another one goes on with a store that was checked.
  const isAfterCrash = isFirst && identity === undefined && hasLog(file)
  if (isAfterCrash) refuseInconsistent(file, busyTimeoutMs)
  const writer = connect(false)
  writer.assertDurable()
  refuseTruncated(file, writer)
  // What a commit left that was cut off would be taken for damage after the next power cut.
  if (isAfterCrash) writer.checkpoint('TRUNCATE')
  writer.beforeCommit = createReplacedFileCheck(options.file)
  return writer
}

function openReaders(): Connection[] {
  return Array.from({ length: readerCount }, () => connect(true))
}

function serveReads(readers: readonly Connection[]) {
  const locks = { write: new LockQueue([], options), read: new LockQueue(readers, options) }
  const transactions = new Transactions(locks, post, options.transactionLimitMs)
  port.on('message', (request: Request) => {
    if (request.kind !== 'close') return transactions.step(request as Extract<Request, { tx: number }>)
    for (const connection of readers) connection.close()
    post({ kind: 'done', id: request.id, value: null })
    port.close()
  })
}

function serve({ writer, readers }: { writer: Connection; readers: Connection[] }, procedures: Procedures) {
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
      case 'script':
        return runInTransaction(locks.write, request.id, (db) => {
          const isUnchanged = request.statements.some(({ sql, params, mustChange }) => {
            const changed = db.run(sql, params)
            return mustChange && changed === 0
          })
          // It may have changed rows that the cache has.
          db.generation = {}
          return isUnchanged ? rollBack : true
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

const rollBack = Symbol('roll back')

function runInTransaction(writeLocks: LockQueue, id: number, work: (db: Connection) => unknown) {
  const refuse = (error: unknown) => post({ kind: 'refused', id, fault: faultOf(error) })
  writeLocks.acquire(({ connection, release }) => {
    try {
      connection.exec('BEGIN IMMEDIATE')
      const value = work(connection)
      if (value === rollBack) connection.rollback()
      else connection.commit()
      post({ kind: 'done', id, value: value === rollBack ? false : value })
    } catch (error) {
      connection.rollback()
      refuse(error)
    } finally {
      release()
    }
  }, refuse)
}
