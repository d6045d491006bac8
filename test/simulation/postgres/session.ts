import type { Value } from '../../../src/storage/engine.ts'
import type { Parameter } from '../../../src/storage/postgres/composite-rows.ts'
import type { QueryResult } from '../../../src/storage/postgres/pipeline.ts'
import type { PoolOptions } from '../../../src/storage/postgres/pool.ts'
import type { Method } from '../../../src/storage/transaction.ts'
import type { Event } from '../event-queue.ts'
import type { SimulatedStore } from '../store.ts'
import type { Process } from '../world.ts'
import { serverError } from './locks.ts'
import type { Transaction } from './transaction.ts'
import type { Outcome } from './values.ts'

interface Statement {
  readonly sql: string
  readonly params?: readonly Parameter[]
}

/** An error of the driver: it is unknown what the server did. */
const connectionLost = () => new Error('the connection to the database was lost')

/** A connection of one gateway while it is taken from its pool: what `Session` is to the driver, with the faults of the way. */
export class SimulatedSession {
  readonly owner: Process
  readonly #store: SimulatedStore
  readonly #limits: PoolOptions
  #tx: Transaction | null = null
  #isRead = false
  #hasTalked = false
  #isLost = false
  /** The server goes on without the gateway, whose connection is lost. */
  #isOrphan = false
  /** Whether the server was busy while other processes ran. */
  #isAway = false
  #isBusy = false
  #activeAt = 0
  #abandon: ((error: Error) => void) | null = null
  #idleLimit: Event | null = null

  constructor(store: SimulatedStore, owner: Process, limits: PoolOptions) {
    this.#store = store
    this.owner = owner
    this.#limits = limits
  }

  async query(sql: string, params: readonly Value[] = []): Promise<Outcome> {
    if (sql.includes('READ ONLY')) {
      this.#isRead = true
      return { rows: [], count: 0 }
    }
    if (this.#isRead) return this.#read(sql, params)
    const [result] = await this.pipeline([{ sql, params }])
    return { rows: result!.rows, count: result!.count }
  }

  async statement(method: Method, sql: string, params: readonly Value[]): Promise<unknown> {
    const { rows, count } = await this.query(sql, params)
    if (method === 'run') return count
    return method === 'all' ? rows : rows[0]
  }

  async commit(): Promise<void> {
    const [result] = await this.pipeline([{ sql: 'COMMIT' }])
    this.assertCommitted(result!.tag)
  }

  assertCommitted(tag: string): void {
    if (tag !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back')
  }

  async rollback(): Promise<void> {
    this.release()
  }

  release(): void {
    if (!this.#isOrphan) this.#finish()
  }

  /** The server ends it, or the connection is cut. */
  end(): void {
    this.#isLost = true
    this.#finish()
    this.#abandon?.(connectionLost())
  }

  /** Sends all statements at once. */
  async pipeline(statements: readonly Statement[]): Promise<(QueryResult & { readonly count: number })[]> {
    const { world, plan } = this.#store
    const isFirst = !this.#hasTalked
    const isCommit = statements.at(-1)!.sql === 'COMMIT'
    this.#hasTalked = true
    if (isFirst || isCommit || this.#store.yields()) await this.#sleep(this.#store.latency(), 'to the store')
    await this.#reach(isFirst)
    if (this.#store.cutOff.has(this.owner) && statements.some(({ sql }) => sql.startsWith('INSERT INTO instances'))) {
      world.reach('store: a lease was not renewed')
      throw connectionLost()
    }
    if (isCommit && plan.isOn('late-commit') && world.random.chance(plan.storeFaultShare)) return this.#late(statements)
    this.#isAway = false
    let results: Awaited<ReturnType<typeof this.pipeline>>
    try {
      results = await this.#serve(statements)
    } catch (error) {
      // Back in the gateway, whoever made the server go on.
      if (isCommit || this.#isAway) await this.#sleep(this.#store.latency(), 'from the store')
      throw error
    }
    if (isCommit || this.#isAway) await this.#answer(isCommit)
    return results
  }

  async #answer(isCommit: boolean): Promise<void> {
    const { world, plan } = this.#store
    if (isCommit && plan.isOn('lose-commit-response') && world.random.chance(plan.storeFaultShare)) {
      world.reach('store: committed and lost the answer')
      world.trace('the answer to a commit is lost')
      await this.#sleep(world.random.between(1, 5000), 'no answer to the commit')
      throw connectionLost()
    }
    // Long enough for its lease to lapse in between.
    const isLate = isCommit && this.#store.cutOff.has(this.owner) && world.random.chance(0.3)
    const lateMs = isLate ? world.random.between(8000, 20_000) : 0
    await this.#sleep(this.#store.latency() + lateMs, 'from the store')
  }

  /** The gateway gives the connection up, and what it sent reaches the server later. */
  async #late(statements: readonly Statement[]): Promise<never> {
    const { world, outages } = this.#store
    this.#isOrphan = true
    world.schedule(world.random.between(1, 20_000), world.outside, 'a late commit', () => {
      if (this.#isLost || this.#store.outages !== outages) return this.#finish()
      world.reach('store: a commit landed after its connection was lost')
      world.trace(`a commit of ${this.owner.name} lands late`)
      const done = () => this.#finish()
      void this.#serve(statements).then(done, done)
    })
    await this.#sleep(world.random.between(1, 5000), 'no answer to the commit')
    throw connectionLost()
  }

  async #read(sql: string, params: readonly Value[]): Promise<Outcome> {
    if (!this.#hasTalked) {
      this.#hasTalked = true
      await this.#sleep(this.#store.latency(), 'to the store')
      await this.#reach(true)
    }
    if (this.#store.isDown) throw connectionLost()
    const rows = this.#store.fixedRows(sql) ?? this.#store.model.read(sql, params)
    return { rows, count: rows.length }
  }

  /** Rejects if the server cannot be reached. */
  async #reach(isFirst: boolean): Promise<void> {
    const { world } = this.#store
    if (this.#isLost) throw connectionLost()
    if (this.#store.isDown) {
      world.reach('store: down')
      await this.#sleep(world.random.between(1, 3000), 'no answer of the store')
      throw connectionLost()
    }
    if (!isFirst || !this.#store.fails()) return
    world.reach('store: refused')
    throw serverError('53300', 'sorry, too many clients already')
  }

  async #serve(statements: readonly Statement[]): Promise<(QueryResult & { readonly count: number })[]> {
    const { world } = this.#store
    const results: (QueryResult & { readonly count: number })[] = []
    this.#isBusy = true
    try {
      for (const [index, { sql, params = [] }] of statements.entries()) {
        if (index > 0 && this.#store.yields()) {
          this.#isAway = true
          await world.sleep(this.#store.latency(), world.outside, 'the server')
        }
        if (this.#isLost) throw connectionLost()
        results.push(await this.#one(sql, params))
      }
    } finally {
      this.#isBusy = false
      this.#activeAt = world.time
    }
    return results
  }

  async #one(sql: string, params: readonly Parameter[]): Promise<QueryResult & { readonly count: number }> {
    if (sql.startsWith('BEGIN')) this.#begin()
    else if (sql === 'COMMIT') return { rows: [], tag: this.#commit(), count: 0 }
    else {
      const fixed = this.#store.fixedRows(sql)
      const { rows, count } = fixed ? { rows: fixed, count: fixed.length } : await this.#execute(sql, params)
      return { rows, tag: '', count }
    }
    return { rows: [], tag: 'BEGIN', count: 0 }
  }

  #begin(): void {
    const { world, model, sessions } = this.#store
    this.#tx = model.begin(this.#limits.lockLimitMs)
    sessions.add(this)
    const limitMs = this.#limits.idleLimitMs ?? this.#limits.transactionLimitMs
    const check = () => {
      const idleMs = this.#isBusy ? 0 : world.time - this.#activeAt
      if (idleMs >= limitMs) this.end()
      // At least one: a rest too small to move the time would come up again for ever.
      else arm(Math.max(1, limitMs - idleMs))
    }
    const arm = (ms: number) => {
      this.#idleLimit = world.schedule(ms, world.outside, 'idle limit', check)
    }
    this.#activeAt = world.time
    arm(limitMs)
  }

  #commit(): string {
    const store = this.#store
    const tx = this.#tx!
    if (tx.state !== 'open') return 'ROLLBACK'
    if (tx.written.size > 0 && store.fails()) {
      store.world.reach('store: refused the commit of a batch')
      this.#finish()
      throw serverError('53100', 'could not extend a file: no space left on device')
    }
    this.#leave()
    store.commit(tx, this.owner)
    return 'COMMIT'
  }

  #execute(sql: string, params: readonly Parameter[]): Promise<Outcome> {
    const { world, model } = this.#store
    return new Promise((resolve, reject) => {
      let isDone = false
      this.#abandon = reject
      model.execute(this.#tx!, sql, params, (error, outcome) => {
        isDone = true
        this.#abandon = null
        if (error && !('severity' in error)) world.fail(`the model of PostgreSQL cannot run ${sql}: ${error.stack}`)
        if (error) this.#note(error)
        if (error) reject(error)
        else resolve(outcome!)
      })
      if (isDone) return
      this.#isAway = true
      world.reach('store: waited for a lock')
    })
  }

  #note(error: Error): void {
    const { code } = error as { code?: string }
    const name = {
      '55P03': 'a lock timed out',
      '40P01': 'a deadlock was ended',
      GW001: 'an optimistic batch was stale',
    }[code ?? '']
    if (name) this.#store.world.reach(`store: ${name}`)
  }

  #finish(): void {
    const tx = this.#tx
    this.#leave()
    if (tx) this.#store.model.rollback(tx)
  }

  #leave(): void {
    this.#tx = null
    this.#store.sessions.delete(this)
    if (this.#idleLimit) this.#idleLimit.isCancelled = true
  }

  #sleep(ms: number, label: string): Promise<void> {
    return this.#store.world.sleep(ms, this.owner, label)
  }
}
