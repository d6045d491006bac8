import type { SimulatedStore, Written } from './store.ts'
import type { Truth } from './upstreams.ts'
import type { World } from './world.ts'

/** The longest between a gateway's look for a lost response and its own reservation, with a slow store. */
const lookMs = 30_000

interface Charged {
  readonly chargeId: string
  readonly requestId: string
  readonly instanceId: string
}

/** A client that sends no key, but counts its attempts, is charged once, provided that the lost response was known in time. */
export class Repeats {
  readonly #world: World
  readonly #store: SimulatedStore
  readonly #truth: Truth
  readonly #reservedAt = new Map<string, number>()
  readonly #watched = new Set<string>()
  /** When the store learned whether a response was delivered. */
  readonly #reportedAt = new Map<string, number>()

  constructor(world: World, store: SimulatedStore, truth: Truth) {
    this.#world = world
    this.#store = store
    this.#truth = truth
  }

  afterCommit(written: Written): void {
    const { time } = this.#world
    for (const key of written.get('charges') ?? []) if (!this.#reservedAt.has(key)) this.#reservedAt.set(key, time)
    for (const key of written.get('pending_deliveries') ?? []) {
      if (this.#watched.has(key) && !this.#reportedAt.has(key)) this.#reportedAt.set(key, time)
      this.#watched.add(key)
    }
  }

  check(): void {
    const charged = new Map<string, Charged>()
    const select = `SELECT charge_id AS "chargeId", request_id AS "requestId", instance_id AS "instanceId" FROM charges
      WHERE state IN ('settled', 'manual_review') ORDER BY charge_id`
    for (const charge of this.#store.db.all<Charged>(select)) {
      const intent = this.#truth.intentOf.get(charge.requestId)
      if (intent === undefined) continue
      const first = charged.get(intent)
      if (first && this.#wasKnown(first, charge)) this.#world.fail(`${intent} was charged twice`)
      charged.set(intent, charge)
    }
  }

  /** A gateway that cannot write, or dies before it can, reports its lost responses too late or never. */
  #wasKnown(first: Charged, second: Charged): boolean {
    const [one, other] = [first, second].map(({ chargeId }) => JSON.stringify([chargeId])) as [string, string]
    const lookedAt = this.#lookedAt(second, this.#reservedAt.get(other)!)
    const knownAt = this.#reportedAt.get(one) ?? this.#store.instances.get(first.instanceId)?.diedAt ?? lookedAt
    return knownAt <= lookedAt
  }

  /** While a gateway is frozen, what it has read grows old. */
  #lookedAt({ instanceId }: Charged, reservedAt: number): number {
    const freezes = this.#store.instances.get(instanceId)?.freezes ?? []
    let lookedAt = reservedAt - lookMs
    for (const { from, to } of freezes.toReversed()) if (to > lookedAt && from < reservedAt) lookedAt -= to - from
    return lookedAt
  }
}
