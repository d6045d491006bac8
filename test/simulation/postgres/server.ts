import { UniqueViolation, type Value } from '../../../src/storage/engine.ts'
import type { Parameter } from '../../../src/storage/postgres/composite-rows.ts'
import type { Connection } from '../../../src/storage/sqlite/connection.ts'
import { Blocked, Conflicts } from './conflicts.ts'
import { LockTable, type ServerTime, serverError } from './locks.ts'
import { type Shape, Shapes } from './shapes.ts'
import { Transaction } from './transaction.ts'
import { type RowTypes, type Translated, translate } from './translate.ts'
import { Turns } from './turns.ts'
import { type Outcome, outcomeOf, targetsIn, toServerError, valuesOf } from './values.ts'

type Done = (error: Error | null, outcome: Outcome | null) => void

/** A statement under way. */
interface Run {
  readonly tx: Transaction
  readonly shape: Shape
  /** The values of each execution; a statement over unnested rows has several. */
  readonly each: readonly Value[][]
  readonly canNarrow: boolean
  readonly done: Done
  /** What the subselects found, as JSON. */
  lists: string[] | null
  /** The rows that the first run wanted, as JSON. A later run takes no others. */
  targets: string | null
}

/** Rows that are gone are not wanted any more, also if there are new ones with their keys. */
function forgetRows(run: Run, gone: ReadonlySet<string>): void {
  if (run.targets === null) return
  const left = (JSON.parse(run.targets) as string[]).filter((key) => !gone.has(`${run.shape.table}:${key}`))
  run.targets = JSON.stringify(left)
}

export interface ModelOptions {
  readonly types: RowTypes
  readonly deadlockMs?: number
  /** Shared between databases with the same schema. */
  readonly knowledge?: ModelKnowledge
  /** After each commit, while the database shows it, and before anyone goes on who waited for it. */
  readonly onCommit?: (tx: Transaction) => void
}

/** What is known of a schema and its statements. */
export class ModelKnowledge {
  readonly shapes = new Shapes()
  readonly translated = new Map<string, Translated>()
}

/**
 * A model of PostgreSQL's READ COMMITTED over SQLite. The database holds what is committed and the writes of the one transaction
 * that has its turn; the writes of the others are kept apart. A statement that needs a row of another transaction is taken back,
 * waits for that transaction's end, and is run again on the rows that it wanted, as they are then.
 */
export class ModelServer {
  readonly locks: LockTable
  readonly #db: Connection
  readonly #turns: Turns
  readonly #conflicts: Conflicts
  readonly #options: ModelOptions
  readonly #knowledge: ModelKnowledge
  readonly #sequences = new Map<string, { next: number; readonly step: number }>()
  readonly #waiting = new Set<Run>()
  #asking: Transaction | null = null

  constructor(db: Connection, time: ServerTime, options: ModelOptions) {
    this.#db = db
    this.#turns = new Turns(db)
    this.#options = options
    this.#knowledge = options.knowledge ?? new ModelKnowledge()
    this.locks = new LockTable(time, options.deadlockMs)
    this.#conflicts = new Conflicts(db, this.locks)
    db.database.function('is_locked', (key) => (this.locks.holderOf(String(key), this.#asking!) ? 1 : 0))
    db.database.function('nextval', (name) => this.#nextOf(String(name)))
    db.database.function('refuse_stale_row', () => {
      throw serverError('GW001', 'a row has changed since the batch was decided')
    })
  }

  addSequence(name: string, next: number, step: number): void {
    this.#sequences.set(name, { next, step })
  }

  /** The numbers that a standby would go on with. */
  sequences(): [string, number][] {
    return [...this.#sequences].map(([name, { next }]) => [name, next])
  }

  restoreSequences(saved: readonly [string, number][]): void {
    for (const [name, next] of saved) this.#sequences.get(name)!.next = next
  }

  begin(lockLimitMs: number): Transaction {
    return new Transaction(lockLimitMs)
  }

  /** Calls back at once, unless the statement has to wait. */
  execute(tx: Transaction, sql: string, params: readonly Parameter[], done: Done): void {
    if (tx.state !== 'open') return void done(serverError('25P02', 'current transaction is aborted'), null)
    try {
      const translated = this.#translate(sql)
      const shape = this.#knowledge.shapes.shapeOf(this.#db, translated.sql)
      const each = valuesOf(translated, params)
      this.#attempt({ tx, shape, each, canNarrow: translated.eachOf === null, done, lists: null, targets: null })
    } catch (error) {
      this.#fail(tx, error, done)
    }
  }

  /** Runs a query on what is committed. */
  read(sql: string, params: readonly Parameter[]): object[] {
    const translated = this.#translate(sql)
    const db = this.committed()
    return valuesOf(translated, params).flatMap((values) => db.all(translated.sql, values))
  }

  /** The database as it is committed. */
  committed(): Connection {
    this.#turns.show(null)
    return this.#db
  }

  commit(tx: Transaction): void {
    if (tx.state !== 'open') return void this.rollback(tx)
    this.#turns.keep(tx)
    tx.state = 'over'
    tx.isCommitted = true
    if (tx.deleted.size > 0) for (const run of this.#waiting) forgetRows(run, tx.deleted)
    this.#options.onCommit?.(tx)
    this.locks.release(tx)
  }

  rollback(tx: Transaction): void {
    if (tx.state === 'over') return
    this.#turns.discard(tx)
    tx.state = 'over'
    this.locks.release(tx)
  }

  #attempt(run: Run): void {
    const { tx, done } = run
    let outcome: Outcome | Blocked
    try {
      outcome = this.#try(run)
    } catch (error) {
      return void this.#fail(tx, error, done)
    }
    if (outcome instanceof Blocked) this.#wait(run, outcome)
    else done(null, outcome)
  }

  #wait(run: Run, blocked: Blocked): void {
    const { tx, done } = run
    this.#waiting.add(run)
    const retry = () => {
      this.#waiting.delete(run)
      this.#turns.show(tx)
      // The row is locked before its new version is looked at, and stays so if the statement does not want it any more.
      const next = this.#conflicts.takeRow(tx, blocked)
      if (next) this.#wait(run, next)
      else this.#attempt(run)
    }
    const fail = (error: Error) => {
      this.#waiting.delete(run)
      this.#fail(tx, error, done)
    }
    this.locks.wait(tx, { holder: blocked.holder, retry, fail })
  }

  #fail(tx: Transaction, error: unknown, done: Done): void {
    this.#turns.discard(tx)
    tx.state = 'failed'
    this.locks.release(tx)
    done(toServerError(error), null)
  }

  #try(run: Run): Outcome | Blocked {
    const { tx, shape, each } = run
    if (shape.kind === 'read') {
      this.#turns.show(tx)
      const rows = each.flatMap((values) => this.#db.all(shape.sql!, values))
      return { rows, count: rows.length }
    }
    if (shape.kind === 'lock') {
      const rows = this.#lockRows(run, shape, each[0]!)
      return rows instanceof Blocked ? rows : outcomeOf(rows, shape)
    }
    return this.#change(run)
  }

  /** Takes the rows in the order in which the query returns them. */
  #lockRows(run: Run, shape: Shape, values: readonly Value[]): object[] | Blocked {
    const { tx, targets } = run
    this.#turns.show(tx)
    this.#asking = tx
    const again = shape === run.shape && targets !== null
    const rows = again ? this.#db.all(shape.again, [...values, targets]) : this.#db.all(shape.sql!, values)
    const blocked = this.#conflicts.takeKeys(tx, shape, rows)
    if (!blocked) return rows
    if (shape.whenLocked === 'fail') throw serverError('55P03', `could not obtain lock on row in ${shape.table}`)
    if (shape === run.shape) run.targets ??= targetsIn(rows)
    return blocked
  }

  #change(run: Run): Outcome | Blocked {
    const { tx, shape, each } = run
    this.#turns.prepareToWrite(tx)
    const hasOthers = this.locks.hasOthers(tx)
    if (hasOthers) this.#db.exec('SAVEPOINT statement')
    const rows: object[] = []
    for (const values of each) {
      const changed = this.#changeOnce(run, values, hasOthers)
      if (changed instanceof Blocked) {
        this.#db.exec('ROLLBACK TO statement')
        this.#db.exec('RELEASE statement')
        return changed
      }
      rows.push(...changed)
    }
    if (hasOthers) this.#db.exec('RELEASE statement')
    return outcomeOf(rows, shape)
  }

  #changeOnce(run: Run, values: readonly Value[], hasOthers: boolean): object[] | Blocked {
    const { tx, shape } = run
    if (shape.subselects.length > 0 && (hasOthers || shape.sql === null) && run.lists === null) {
      const blocked = this.#evaluateSubselects(run, values)
      if (blocked) return blocked
    }
    if (hasOthers && shape.doesNothing) {
      const blocked = this.#conflicts.inTheWay(tx, shape, values)
      if (blocked) return blocked
    }
    let rows: object[]
    try {
      rows = this.#runChange(run, values)
    } catch (error) {
      if (!hasOthers || !shape.probe || !(error instanceof UniqueViolation)) throw error
      const blocked = this.#conflicts.inTheWay(tx, shape, values)
      if (blocked && run.canNarrow && shape.kind === 'update') run.targets ??= blocked.targets
      if (blocked) return blocked
      throw error
    }
    const blocked = this.#conflicts.takeKeys(tx, shape, rows)
    if (!blocked) return rows
    if (run.canNarrow && shape.kind !== 'insert') run.targets ??= targetsIn(rows)
    return blocked
  }

  #runChange({ shape, lists, targets }: Run, all: readonly Value[]): object[] {
    // Rows for an optimistic batch have more columns than others need.
    const values = all.length > shape.parameters ? all.slice(0, shape.parameters) : all
    if (targets !== null) return this.#db.all(shape.again, [...values, ...(lists ?? this.#noLists(shape)), targets])
    return lists === null ? this.#db.all(shape.sql!, values) : this.#db.all(shape.listed, [...values, ...lists])
  }

  #noLists({ subselects }: Shape): never[] {
    if (subselects.length > 0) throw new Error('a statement was run again without its subselects')
    return []
  }

  #evaluateSubselects(run: Run, values: readonly Value[]): Blocked | null {
    const lists: string[] = []
    for (const inner of run.shape.subselects) {
      const shape = this.#knowledge.shapes.shapeOf(this.#db, inner)
      const own = values.slice(0, shape.parameters)
      const rows = shape.kind === 'lock' ? this.#lockRows(run, shape, own) : this.#db.all(shape.sql!, own)
      if (rows instanceof Blocked) return rows
      lists.push(JSON.stringify(rows.map((row) => Object.values(row)[0])))
    }
    run.lists = lists
    return null
  }

  #nextOf(name: string): number {
    const sequence = this.#sequences.get(name)!
    sequence.next += sequence.step
    return sequence.next - sequence.step
  }

  #translate(sql: string): Translated {
    let known = this.#knowledge.translated.get(sql)
    if (!known) {
      known = translate(sql, this.#options.types)
      this.#knowledge.translated.set(sql, known)
    }
    return known
  }
}
