import type { Config } from '../../../src/config/config.ts'
import { StoreUnavailable } from '../../../src/storage/engine.ts'
import { instanceSql } from '../../../src/storage/postgres/instance-rows.ts'
import { type Dialect, type LiveInstance, MigrationRefused, migrate } from '../../../src/storage/schema/migrate.ts'
import { type Migration, migrations } from '../../../src/storage/schema/migrations.ts'
import { sqliteDialect } from '../../../src/storage/sqlite/faults.ts'
import type { Scene } from '../actors.ts'
import type { Code } from '../code.ts'
import type { GatewayHost } from '../gateways.ts'
import { Operator } from '../operator.ts'
import type { SimulatedStore } from '../store.ts'
import type { Payer } from '../template.ts'
import { Process } from '../world.ts'
import { SerialEngine } from './serial-engine.ts'
import { findStepFault } from './steps.ts'
import type { Versions } from './versions.ts'

interface UpgradeDeps {
  readonly versions: Versions
  readonly config: Config
  readonly payers: readonly Payer[]
}

const { selectLive } = instanceSql('sqlite')
/** Gateways share the simulated store, so migrations look at their leases, as on PostgreSQL. */
const dialect: Dialect = { ...sqliteDialect, selectLiveInstances: selectLive }

/** Replaces gateways by those of the other version and migrates, step by step and in any order, until everything is new. */
export class Upgrade {
  readonly process: Process
  readonly #scene: Scene
  readonly #store: SimulatedStore
  readonly #versions: Versions
  readonly #operators: readonly Operator[]
  readonly #steps: readonly Migration[]
  isDone = false

  constructor(scene: Scene, store: SimulatedStore, { versions, config, payers }: UpgradeDeps) {
    const { world, truth } = scene
    this.#scene = scene
    this.#store = store
    this.#versions = versions
    this.process = new Process('deployment', world)
    const code = versions.current
    this.#operators = ['cai', 'dee'].map((name) => new Operator(name, scene, store, { config, payers, code }))
    this.#steps = withStrictEnd(world.random.chance(0.5), versions.knownBefore)
    // A failover that lost a step leaves this version without what it needs, until somebody migrates again.
    versions.onMisfit = (version, error) => {
      if (!truth.hasLostCommits) world.fail(`a statement of ${version} does not fit the schema: ${error}`)
    }
    versions.onSchemaRead = (code, refusal) => this.#checkStart(code, refusal)
    scene.checks.readsAllRows = true
    const { onCommit } = store
    store.onCommit = (written) => {
      onCommit(written)
      if (written.size === 0) this.#checkLeases()
    }
  }

  start(): void {
    const { world } = this.#scene
    world.schedule(world.random.between(500, 8000), this.process, 'begin', () => {
      this.#deploy().then(
        () => {
          this.isDone = true
        },
        (error) => world.fail(`the deployment failed: ${error?.stack ?? error}`),
      )
    })
  }

  async #deploy(): Promise<void> {
    const { world, plan } = this.#scene
    const { random } = world
    while (!plan.isHealed) {
      const act = random.pick(['migrate', 'replace'] as const)
      if (act === 'migrate') await this.#migrate(random.chance(0.6) ? 1 : this.#steps.length)
      else this.#replace(random.pick(this.#scene.hosts), random.chance(this.#shareOfNew()))
      await this.#pause(random.between(100, 3000))
    }
    for (const host of this.#scene.hosts) this.#replace(host, true)
    while (this.#remaining().length > 0) {
      await this.#migrate(this.#steps.length)
      await this.#pause(1000)
    }
    while (!this.#scene.hosts.every(({ run, isServing }) => isServing && run?.code === this.#versions.current))
      await this.#pause(1000)
    world.reach('versions: only the new one is left')
  }

  /** How often a machine gets the new version: it does not start before the last step, and a strict step waits for it. */
  #shareOfNew(): number {
    if (this.#remaining().length === 0) return 0.5
    return this.#waitsForOld() ? 0.9 : 0.3
  }

  /** Whether the next step is refused until the old version is gone. */
  #waitsForOld(): boolean {
    const [next] = this.#remaining()
    return next !== undefined && next.compatibleFrom > this.#versions.knownBefore
  }

  #pause(ms: number): Promise<void> {
    return this.#scene.world.sleep(ms, this.process, 'pause')
  }

  /** Lets a machine run the new version or the old one; the supervisor starts it. */
  #replace(host: GatewayHost, isNew: boolean): void {
    const { world, plan, hosts } = this.#scene
    const { current, previous } = this.#versions
    const code = isNew ? current : previous
    const isMigrated = this.#remaining().length === 0
    const isLastOld = hosts.every((other) => other === host || other.code === current)
    // Somebody has to serve until the schema is the new one.
    if (isNew && isLastOld && !isMigrated && !this.#waitsForOld() && !plan.isHealed) return
    if (host.code === code) return
    host.code = code
    const when = isMigrated ? 'after' : 'before'
    world.reach(`versions: ${isNew ? 'the new' : 'the old'} one replaces the other ${when} the last step`)
    world.trace(`${host.name} is to run ${code.version}`)
    if (host.isServing && (plan.isHealed || world.random.chance(0.5))) host.stop()
    else host.kill()
  }

  #remaining(): readonly Migration[] {
    const { at } = this.#store.db.get<{ at: number }>('SELECT MAX(version) AS at FROM schema_migrations')!
    return this.#steps.filter(({ version }) => version > at)
  }

  /** Runs `migrate` of the new version as a program of its own, which may die at any time. */
  async #migrate(most: number): Promise<void> {
    const remaining = this.#remaining()
    if (remaining.length === 0) return
    await this.#proveSteps(remaining)
    const { world, plan } = this.#scene
    const process = new Process('migrate', world)
    const known = this.#steps.filter(({ version }) => version <= remaining.slice(0, most).at(-1)!.version)
    await new Promise<void>((resolve) => {
      const end = () => void world.schedule(0, this.process, 'migrate has ended', resolve)
      process.onKill(end)
      world.schedule(0, process, 'migrate', () => void this.#runMigrate(process, known).then(end))
      if (plan.isOn('kill') && world.random.chance(0.3))
        world.schedule(world.random.between(0, 30), world.outside, 'kill migrate', () => {
          world.reach('versions: migrate was killed')
          process.kill()
        })
    })
    if (this.#remaining().length === 0 && plan.isOn('operators'))
      for (const operator of this.#operators.filter(({ isStarted }) => !isStarted)) operator.start()
  }

  async #runMigrate(process: Process, known: readonly Migration[]): Promise<void> {
    const { world } = this.#scene
    const onApplied = ({ version, name }: Migration) => {
      const olds = this.#scene.hosts.filter(({ run }) => run?.isServing && run.code === this.#versions.previous)
      world.reach(`versions: step ${version} ${olds.length > 0 ? 'while the old one serves' : 'alone'}`)
      world.trace(`migration ${version} (${name}) with ${olds.length} older gateways`)
    }
    try {
      const engine = new SerialEngine(this.#store, process)
      await migrate(engine, { dialect, migrations: known, now: process.now, onApplied })
    } catch (error) {
      if (error instanceof MigrationRefused) world.reach('versions: a step waited for the old one to end')
      else if (!(error instanceof StoreUnavailable)) world.fail(`migrate failed: ${error}`)
      // A refusal names processes of this machine.
      world.trace(`migrate: ${error instanceof MigrationRefused ? `refused step ${error.step.version}` : error}`)
    }
  }

  async #proveSteps(remaining: readonly Migration[]): Promise<void> {
    const { world, truth } = this.#scene
    const { database } = this.#store.db
    if (database.isTransaction || truth.hasLostCommits) return
    const fault = await findStepFault(database.serialize(), remaining, world.outside.now())
    if (fault !== null) world.fail(fault)
    world.reach(`versions: all steps from ${remaining[0]!.version} on were taken on a copy`)
  }

  /** The schema only moves on, so what a start has refused or accepted just now must be right. */
  #checkStart(code: Code, refusal: Error | null): void {
    const { world, truth } = this.#scene
    const isOld = code === this.#versions.previous
    world.reach(`versions: the ${isOld ? 'old' : 'new'} one ${refusal ? 'refused' : 'accepted'} the schema`)
    if (truth.hasLostCommits) return
    if (isOld && refusal && this.#needed() <= this.#versions.knownBefore)
      world.fail(`${code.version} refused a schema that it can serve: ${refusal.message}`)
    if (!isOld && !refusal && this.#remaining().some(({ isRequired }) => isRequired))
      world.fail('a gateway started without a step that it needs')
  }

  #needed(): number {
    const select = 'SELECT MAX(compatible_from) AS needed FROM schema_migrations'
    return this.#store.db.get<{ needed: number }>(select)!.needed
  }

  /** No program holds a lease that is too old for the schema: it would serve what it does not know. */
  #checkLeases(): void {
    const { db } = this.#store
    const needed = this.#needed()
    if (needed <= this.#versions.knownBefore) return
    const old = db.all<LiveInstance>(selectLive).find(({ knownVersion }) => knownVersion < needed)
    if (old)
      this.#scene.world.fail(`${old.instanceId} knows version ${old.knownVersion}, and the schema needs ${needed}`)
  }
}

/** In half of the worlds, the last step says that older programs must be gone, as a step does that says nothing. */
function withStrictEnd(isStrict: boolean, knownBefore: number): readonly Migration[] {
  const last = migrations.at(-1)!
  if (!isStrict || last.version <= knownBefore) return migrations
  return [...migrations.slice(0, -1), { ...last, compatibleFrom: last.version }]
}
