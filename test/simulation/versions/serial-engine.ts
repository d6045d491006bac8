import type { Command } from '../../../src/ledger/commands.ts'
import { type Engine, type Logger, type Reader, StoreUnavailable, type Writer } from '../../../src/storage/engine.ts'
import { applyBatch } from '../../../src/storage/sqlite/batch.ts'
import type { AppliedBatch } from '../../../src/storage/sqlite/protocol.ts'
import type { EmbeddedEngine } from '../../../src/storage/sqlite/sqlite-engine.ts'
import { transact } from '../../../src/storage/transaction.ts'
import { silentLogger } from '../silent-logger.ts'
import type { SimulatedStore, Written } from '../store.ts'
import type { Process } from '../world.ts'

/** Longer than this a transaction may not be open; then the server ends it. */
const transactionLimitMs = 30_000

/** One transaction at a time, which takes no time: the model of PostgreSQL cannot take back a change of the schema. */
class Turns {
  readonly store: SimulatedStore
  readonly #waiting: { readonly owner: Process; readonly resolve: () => void }[] = []

  constructor(store: SimulatedStore) {
    this.store = store
    store.nudge = () => {
      if (!store.isBusy) this.release()
    }
  }

  acquire(owner: Process): Promise<void> {
    if (!this.store.isBusy) {
      this.store.isBusy = true
      return Promise.resolve()
    }
    return new Promise((resolve) => void this.#waiting.push({ owner, resolve }))
  }

  /** The next one that is there to take its turn gets it. */
  release(): void {
    const { store } = this
    store.isBusy = false
    if (this.#waiting.length === 0) return
    store.isBusy = true
    store.world.schedule(0, store.world.outside, 'store turn', () => {
      const index = this.#waiting.findIndex(({ owner }) => owner.isAlive && !owner.isFrozen)
      const next = this.#waiting[index]
      if (!next) {
        store.isBusy = false
        return
      }
      this.#waiting.splice(index, 1)
      store.world.current = next.owner
      next.resolve()
    })
  }

  begin(): void {
    this.store.db.exec('SAVEPOINT serial')
  }

  commit(written: Written): void {
    const { store } = this
    store.db.exec('RELEASE serial')
    if (written.size === 0) store.db.generation = {}
    store.countCommit()
    store.onCommit(written)
  }

  rollback(): void {
    const { db } = this.store
    db.generation = {}
    if (!db.database.isTransaction) return
    db.exec('ROLLBACK TO serial')
    db.exec('RELEASE serial')
  }
}

const turnsOf = new WeakMap<SimulatedStore, Turns>()

/** An open transaction of one client. */
class Session {
  readonly owner: Process
  readonly #turns: Turns
  readonly #limit: { isCancelled: boolean }
  readonly #lost = Promise.withResolvers<never>()
  isOver = false

  constructor(turns: Turns, owner: Process) {
    this.owner = owner
    this.#turns = turns
    this.#lost.promise.catch(() => {})
    const { world, sessions } = turns.store
    this.#limit = world.schedule(transactionLimitMs, world.outside, 'transaction limit', () => this.end())
    sessions.add(this)
    turns.begin()
  }

  get lost(): Promise<never> {
    return this.#lost.promise
  }

  /** The server ends it, or its connection is lost. */
  end(): void {
    this.finish(() => this.#turns.rollback())
    this.#lost.reject(new StoreUnavailable('the connection to the database was lost'))
  }

  finish(how: () => void): void {
    if (this.isOver) return
    this.isOver = true
    this.#limit.isCancelled = true
    this.#turns.store.sessions.delete(this)
    try {
      how()
    } finally {
      this.#turns.release()
    }
  }
}

/** The connection of one gateway to the store, with the statements of SQLite: for worlds in which the schema changes. */
export class SerialEngine implements EmbeddedEngine {
  readonly kind = 'sqlite'
  readonly isShared = true
  readonly logger: Logger
  readonly #store: SimulatedStore
  readonly #turns: Turns
  readonly #owner: Process
  readonly #apply: typeof applyBatch

  constructor(store: SimulatedStore, owner: Process, logger: Logger = silentLogger, apply = applyBatch) {
    this.#store = store
    const turns = turnsOf.get(store) ?? new Turns(store)
    turnsOf.set(store, turns)
    this.#turns = turns
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
    const turns = this.#turns
    return this.#exchange('write', async () => {
      this.#refuseLocked(commands)
      for (const command of commands)
        if (command.type === 'admit') this.#store.instances.set(command.instanceId, this.#owner)
      await turns.acquire(this.#owner)
      try {
        turns.begin()
        const applied = structuredClone(this.#apply(this.#store.db, commands))
        this.#maybeFail('store: refused the commit of a batch')
        turns.commit(writtenBy(commands))
        return applied
      } catch (error) {
        turns.rollback()
        throw error
      } finally {
        turns.release()
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
    const turns = this.#turns
    return this.#exchange(mode, async () => {
      await turns.acquire(this.#owner)
      const session = new Session(turns, this.#owner)
      return transact(work, {
        lost: session.lost,
        execute: async (method, sql, params) => {
          if (session.isOver) throw new StoreUnavailable('the transaction has ended')
          return this.#store.db.statement(method, sql, params)
        },
        commit: async () => {
          if (session.isOver) throw new StoreUnavailable('the transaction has ended')
          if (mode === 'write' && this.#store.fails()) {
            session.finish(() => turns.rollback())
            throw new StoreUnavailable('the store refused the commit')
          }
          session.finish(() => (mode === 'write' ? turns.commit(new Map()) : turns.rollback()))
        },
        rollback: async () => session.finish(() => turns.rollback()),
      })
    })
  }

  /** The way to the store and back. */
  async #exchange<T>(mode: 'read' | 'write', work: () => Promise<T>): Promise<T> {
    const { world, plan } = this.#store
    await world.sleep(this.#store.latency(), this.#owner, 'to the store')
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
      await world.sleep(this.#store.latency(), this.#owner, 'from the store')
      throw error
    }
    if (mode === 'write' && plan.isOn('lose-commit-response') && world.random.chance(plan.storeFaultShare)) {
      world.reach('store: committed and lost the answer')
      world.trace('the answer to a commit is lost')
      await world.sleep(world.random.between(1, 5000), this.#owner, 'no answer to the commit')
      throw new StoreUnavailable('the connection was lost during the commit', { mayHaveCommitted: true })
    }
    await world.sleep(this.#store.latency(), this.#owner, 'from the store')
    return result
  }

  #maybeFail(name: string): void {
    if (!this.#store.fails()) return
    this.#store.world.reach(name)
    throw new StoreUnavailable('the store refused')
  }

  #refuseLocked(commands: readonly Command[]): void {
    const { lockedProject } = this.#store
    if (lockedProject === null || !commands.some(({ projectId }) => projectId === lockedProject)) return
    const cause = Object.assign(new Error('lock timeout'), { code: '55P03', severity: 'ERROR' })
    throw new StoreUnavailable('a lock was not free in time', { cause })
  }
}

/** The rows that the checks look at. */
function writtenBy(commands: readonly Command[]): Written {
  const keys = (ids: readonly string[]) => new Set(ids.map((id) => JSON.stringify([id])))
  return new Map([
    ['balances', keys(commands.map(({ projectId }) => projectId))],
    ['charges', keys(commands.flatMap((command) => ('chargeId' in command ? [command.chargeId] : [])))],
  ])
}
