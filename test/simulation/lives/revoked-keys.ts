import { scopes } from '../../../src/contract/prices.ts'
import { Person } from '../actors.ts'
import { ConnectionLost, type GatewayHost } from '../gateways.ts'
import type { Payer } from '../template.ts'
import { type BeginLife, consoleRequest, type LifeScene } from './life.ts'

const turns = 3
/** The first loads the rows of the key, the others find them in memory. */
const usesBefore = 4
const usesAfter = 3

/** Uses a key at one gateway, which keeps its rows in memory, and revokes it at another one. */
class RevokingPerson extends Person {
  readonly #payer: Payer
  #requests = 0

  constructor(scene: LifeScene) {
    super('revoker', scene)
    // In most worlds no one else changes the rows of this project.
    this.#payer = scene.template.payers.at(-1)!
  }

  start(): void {
    const { plan } = this.scene
    this.begin(async () => {
      const order = await this.#post('/v1/orders', { amountFen: 5000 })
      if (!order?.body?.orderId) return
      await this.#post(`/v1/orders/${order.body.orderId}/confirm`, {})
      for (let turn = 0; turn < turns && !plan.isHealed; turn += 1) await this.#revokeOne()
    })
  }

  #post(path: string, body: object) {
    this.#requests += 1
    return this.send(consoleRequest(this.#payer, path, body, `revoker ${this.#requests}`))
  }

  async #revokeOne(): Promise<void> {
    const { world, hosts } = this.scene
    const created = await this.#post('/v1/console/keys', { name: 'revoked', scopes: [...scopes] })
    if (!created?.body?.apiKey) return
    const { keyId, apiKey } = created.body
    const host = world.random.pick(hosts)
    for (let left = usesBefore; left > 0; left -= 1) await this.#use(host, apiKey)
    // Some are under way when the key is revoked.
    const [revoked] = await Promise.all([
      this.#post(`/v1/keys/${keyId}/revoke`, {}),
      this.#use(host, apiKey),
      this.pause(0, 20).then(() => this.#use(host, apiKey)),
    ])
    if (revoked?.status !== 200) return
    for (let left = usesAfter; left > 0; left -= 1) {
      const status = await this.#use(host, apiKey)
      if (status === 401) world.reach('revoked key: refused')
      if (status !== null && status < 429 && status !== 401 && !this.scene.truth.hasLostCommits)
        world.fail(`the key ${keyId} got ${status} after its revocation`)
    }
  }

  /** Null if no response came back. */
  async #use(host: GatewayHost, apiKey: string): Promise<number | null> {
    const { run } = host
    if (!host.isServing || !run) return null
    this.#requests += 1
    const name = `use ${this.#requests} of the revoker`
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': name }
    const request = { method: 'POST', path: '/v1/models/chat', headers, body: { prompt: name } } as const
    const response = await run.send(request, this.process, null).catch((error) => {
      if (error instanceof ConnectionLost) return null
      throw error
    })
    return response?.status ?? null
  }
}

export const revokedKeys: BeginLife = (scene) => ({
  people: scene.plan.isOn('revoked-keys') ? [new RevokingPerson(scene)] : [],
})
