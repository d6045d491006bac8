import { mth } from '../../testkit/receipts/rfc-tree.ts'
import { Person, type Scene } from './actors.ts'
import type { SimulatedStore } from './store.ts'

const turns = 12
const hashBytes = 32

interface SeenTree {
  readonly origin: string
  readonly size: number
  readonly root: string
}

/** Keeps every checkpoint of the public log that any gateway serves, as a payer may. */
export class Witness extends Person {
  readonly #seen: SeenTree[] = []

  constructor(scene: Scene) {
    super('witness', scene)
  }

  start(): void {
    this.begin(async () => {
      for (let turn = 0; turn < turns; turn += 1) {
        await this.pause(500, 15_000)
        const response = await this.attempt({ method: 'GET', path: '/transparency/checkpoint', headers: {} }).catch(
          () => null,
        )
        if (response?.status === 200) this.#keep(response.text)
      }
    })
  }

  #keep(note: string): void {
    const { world } = this.scene
    const [origin, size, root] = note.split('\n') as [string, string, string]
    world.reach('witness: saw a checkpoint')
    const other = this.#seen.find((seen) => seen.origin === origin && seen.size === Number(size) && seen.root !== root)
    if (other) world.fail(`two trees of ${size} leaves were published`)
    this.#seen.push({ origin, size: Number(size), root })
  }

  /** Everything that was published is a beginning of what the store has now. */
  compare(store: SimulatedStore): void {
    const { world, truth } = this.scene
    // Then the log goes on under another name, once an operator has announced it.
    if (truth.hasLostCommits) return
    const tiles = store.db.all<{ hashes: string }>(
      'SELECT hashes FROM transparency_tiles WHERE log_number = 1 AND level = 0 ORDER BY tile_index',
    )
    const bytes = Buffer.concat(tiles.map(({ hashes }) => Buffer.from(hashes, 'base64')))
    const leaves = Array.from({ length: bytes.length / hashBytes }, (_, index) =>
      bytes.subarray(index * hashBytes, (index + 1) * hashBytes),
    )
    for (const { size, root } of this.#seen) {
      if (size > leaves.length)
        world.fail(`a checkpoint of ${size} leaves was published, and there are ${leaves.length}`)
      else if (mth(leaves.slice(0, size)).toString('base64') !== root)
        world.fail(`the tree of ${size} leaves that was published is not the beginning of today's`)
    }
  }
}
