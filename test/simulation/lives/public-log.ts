import { Refusal } from '../../../src/contract/errors.ts'
import { forkTransparency } from '../../../src/features/records/transparency/operator.ts'
import { keptCheckpointFile, publishedOf, readKept } from '../../../src/features/records/transparency/publisher.ts'
import { createRoots } from '../../../testkit/receipts/rfc-tree.ts'
import { Person } from '../actors.ts'
import { SimulatedEngine, type SimulatedStore } from '../store.ts'
import { witnessSettings } from './cosigner.ts'
import { type Actor, type BeginLife, type LifeScene, tryOnce } from './life.ts'

const hashBytes = 32
/** Gateways look for entries every second, but the last look of an idle world may be minutes away (`World.stretched`). */
const withinMs = 600_000

interface SeenTree {
  readonly logNumber: number
  readonly size: number
  readonly root: string
}

/** Keeps every checkpoint of the public log that any gateway serves, as a payer may. */
class Reader extends Person {
  readonly seen: SeenTree[] = []

  constructor(scene: LifeScene) {
    super('witness', scene)
  }

  start(): void {
    this.begin(async () => {
      while (!this.scene.plan.isHealed) {
        await this.pause(500, 6000)
        const response = await tryOnce(this, { method: 'GET', path: '/transparency/checkpoint', headers: {} })
        if (response?.status === 200) this.#keep(response.text)
      }
    })
  }

  #keep(note: string): void {
    const { world, truth } = this.scene
    const { logNumber, size, root: hash } = publishedOf(note)!
    const root = hash.toString('base64')
    world.reach('witness: saw a checkpoint')
    const other = this.seen.find((tree) => tree.logNumber === logNumber && tree.size === size && tree.root !== root)
    // A store that was restored may sign another tree before it is compared.
    if (other && !truth.hasLostCommits) world.fail(`two trees of ${size} leaves were published`)
    this.seen.push({ logNumber, size, root })
  }
}

/** Announces that the log was restored, and waits until the next one has everything. */
class Announcer implements Actor {
  readonly name = 'announcer'
  readonly #scene: LifeScene
  isDone = false

  constructor(scene: LifeScene) {
    this.#scene = scene
  }

  start(): void {
    const { world, store, truth } = this.#scene
    const work = async () => {
      if (truth.hasLostCommits) await this.#fork()
      const end = world.time + withinMs
      while (lagOf(store) > 0 && world.time < end) await world.sleep(1000, world.outside, 'the tree')
    }
    world.schedule(0, world.outside, 'begin', () => {
      void work().then(
        () => {
          this.isDone = true
        },
        (error) => world.fail(`the fork failed: ${error?.stack ?? error}`),
      )
    })
  }

  async #fork(): Promise<void> {
    const { world, store, template } = this.#scene
    const engine = new SimulatedEngine(store, world.outside)
    const actor = { name: 'ann', via: 'command line' } as const
    // Every gateway has compared by then.
    await world.sleep(10_000, world.outside, 'compare')
    const kept = readKept(keptCheckpointFile(template.config.dataDir))
    try {
      await forkTransparency({ engine, clock: world.outside.now }, actor, { reason: 'a restore', kept })
      world.reach('public log: forked')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
}

const lagOf = ({ db }: SimulatedStore): number => db.get<{ entries: number }>(selectLag)!.entries

const selectLag = `SELECT COALESCE(SUM(MAX(0, b.entries - MAX(COALESCE(p.entries, 0), COALESCE(k.entries, 0)))), 0) AS entries
  FROM balances b LEFT JOIN transparency_progress p ON p.project_id = b.project_id
    AND p.log_number = (SELECT COALESCE(MAX(log_number), 1) FROM transparency_logs)
  LEFT JOIN closing_balances k ON k.project_id = b.project_id`

/** Everything that was published is a beginning of what the store has now, and every entry is in the tree. */
function check({ world, store }: LifeScene, seen: readonly SeenTree[]): void {
  const lag = lagOf(store)
  if (lag > 0) world.fail(`${lag} entries are not in the public log`)
  const current = store.db.get<{ n: number | null }>('SELECT MAX(log_number) AS n FROM transparency_logs')?.n ?? 1
  const tiles = store.db.all<{ hashes: string }>(
    'SELECT hashes FROM transparency_tiles WHERE log_number = $1 AND level = 0 ORDER BY tile_index',
    [current],
  )
  const bytes = Buffer.concat(tiles.map(({ hashes }) => Buffer.from(hashes, 'base64')))
  const leaves = Array.from({ length: bytes.length / hashBytes }, (_, index) =>
    bytes.subarray(index * hashBytes, (index + 1) * hashBytes),
  )
  const rootOf = createRoots(leaves)
  // An operator has announced that the logs before it have ended.
  for (const { size, root } of seen.filter(({ logNumber }) => logNumber === current)) {
    if (size > leaves.length) world.fail(`a checkpoint of ${size} leaves was published, and there are ${leaves.length}`)
    else if (rootOf(size).toString('base64') !== root)
      world.fail(`the tree of ${size} leaves that was published is not the beginning of today's`)
  }
}

export const publicLog: BeginLife = (scene) => {
  if (scene.plan.isOn('witnesses')) {
    for (const host of scene.hosts) {
      const { transparency } = host.config
      host.configure({ ...host.config, transparency: { ...transparency, witnesses: [witnessSettings] } })
    }
  }
  const reader = new Reader(scene)
  return { people: [reader], last: new Announcer(scene), check: () => check(scene, reader.seen) }
}
