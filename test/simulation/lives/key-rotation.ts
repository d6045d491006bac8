import { scopes } from '../../../src/contract/prices.ts'
import { Person } from '../actors.ts'
import type { Payer } from '../template.ts'
import { type BeginLife, consoleRequest, type LifeScene, tryOnce } from './life.ts'

interface Key {
  readonly keyId: string
  readonly apiKey: string
}

/** When the old key ends: the gateway decided it between two moments of the world. */
interface GraceEnd {
  readonly earliest: number
  readonly latest: number
}

const turns = 2

/** Rotates a key, and uses the old one before its end and after it. */
class RotatingPerson extends Person {
  readonly #payer: Payer
  /** The clocks of two gateways differ by less. */
  readonly #marginMs: number
  #requests = 0

  constructor(scene: LifeScene) {
    super('rotator', scene)
    this.#payer = scene.template.payers[0]!
    const { faults } = scene.plan
    this.#marginMs = faults.has('clock-skew') || faults.has('clock-drift') ? 13_000 : 2000
  }

  start(): void {
    const { scene } = this
    this.begin(async () => {
      let key = await this.#create()
      for (let turn = 0; key !== null && turn < turns && !scene.plan.isHealed; turn += 1) key = await this.#rotate(key)
    })
  }

  #post(path: string, body: object) {
    this.#requests += 1
    return this.send(consoleRequest(this.#payer, path, body, `rotator ${this.#requests}`))
  }

  async #create(): Promise<Key | null> {
    const created = await this.#post('/v1/console/keys', { name: 'rotated', scopes: [...scopes] })
    return created?.body?.apiKey ? created.body : null
  }

  async #rotate(old: Key): Promise<Key | null> {
    const { world } = this.scene
    const graceSeconds = world.random.pick([0, 5, 15])
    const sentAt = world.time
    const rotated = await this.#post(`/v1/console/keys/${old.keyId}/rotate`, { graceSeconds })
    // The new key is shown once: if that response was lost, it is of no use.
    if (rotated?.status !== 201) return this.#create()
    const end = { earliest: sentAt + graceSeconds * 1000, latest: world.time + graceSeconds * 1000 }
    await this.#use(old, end)
    await this.#use(rotated.body, { earliest: Number.POSITIVE_INFINITY, latest: Number.POSITIVE_INFINITY })
    await world.sleep(end.latest + this.#marginMs + 100 - world.time, this.process, 'the grace ends')
    for (const _ of [1, 2, 3]) await this.#use(old, end)
    return rotated.body
  }

  /** A read looks the key up; a call may find it in the memory of the gateway, and is refused when its credits are reserved. */
  async #use({ keyId, apiKey }: Key, { earliest, latest }: GraceEnd): Promise<void> {
    const { world, truth, plan } = this.scene
    const isCall = world.random.chance(0.5)
    this.#requests += 1
    const headers = { authorization: `Bearer ${apiKey}`, ...(isCall && { 'idempotency-key': `use ${this.#requests}` }) }
    const sentAt = world.time
    const response = await tryOnce(
      this,
      isCall
        ? { method: 'POST', path: '/v1/models/chat', headers, body: { prompt: `use ${this.#requests}` } }
        : { method: 'GET', path: '/v1/key', headers },
    )
    // A jump of a clock ends a key early or late; a failover may lose the rotation.
    if (!response || response.status >= 429 || plan.faults.has('clock-jump') || truth.hasLostCommits) return
    const isRefused = response.status === 401
    if (!isRefused && sentAt > latest + this.#marginMs)
      world.fail(`the rotated key ${keyId} was accepted after its end`)
    // An operator may have suspended the account.
    if (isRefused && world.time < earliest - this.#marginMs && !plan.faults.has('operators'))
      world.fail(`the rotated key ${keyId} was refused before its end`)
    if (latest < Number.POSITIVE_INFINITY) world.reach(`old key: ${isRefused ? 'refused' : 'accepted'}`)
  }
}

export const keyRotation: BeginLife = (scene) => ({
  people: scene.plan.isOn('key-rotation') ? [new RotatingPerson(scene)] : [],
})
