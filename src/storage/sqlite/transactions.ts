import { after, type Timer } from '../../base/timers.ts'
import { StoreUnavailable } from '../engine.ts'
import type { ConnectionGrant, LockQueue } from './connection.ts'
import { faultOf, SQLITE_READONLY, sqliteCode } from './faults.ts'
import type { Fault, Request, WorkerMessage } from './protocol.ts'

type AccessMode = 'read' | 'write'
type Step = Extract<Request, { tx: number }>

interface OpenTransaction {
  readonly grant: ConnectionGrant
  readonly mode: AccessMode
  readonly timer: Timer
}

/** Steps of a transaction that still waits for its connection. */
type QueuedSteps = Step[]

/** Transactions whose statements arrive one by one from the main thread. */
export class Transactions {
  readonly #locks: Readonly<Record<AccessMode, LockQueue>>
  readonly #post: (message: WorkerMessage) => void
  readonly #limitMs: number
  readonly #transactions = new Map<number, OpenTransaction | QueuedSteps>()

  constructor(locks: Readonly<Record<AccessMode, LockQueue>>, post: (message: WorkerMessage) => void, limitMs: number) {
    this.#locks = locks
    this.#post = post
    this.#limitMs = limitMs
  }

  step(step: Step): void {
    if (step.kind === 'statement' && step.begin) this.#begin(step, step.begin)
    else this.#continue(step)
  }

  #continue(step: Step) {
    const transaction = this.#transactions.get(step.tx)
    if (Array.isArray(transaction)) transaction.push(step)
    else if (transaction) this.#run(step, transaction)
    else if (step.kind === 'rollback') this.#post({ kind: 'done', id: step.id, value: null })
    else if (step.kind !== 'end') this.#refuse(step, faultOf(new StoreUnavailable('the transaction has ended')))
  }

  #begin(first: Step, mode: AccessMode) {
    const queued: QueuedSteps = [first]
    this.#transactions.set(first.tx, queued)
    const refuse = (error: unknown) => {
      this.#transactions.delete(first.tx)
      for (const step of queued) this.#refuse(step, faultOf(error))
    }
    this.#locks[mode].acquire((grant) => {
      try {
        grant.connection.exec(mode === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN')
      } catch (error) {
        refuse(error)
        grant.release()
        return
      }
      const open = { grant, mode, timer: after(this.#limitMs, () => this.#expire(first.tx)) }
      this.#transactions.set(first.tx, open)
      for (const step of queued) this.#continue(step)
    }, refuse)
  }

  #run(step: Step, open: OpenTransaction) {
    const { connection } = open.grant
    try {
      if (step.kind === 'statement') {
        this.#post({ kind: 'done', id: step.id, value: connection.statement(step.method, step.sql, step.params) })
        return
      }
      if (step.kind === 'commit') connection.commit()
      this.#end(step.tx, open)
      if (step.kind !== 'end') this.#post({ kind: 'done', id: step.id, value: null })
    } catch (error) {
      this.#end(step.tx, open)
      this.#refuse(step, isWriteInRead(error, open) ? faultOf(new Error('a read must not write')) : faultOf(error))
    }
  }

  #expire(tx: number) {
    const open = this.#transactions.get(tx)
    if (!open || Array.isArray(open)) return
    this.#end(tx, open)
    const error = new StoreUnavailable(`a transaction was open for ${this.#limitMs} ms and was rolled back`)
    this.#post({ kind: 'lost', tx, fault: faultOf(error) })
  }

  #end(tx: number, { grant, timer }: OpenTransaction) {
    timer.cancel()
    this.#transactions.delete(tx)
    grant.connection.rollback()
    grant.release()
  }

  #refuse({ id }: Step, fault: Fault) {
    this.#post({ kind: 'refused', id, fault })
  }
}

/** On the writer, READONLY means that the disk refuses writes; on a reader, that the program tried to write. */
const isWriteInRead = (error: unknown, { mode }: OpenTransaction) =>
  mode === 'read' && sqliteCode(error) === SQLITE_READONLY
