import { Refusal } from '../../../src/contract/errors.ts'
import { createLedger } from '../../../src/ledger/ledger.ts'
import { createBatchStore } from '../../../src/storage/batch-store.ts'
import type { OpenedEngine } from '../../../src/storage/open-store.ts'
import { type Administration, createTestAdministration } from '../../../testkit/store/administration.ts'
import { SimulatedEngine } from '../store.ts'
import { Process } from '../world.ts'
import type { Actor, BeginLife, LifeScene } from './life.ts'

/** What one operator alone may grant in a day. */
const alone = 30
const turns = 8

interface Asked {
  readonly projectId: string
  readonly credits: number
}

/** Grants credits, asks another operator for larger amounts, and approves what is waiting, sometimes his own requests. */
class GrantingOperator implements Actor {
  readonly #scene: LifeScene
  readonly #asked: Map<string, Asked>
  readonly #process: Process
  readonly #act: Administration
  isDone = false

  constructor(name: string, scene: LifeScene, asked: Map<string, Asked>) {
    this.#scene = scene
    this.#asked = asked
    this.#process = new Process(name, scene.world)
    const engine = new SimulatedEngine(scene.store, this.#process) as OpenedEngine
    const ledger = createLedger({ store: createBatchStore(engine) })
    this.#act = createTestAdministration({ engine, ledger, clock: this.#process.now }, { approvalAboveCredits: alone })
  }

  start(): void {
    const { world, plan } = this.#scene
    world.schedule(world.random.between(0, 2000), this.#process, 'begin', () => {
      const work = async () => {
        for (let turn = 0; turn < turns && !plan.isHealed; turn += 1) {
          await world.sleep(world.random.between(200, 4000), this.#process, 'pause')
          await (world.random.chance(0.5) ? this.#grant(turn) : this.#approve()).catch((error) => {
            if (!(error instanceof Refusal)) world.trace(`${this.#process.name}: ${error}`)
          })
        }
      }
      void work().then(() => {
        this.isDone = true
      })
    })
  }

  get name(): string {
    return this.#process.name
  }

  get #actor() {
    return { name: this.#process.name, via: 'command line' } as const
  }

  async #grant(turn: number): Promise<void> {
    const { world, projects } = this.#scene
    const reference = `approved ${this.#process.name} ${turn}`
    const asked = { projectId: world.random.pick(projects), credits: world.random.between(1, 2 * alone) }
    this.#asked.set(reference, asked)
    const grant = { kind: 'grant', ...asked, reference, reason: 'a bank transfer', again: true } as const
    const times = world.random.chance(0.5) ? [1, 2] : [1]
    await Promise.allSettled(times.map(() => this.#act.moveCredits(this.#actor, grant)))
  }

  async #approve(): Promise<void> {
    const { world, store } = this.#scene
    const waiting = store.db.all<{ approvalId: string; requestedBy: string }>(
      `SELECT approval_id AS "approvalId", requested_by AS "requestedBy" FROM approvals
      WHERE state = 'pending' AND subject = 'movement' ORDER BY approval_id LIMIT 4`,
    )
    for (const { approvalId, requestedBy } of waiting) {
      const isOwn = requestedBy === this.#process.name
      const times = world.random.chance(0.5) ? [1, 2] : [1]
      const decided = await Promise.allSettled(times.map(() => this.#act.approve(this.#actor, { approvalId })))
      const isApproved = decided.some(({ status }) => status === 'fulfilled')
      world.reach(isOwn ? 'approvals: an own request' : 'approvals: a request of another')
      if (isApproved && isOwn) world.fail(`${this.#process.name} approved the own request ${approvalId}`)
    }
  }
}

interface Movement {
  readonly projectId: string
  readonly amount: number
  readonly reference: string
  readonly movedBy: string
  readonly approvalId: string | null
  readonly requestedBy: string | null
  readonly decidedBy: string | null
  readonly state: string | null
}

/** Every grant was asked for, and what one operator may not grant alone was requested by one and decided by another. */
function check({ world, store, truth, checks }: LifeScene, asked: ReadonlyMap<string, Asked>): void {
  if (truth.hasLostCommits) return
  const moved = store.db.all<Movement>(
    `SELECT m.project_id AS "projectId", m.amount, m.reference, m.moved_by AS "movedBy", m.approval_id AS "approvalId",
      a.requested_by AS "requestedBy", a.decided_by AS "decidedBy", a.state
    FROM operator_movements m LEFT JOIN approvals a ON a.approval_id = m.approval_id WHERE m.reference LIKE 'approved %'`,
  )
  const aloneBy = new Map<string, number>()
  for (const { projectId, amount, reference, movedBy, approvalId, requestedBy, decidedBy, state } of moved) {
    const wanted = asked.get(reference)
    if (wanted?.projectId !== projectId || wanted.credits !== amount)
      world.fail(`${reference} was granted otherwise than it was asked for`)
    if (approvalId !== null && (state !== 'approved' || requestedBy === decidedBy || requestedBy === null))
      world.fail(`${reference} was requested by ${requestedBy} and decided by ${decidedBy}: ${state}`)
    if (approvalId === null) aloneBy.set(movedBy, (aloneBy.get(movedBy) ?? 0) + amount)
  }
  // After a long night another day has begun.
  for (const [by, credits] of checks.hasArchived ? [] : aloneBy)
    if (credits > alone) world.fail(`${by} granted ${credits} credits alone, more than ${alone}`)
  const done = new Set(moved.map(({ approvalId }) => approvalId))
  const select = `SELECT approval_id AS id FROM approvals WHERE state = 'approved' AND subject = 'movement'
    AND reference LIKE 'approved %'`
  for (const { id } of store.db.all<{ id: string }>(select))
    if (!done.has(id)) world.fail(`the request ${id} is approved, and nothing was granted`)
}

export const approvals: BeginLife = (scene) => {
  if (!scene.plan.isOn('approvals')) return {}
  const asked = new Map<string, Asked>()
  return {
    people: ['cy', 'di'].map((name) => new GrantingOperator(name, scene, asked)),
    check: () => check(scene, asked),
  }
}
