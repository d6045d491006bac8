import { StoreUnavailable } from '../engine.ts'
import { faultOf, SQLITE_READONLY, sqliteCode } from './faults.ts'
import type { LockQueue, Turn } from './lock-queue.ts'
import type { Fault, Reply, Request } from './protocol.ts'

type AccessMode = 'read' | 'write'
type Step = Extract<Request, { tx: number }>

interface Open {
  readonly turn: Turn
  readonly mode: AccessMode
  readonly timer: NodeJS.Timeout
}

/** Steps that came before their transaction had its turn. */
type QueuedSteps = Step[]

/** The transactions whose statements come one by one from the main thread. */
export class Transactions {
  readonly #turns: Readonly<Record<AccessMode, LockQueue>>
  readonly #post: (reply: Reply) => void
  readonly #limitMs: number
  readonly #transactions = new Map<number, Open | QueuedSteps>()

  constructor(turns: Readonly<Record<AccessMode, LockQueue>>, post: (reply: Reply) => void, limitMs: number) {
    this.#turns = turns
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
    this.#turns[mode].take((turn) => {
      try {
        turn.connection.exec(mode === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN')
      } catch (error) {
        refuse(error)
        turn.end()
        return
      }
      const open = { turn, mode, timer: setTimeout(() => this.#lose(first.tx), this.#limitMs) }
      this.#transactions.set(first.tx, open)
      for (const step of queued) this.#continue(step)
    }, refuse)
  }

  #run(step: Step, open: Open) {
    const { connection } = open.turn
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

  #lose(tx: number) {
    const open = this.#transactions.get(tx)
    if (!open || Array.isArray(open)) return
    this.#end(tx, open)
    const error = new StoreUnavailable(`a transaction was open for ${this.#limitMs} ms and was rolled back`)
    this.#post({ kind: 'lost', tx, fault: faultOf(error) })
  }

  #end(tx: number, { turn, timer }: Open) {
    clearTimeout(timer)
    this.#transactions.delete(tx)
    turn.connection.rollback()
    turn.end()
  }

  #refuse({ id }: Step, fault: Fault) {
    this.#post({ kind: 'refused', id, fault })
  }
}

/** A writer's READONLY is the disk's fault, a reader's the program's. */
const isWriteInRead = (error: unknown, { mode }: Open) => mode === 'read' && sqliteCode(error) === SQLITE_READONLY
