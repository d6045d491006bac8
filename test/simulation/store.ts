import type { Logger, Reader } from '../../src/storage/engine.ts'
import { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { migrations } from '../../src/storage/schema/migrations.ts'
import { Connection } from '../../src/storage/sqlite/connection.ts'
import type { Plan } from './plan.ts'
import { ModelKnowledge, ModelServer } from './postgres/server.ts'
import { SimulatedSession } from './postgres/session.ts'
import type { Transaction } from './postgres/transaction.ts'
import { rowTypesIn } from './postgres/translate.ts'
import { silentLogger } from './silent-logger.ts'
import type { Process, World } from './world.ts'

/** The rows that a commit wrote: keys as JSON, by table. */
export type Written = Transaction['written']

const types = rowTypesIn(migrations.flatMap(({ statements }) => statements('postgres')))
const knowledgeOf = new WeakMap<Uint8Array, ModelKnowledge>()

/** The database server: the SQL for PostgreSQL on a model of it in memory, with the faults of a server and of the way to it. */
export class SimulatedStore {
  readonly world: World
  readonly plan: Plan
  readonly model: ModelServer
  onCommit: (written: Written) => void = () => {}
  /** Called before and after a failover that lost commits. */
  onLoss: (lose: () => void, written: Written) => void = (lose) => lose()
  commits = 0
  /** Which process has which instance id. */
  readonly instances = new Map<string, Process>()
  /** Whose commit is being written; the server writes it at a time of its own. */
  committer: Process | null = null
  /** When the last outage ended, and how long it took. */
  backAt = 0
  lastOutageMs = 0
  /** Grows with each promotion. */
  timeline = 1
  /** Gateways whose leases are not renewed, and whose commits may be answered late. */
  readonly cutOff = new Set<Process>()
  /** How often all connections were lost. */
  outages = 0
  #downAt: number | null = null
  #locked: Transaction | null = null
  /** Commits that the standby does not have yet; null while it has all. */
  #unreplicated: { commits: number; readonly sequences: [string, number][]; readonly written: Written } | null = null
  readonly sessions = new Set<Pick<SimulatedSession, 'owner' | 'end'>>()
  /** For programs that take turns (versions/serial-engine.ts): whether one has its turn, and lets the next one have it. */
  isBusy = false
  nudge: () => void = () => {}
  lockedProject: string | null = null

  constructor(world: World, plan: Plan, template: Uint8Array) {
    this.world = world
    this.plan = plan
    const db = new Connection(':memory:', { busyTimeoutMs: 0, readOnly: false })
    db.database.deserialize(template)
    const seconds = () => (world.epoch + Math.floor(world.time)) / 1000
    db.database.function('unixepoch', { varargs: true }, seconds)
    db.database.function('clock_ms', () => world.epoch + Math.floor(world.time))
    let knowledge = knowledgeOf.get(template)
    if (!knowledge) {
      knowledge = new ModelKnowledge()
      knowledgeOf.set(template, knowledge)
    }
    const time = { after: (ms: number, work: () => void) => world.schedule(ms, world.outside, 'the server', work) }
    this.model = new ModelServer(db, time, {
      types,
      knowledge,
      onCommit: ({ written }) => {
        if (written.size === 0) return
        if (this.#unreplicated) addWritten(this.#unreplicated.written, written)
        this.onCommit(written)
      },
    })
    this.model.addSequence('ledger_entry_ids', 1, 256)
    this.model.addSequence('events', 1, 1)
  }

  /** What is committed. */
  get db(): Connection {
    return this.model.committed()
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
    if (this.#unreplicated !== null || this.isBusy) return
    this.db.exec('BEGIN')
    this.#unreplicated = { commits: 0, sequences: this.model.sequences(), written: new Map() }
  }

  /** The standby becomes the primary. What it did not have is lost. */
  failOver(): number {
    this.endSessions()
    this.timeline += 1
    const lost = this.#unreplicated
    if (lost === null) return 0
    this.#unreplicated = null
    this.onLoss(() => {
      this.db.exec('ROLLBACK')
      // Rows cached by programs that take turns may be among those that are lost.
      this.db.generation = {}
    }, lost.written)
    this.model.restoreSequences(lost.sequences)
    return lost.commits
  }

  replicateAgain(): void {
    if (this.#unreplicated === null || this.isBusy) return
    this.db.exec('COMMIT')
    this.#unreplicated = null
  }

  get isReplicating(): boolean {
    return this.#unreplicated === null
  }

  /** Every client loses its connection: what is under way fails. */
  endSessions(owner?: Process): void {
    for (const session of [...this.sessions]) if (!owner || session.owner === owner) session.end()
    if (owner) return
    this.outages += 1
    this.unlockProject()
  }

  /** Somebody else holds the lock of a project. */
  lockProject(projectId: string): void {
    this.unlockProject()
    this.lockedProject = projectId
    const tx = this.model.begin(Number.MAX_SAFE_INTEGER)
    this.#locked = tx
    const lock = 'SELECT project_id FROM balances WHERE project_id = $1 FOR UPDATE'
    this.model.execute(tx, lock, [projectId], (error) => {
      if (!error) this.world.reach('store: a project was locked')
    })
  }

  unlockProject(): void {
    if (this.#locked) this.model.rollback(this.#locked)
    this.#locked = null
    this.lockedProject = null
  }

  commit(tx: Transaction, owner: Process): void {
    this.countCommit()
    for (const key of tx.written.get('instances') ?? []) {
      const [instanceId] = JSON.parse(key)
      // Others delete its row once it has expired.
      if (!this.instances.has(instanceId)) this.instances.set(instanceId, owner)
    }
    this.committer = owner
    try {
      this.model.commit(tx)
    } finally {
      this.committer = null
    }
  }

  countCommit(): void {
    if (this.#unreplicated !== null) this.#unreplicated.commits += 1
    this.commits += 1
  }

  /** Whether an operation is refused. */
  fails(): boolean {
    return this.plan.isOn('refuse-commit') && this.world.random.chance(this.plan.storeFaultShare)
  }

  /** Whether others may go on before the next statement. */
  yields(): boolean {
    return this.world.random.chance(this.plan.overlap)
  }

  latency(): number {
    const { world, plan } = this
    if (plan.isOn('slow-store') && world.random.chance(plan.storeFaultShare)) {
      world.reach('store: slow')
      return world.random.between(100, 20_000)
    }
    return world.random.between(0, 2 * plan.storeMs) / 2
  }

  /** What the server says about itself, which has no tables here. */
  fixedRows(sql: string): object[] | null {
    if (sql.startsWith('CREATE TEMPORARY TABLE')) return []
    if (!sql.includes('pg_') && !sql.includes('set_config')) return null
    return fixedRows.find(([part]) => sql.includes(part))?.[1](this.timeline) ?? null
  }
}

function addWritten(all: Written, more: Written): void {
  for (const [table, keys] of more) {
    const known = all.get(table)
    if (!known) all.set(table, new Set(keys))
    else for (const key of keys) known.add(key)
  }
}

const fixedRows: readonly (readonly [part: string, rows: (timeline: number) => object[]])[] = [
  ['pg_is_in_recovery() THEN CASE', () => [{ reason: null }]],
  ['pg_try_advisory_xact_lock_shared(', () => [{ free: 1 }]],
  ['pg_advisory_xact_lock(', () => [{ locked: '' }]],
  ['has_database_privilege(', () => [{ can: 1 }]],
  ["set_config('enable_seqscan'", () => [{ set: 'off' }]],
  ['FROM pg_stat_replication', () => [{ isRequired: 1, synchronous: 1, hidden: 0, standbys: 1, lagBytes: 0 }]],
  ['pg_control_system()', (timeline) => [{ server: `7 ${timeline}` }]],
]

/** The gateway's own engine for PostgreSQL, on connections to the simulated server. */
export class SimulatedEngine extends PostgresEngine {
  readonly #store: SimulatedStore
  readonly #owner: Process

  constructor(store: SimulatedStore, owner: Process, logger: Logger = silentLogger) {
    const server = new SimulatedServer(store)
    super({
      url: 'postgres://simulated/gateway',
      logger,
      server: server as never,
      createPool: (limits) => ({
        take: async () => {
          server.notice()
          return new SimulatedSession(store, owner, limits) as never
        },
        close: async () => {},
      }),
    })
    this.#store = store
    this.#owner = owner
    owner.onKill(() => store.endSessions(owner))
  }

  /** Its statements take no time, so they see one snapshot; the answer does. */
  override async read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    const result = await super.read(work)
    await this.#store.world.sleep(this.#store.latency(), this.#owner, 'from the store')
    return result
  }
}

/** Says that connections lead to another server after a failover. */
class SimulatedServer {
  readonly #store: SimulatedStore
  readonly #listeners: (() => void)[] = []
  readonly isFound = true
  #timeline: number

  constructor(store: SimulatedStore) {
    this.#store = store
    this.#timeline = store.timeline
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  notice(): void {
    if (this.#timeline === this.#store.timeline) return
    this.#timeline = this.#store.timeline
    for (const listener of this.#listeners) listener()
  }

  close(): void {}
}
