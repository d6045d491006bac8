import { codeAt } from '../../../src/base/totp.ts'
import { Person } from '../actors.ts'
import { type BeginLife, consoleRequest, type LifeScene, tryOnce } from './life.ts'

const turns = 3
const periodMs = 30_000

/** Proves a second factor, each code at two gateways at once and then again. */
class CarefulPerson extends Person {
  readonly #scene: LifeScene

  constructor(scene: LifeScene) {
    super('careful', scene)
    this.#scene = scene
  }

  start(): void {
    const { world, template } = this.#scene
    const { totpSecret, recoveryCodes } = template.factorOwner
    this.begin(async () => {
      for (let turn = 0; turn < turns && !this.scene.plan.isHealed; turn += 1) {
        await this.pause(500, 8000)
        const isTotp = world.random.chance(0.5)
        const code = isTotp ? codeAt(totpSecret, Math.floor(this.process.now() / periodMs)) : recoveryCodes[turn]!
        const first = await Promise.all([this.#prove(code), this.#prove(code)])
        await this.pause(1, 2000)
        const accepted = [...first, await this.#prove(code)].filter((isAccepted) => isAccepted).length
        if (accepted > 0) world.reach(`second factor: accepted a ${isTotp ? 'one-time' : 'recovery'} code`)
        if (accepted > 1 && !this.#scene.truth.hasLostCommits)
          world.fail(`the second factor ${code} was accepted ${accepted} times`)
      }
    })
  }

  async #prove(code: string): Promise<boolean> {
    const { factorOwner } = this.#scene.template
    const response = await tryOnce(this, consoleRequest(factorOwner, '/v1/console/second-factor/prove', { code }))
    return response?.status === 200
  }
}

export const secondFactor: BeginLife = (scene) => ({
  people: scene.plan.isOn('second-factor') ? [new CarefulPerson(scene)] : [],
})
