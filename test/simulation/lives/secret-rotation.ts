import { sealedKinds } from '../../../src/app/features.ts'
import { createKeyring, type Keyring } from '../../../src/base/keyring.ts'
import { checkSecret, createSecretStore, rotateSecret } from '../../../src/ops/secrets.ts'
import { SimulatedEngine } from '../store.ts'
import { secret } from '../template.ts'
import { Process } from '../world.ts'
import type { Actor, BeginLife, LifeScene } from './life.ts'

const newSecret = 'the next secret of the simulation, also 32 bytes or more'

/** Those that a value in the store can be sealed with, the newest first. */
export const allSecrets: readonly string[] = [newSecret, secret]

/** With all faults around it, a machine that can start has started by then. */
const startWithinMs = 600_000

/** Replaces the secret while everything goes on, as docs/connections.md says: both, then `secret rotate`, then the new one alone. */
class SecretKeeper implements Actor {
  readonly name = 'keeper'
  readonly #scene: LifeScene
  readonly #process: Process
  isDone = false

  constructor(scene: LifeScene) {
    this.#scene = scene
    this.#process = new Process(this.name, scene.world)
  }

  start(): void {
    const { world } = this.#scene
    world.schedule(world.random.between(0, 5000), this.#process, 'begin', () => {
      void this.#replace().then(
        () => {
          this.isDone = true
        },
        (error) => world.fail(`the secret was not replaced: ${error?.stack ?? error}`),
      )
    })
  }

  async #replace(): Promise<void> {
    do {
      await this.#restartWith(newSecret, [secret])
      await this.#rotate()
      // A failover may take the end of the rotation back: then the new secret alone is refused.
    } while (!(await this.#restartWith(newSecret, [], startWithinMs)))
  }

  async #rotate(): Promise<void> {
    const { store, world } = this.#scene
    const engine = new SimulatedEngine(store, this.#process)
    const keyring = createKeyring(newSecret, [secret])
    for (;;) {
      try {
        await checkSecret(createSecretStore(engine), keyring, this.#process.now)
        const { isFinished } = await rotateSecret(engine, keyring, sealedKinds(keyring))
        if (isFinished) break
      } catch (error) {
        world.trace(`secret rotate: ${error}`)
      }
      await world.sleep(world.random.between(100, 3000), this.#process, 'again')
    }
    world.reach('secret: rotated')
  }

  /** One machine after another; each is stopped until it runs with these. False if one does not start in time. */
  async #restartWith(current: string, secretPrevious: readonly string[], withinMs = Number.POSITIVE_INFINITY) {
    const { world, hosts } = this.#scene
    for (const host of hosts) {
      const end = world.time + withinMs
      const config = { ...host.config, secret: current, secretPrevious: [...secretPrevious] }
      host.configure(config)
      while (host.run?.config !== config || !host.isServing) {
        if (world.time > end) return false
        if (host.isServing) host.stop()
        await world.sleep(1000, this.#process, 'restart')
      }
    }
    return true
  }
}

interface Column {
  readonly table: string
  readonly name: string
}

const selectVersionColumns = `SELECT m.name AS "table", c.name FROM sqlite_master m, pragma_table_info(m.name) c
  WHERE m.type = 'table' AND c.name LIKE '%key_version' AND m.name <> 'secret_versions'`

/** Nothing in the store needs the old secret, and everything opens with the new one. */
function check({ world, store, truth }: LifeScene): void {
  // A lost commit may have been the end of the rotation: then it is run again.
  if (truth.hasLostCommits) return
  const keyring = createKeyring(newSecret)
  for (const { table, name } of store.db.all<Column>(selectVersionColumns)) {
    const old = store.db.get(`SELECT 1 AS one FROM ${table} WHERE ${name} <> $1 LIMIT 1`, [keyring.current.version])
    if (old) world.fail(`${table}.${name} still names the old secret`)
  }
  checkOpens(world.fail.bind(world), store, keyring)
}

function checkOpens(fail: (what: string) => void, { db }: LifeScene['store'], keyring: Keyring): void {
  for (const kind of sealedKinds(keyring)) {
    const { table, id, sealed = 'sealed', keyVersion = 'key_version', context, digest } = kind
    const rows = db.all<{ id: string; sealed: string; keyVersion: string; digest: string | null }>(
      `SELECT ${id} AS id, ${sealed} AS sealed, ${keyVersion} AS "keyVersion", ${digest?.column ?? 'NULL'} AS digest
      FROM ${table} WHERE ${sealed} IS NOT NULL`,
    )
    for (const row of rows) {
      try {
        const opened = keyring.open(context(row.id), row)
        if (digest && digest.of(opened) !== row.digest) fail(`${table} ${row.id} is not found by its value any more`)
      } catch {
        fail(`${table} ${row.id} cannot be read after the secret was replaced`)
      }
    }
  }
}

export const secretRotation: BeginLife = (scene) =>
  scene.plan.isOn('secret-rotation') ? { people: [new SecretKeeper(scene)], check: () => check(scene) } : {}
