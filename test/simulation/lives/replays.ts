import { Person } from '../actors.ts'
import type { GatewayResponse } from '../gateways.ts'
import type { BeginLife, LifeScene } from './life.ts'
import { contentOf } from './streams.ts'

const replayed = 10

interface SettledCall {
  readonly chargeId: string
  readonly requestId: string
}

const selectSettled = `SELECT charge_id AS "chargeId", request_id AS "requestId" FROM charges
  WHERE state = 'settled' ORDER BY charge_id`

/** Repeats calls that are settled, with their keys: each response is still there, and none is charged again. */
class ForgetfulPerson extends Person {
  readonly #scene: LifeScene

  constructor(scene: LifeScene) {
    super('forgetful', scene)
    this.#scene = scene
  }

  start(): void {
    const { world, store, truth, checks, callers } = this.#scene
    this.begin(async () => {
      // Results are kept for 30 days, and a lost commit may have been the settlement.
      if (checks.hasArchived || truth.hasLostCommits) return
      const intended = new Map(callers.flatMap(({ intents }) => [...intents]))
      const settled = store.db.all<SettledCall>(selectSettled).flatMap((charge) => {
        const intent = intended.get(truth.intentOf.get(charge.requestId) ?? '')
        return intent ? [{ ...charge, intent }] : []
      })
      for (let left = replayed; left > 0 && settled.length > 0; left -= 1) {
        const [{ chargeId, intent }] = settled.splice(world.random.between(0, settled.length - 1), 1) as [
          (typeof settled)[number],
        ]
        const response = await this.#repeat(intent)
        if (response) this.#compare(chargeId, response, intent)
      }
    })
  }

  /** With whichever key of the project still works. */
  async #repeat({ keys, path, headers, body }: CallIntent): Promise<GatewayResponse | null> {
    for (const { apiKey } of keys()) {
      const authorization = `Bearer ${apiKey}`
      const response = await this.send({ method: 'POST', path, headers: { ...headers, authorization }, body })
      if (response && response.status !== 401 && response.status !== 403) return response
    }
    return null
  }

  #compare(chargeId: string, response: GatewayResponse, { path, text }: CallIntent): void {
    const { world } = this.scene
    const { status, headers } = response
    world.reach('replay: a settled call was repeated')
    const isReplay = headers['idempotent-replayed'] === 'true' && headers['x-charge-id'] === chargeId
    if (!isReplay) world.fail(`${chargeId} is settled, and a repeat got ${status} of ${headers['x-charge-id']}`)
    if (text !== null && contentOf(path, response) !== text)
      world.fail(`${chargeId} was answered differently when it was repeated`)
  }
}

/** A call with a key of its own, as its caller remembers it. */
export interface CallIntent {
  readonly keys: () => readonly { readonly apiKey: string }[]
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  /** The response, if it got one that is the same every time. */
  text: string | null
  /** The charge of that response. */
  chargeId: string | null
}

export const replays: BeginLife = (scene) => {
  const { world, store } = scene
  const sums = () =>
    JSON.stringify(store.db.get('SELECT SUM(entries) AS entries, SUM(settled) AS settled FROM balances'))
  let before = ''
  const last = new ForgetfulPerson(scene)
  return {
    last: {
      name: last.name,
      start() {
        before = sums()
        last.start()
      },
      get isDone() {
        return last.isDone
      },
    },
    check() {
      if (before !== sums()) world.fail(`repeated calls were charged: ${before} before, ${sums()} after`)
    },
  }
}
