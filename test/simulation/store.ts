import type { Command } from '../../src/ledger/commands.ts'
import { type Engine, type Logger, type Reader, StoreUnavailable, type Writer } from '../../src/storage/engine.ts'
import { applyBatch } from '../../src/storage/sqlite/batch.ts'
import { Connection } from '../../src/storage/sqlite/connection.ts'
import type { AppliedBatch } from '../../src/storage/sqlite/protocol.ts'
import type { EmbeddedEngine } from '../../src/storage/sqlite/sqlite-engine.ts'
import { transact } from '../../src/storage/transaction.ts'
import type { Plan } from './plan.ts'
import { silentLogger } from './silent-logger.ts'
import type { Process, World } from './world.ts'

/** What a commit changed, as far as the caller knows. Null for a transaction that is not of the books. */
type OnCommit = (commands: readonly Command[] | null) => void

/** Longer than this a transaction may not be open; then the server ends it. */
const transactionLimitMs = 30_000

/** The database server: the real SQL on SQLite in memory, with the faults of a server and of the way to it. */
export class SimulatedStore {
  readonly world: World
  readonly plan: Plan
  readonly db: Connection
  onCommit: OnCommit = () => {}
  /** Called before and after a failover that lost commits. */
  onLoss: (lose: () => void) => void = (lose) => lose()
  commits = 0
  /** Which process has which instance id. */
  readonly instances = new Map<string, Process>()
  /** When the last outage ended, and how long it took. */
  backAt = 0
  lastOutageMs = 0
  #downAt: number | null = null
  lockedProject: string | null = null
  /** Commits that the standby does not have yet; null while it has all. */
  #unreplicated: number | null = null
  #isBusy = false
  readonly #waiting: { readonly owner: Process; readonly resolve: () => void }[] = []
  readonly sessions = new Set<Session>()

  constructor(world: World, plan: Plan, template: Uint8Array) {
    this.world = world
    this.plan = plan
    this.db = new Connection(':memory:', { busyTimeoutMs: 0, readOnly: false })
    this.db.database.deserialize(template)
    const seconds = () => (world.epoch + Math.floor(world.time)) / 1000
    this.db.database.function('unixepoch', { varargs: true }, seconds)
  }

  get isDown(): boolean {
    return this.#downAt !== null
  }

  set isDown(isDown: boolean) {
    if (isDown) this.#downAt ??= this.world.time
    else if (this.#downAt !== null) {
      this.lastOutageMs = this.world.time - this.#downAt
      this.backAt = this.world.time
      this.#downAt = null
    }
  }

  /** From now on the standby gets nothing any more. */
  stopReplication(): void {
    if (this.#unreplicated !== null || this.#isBusy) return
    this.db.exec('BEGIN')
    this.#unreplicated = 0
  }

  /** The standby becomes the primary. What it did not have is lost. */
  failOver(): number {
    this.endSessions()
    const lost = this.#unreplicated ?? 0
    if (this.#unreplicated !== null) {
      this.onLoss(() => {
        this.db.exec('ROLLBACK')
        this.db.generation = {}
      })
      this.#unreplicated = null
    }
    return lost
  }

  replicateAgain(): void {
    if (this.#unreplicated === null || this.#isBusy) return
    this.db.exec('COMMIT')
    this.#unreplicated = null
  }

  get isReplicating(): boolean {
    return this.#unreplicated === null
  }

  /** Every client loses its connection: what is under way fails. */
  endSessions(owner?: Process): void {
    for (const session of [...this.sessions]) if (!owner || session.owner === owner) session.end()
  }

  /** Waits for its turn: one transaction at a time. */
  acquire(owner: Process): Promise<void> {
    if (!this.#isBusy) {
      this.#isBusy = true
      return Promise.resolve()
    }
    return new Promise((resolve) => void this.#waiting.push({ owner, resolve }))
  }

  /** The next one that is there to take its turn gets it. */
  release(): void {
    this.#isBusy = false
    if (this.#waiting.length === 0) return
    this.#isBusy = true
    this.world.schedule(0, this.world.outside, 'store turn', () => {
      const index = this.#waiting.findIndex(({ owner }) => owner.isAlive && !owner.isFrozen)
      const next = this.#waiting[index]
      if (!next) {
        this.#isBusy = false
        return
      }
      this.#waiting.splice(index, 1)
      this.world.current = next.owner
      next.resolve()
    })
  }

  /** After a process came back, its waiters may continue. */
  nudge(): void {
    if (!this.#isBusy) this.release()
  }

  begin(): void {
    this.db.exec(this.#unreplicated === null ? 'BEGIN' : 'SAVEPOINT tx')
  }

  commit(commands: readonly Command[] | null): void {
    this.db.exec(this.#unreplicated === null ? 'COMMIT' : 'RELEASE tx')
    if (this.#unreplicated !== null) this.#unreplicated += 1
    if (commands === null) this.db.generation = {}
    this.commits += 1
    this.onCommit(commands)
  }

  rollback(): void {
    this.db.generation = {}
    if (!this.db.database.isTransaction) return
    const statements = this.#unreplicated === null ? ['ROLLBACK'] : ['ROLLBACK TO tx', 'RELEASE tx']
    for (const sql of statements) this.db.exec(sql)
  }
}

/** An open transaction of one client. */
class Session {
  readonly owner: Process
  readonly #store: SimulatedStore
  readonly #limit: { isCancelled: boolean }
  readonly #lost = Promise.withResolvers<never>()
  isOver = false

  constructor(store: SimulatedStore, owner: Process) {
    this.owner = owner
    this.#store = store
    this.#lost.promise.catch(() => {})
    const { world } = store
    this.#limit = world.schedule(transactionLimitMs, world.outside, 'transaction limit', () => this.end())
    store.sessions.add(this)
    store.begin()
  }

  get lost(): Promise<never> {
    return this.#lost.promise
  }

  /** The server ends it, or its connection is lost. */
  end(): void {
    this.finish(() => this.#store.rollback())
    this.#lost.reject(new StoreUnavailable('the connection to the database was lost'))
  }

  finish(how: () => void): void {
    if (this.isOver) return
    this.isOver = true
    this.#limit.isCancelled = true
    this.#store.sessions.delete(this)
    try {
      how()
    } finally {
      this.#store.release()
    }
  }
}

/** The connection of one gateway to the store. */
export class SimulatedEngine implements EmbeddedEngine {
  readonly kind = 'sqlite'
  readonly isShared = true
  readonly logger: Logger
  readonly #store: SimulatedStore
  readonly #owner: Process
  readonly #apply: typeof applyBatch

  constructor(store: SimulatedStore, owner: Process, logger: Logger = silentLogger, apply = applyBatch) {
    this.#store = store
    this.#owner = owner
    this.logger = logger
    this.#apply = apply
    owner.onKill(() => store.endSessions(owner))
  }

  withOwnPool(): Engine {
    return this
  }

  read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.#transaction('read', work)
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#transaction('write', work)
  }

  async call(_name: 'applyBatch', commands: readonly Command[]): Promise<AppliedBatch> {
    const store = this.#store
    return this.#exchange('write', async () => {
      this.#refuseLocked(commands)
      for (const command of commands) if (command.type === 'admit') store.instances.set(command.instanceId, this.#owner)
      await store.acquire(this.#owner)
      try {
        store.begin()
        const applied = structuredClone(this.#apply(store.db, commands))
        this.#maybeFail('store: refused the commit of a batch')
        store.commit(commands)
        return applied
      } catch (error) {
        store.rollback()
        throw error
      } finally {
        store.release()
      }
    })
  }

  async check(): Promise<void> {
    await this.read((tx) => tx.get('SELECT 1 AS one'))
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('a simulated store has no file'))
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #transaction<T>(mode: 'read' | 'write', work: (tx: Writer) => Promise<T>): Promise<T> {
    const store = this.#store
    return this.#exchange(mode, async () => {
      await store.acquire(this.#owner)
      const session = new Session(store, this.#owner)
      return transact(work, {
        lost: session.lost,
        execute: async (method, sql, params) => {
          if (session.isOver) throw new StoreUnavailable('the transaction has ended')
          return store.db.statement(method, sql, params)
        },
        commit: async () => {
          if (session.isOver) throw new StoreUnavailable('the transaction has ended')
          if (mode === 'write' && this.#fails()) {
            session.finish(() => store.rollback())
            throw new StoreUnavailable('the store refused the commit')
          }
          session.finish(() => (mode === 'write' ? store.commit(null) : store.rollback()))
        },
        rollback: async () => session.finish(() => store.rollback()),
      })
    })
  }

  /** The way to the store and back. */
  async #exchange<T>(mode: 'read' | 'write', work: () => Promise<T>): Promise<T> {
    const { world, plan } = this.#store
    await world.sleep(this.#latency(), this.#owner, 'to the store')
    if (this.#store.isDown) {
      world.reach('store: down')
      await world.sleep(world.random.between(1, 3000), this.#owner, 'no answer of the store')
      throw new StoreUnavailable('the store does not answer')
    }
    this.#maybeFail('store: refused')
    let result: T
    try {
      result = await work()
    } catch (error) {
      await world.sleep(this.#latency(), this.#owner, 'from the store')
      throw error
    }
    if (mode === 'write' && plan.isOn('lose-commit-response') && world.random.chance(plan.storeFaultShare)) {
      world.reach('store: committed and lost the answer')
      world.trace('the answer to a commit is lost')
      await world.sleep(world.random.between(1, 5000), this.#owner, 'no answer to the commit')
      throw new StoreUnavailable('the connection was lost during the commit', { mayHaveCommitted: true })
    }
    await world.sleep(this.#latency(), this.#owner, 'from the store')
    return result
  }

  #fails(): boolean {
    const { world, plan } = this.#store
    return plan.isOn('refuse-commit') && world.random.chance(plan.storeFaultShare)
  }

  #maybeFail(name: string): void {
    if (!this.#fails()) return
    this.#store.world.reach(name)
    throw new StoreUnavailable('the store refused')
  }

  #refuseLocked(commands: readonly Command[]): void {
    const { lockedProject, world } = this.#store
    if (lockedProject === null || !commands.some(({ projectId }) => projectId === lockedProject)) return
    world.reach('store: a project was locked')
    const cause = Object.assign(new Error('lock timeout'), { code: '55P03', severity: 'ERROR' })
    throw new StoreUnavailable('a lock was not free in time', { cause })
  }

  #latency(): number {
    const { world, plan } = this.#store
    if (plan.isOn('slow-store') && world.random.chance(plan.storeFaultShare)) {
      world.reach('store: slow')
      return world.random.between(100, 20_000)
    }
    return world.random.between(0, 3) / 2
  }
}
