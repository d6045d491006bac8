import { newId, newSortableId } from '../../../../src/base/ids.ts'
import type { End } from '../../../../src/ledger/commands.ts'
import { errorResponse, reviewResponse } from '../../../../src/relay/settle.ts'
import { decisionNote, ending, movement, settledResponse } from '../../../../testkit/store/commands.ts'
import type { Store } from '../../../../testkit/store/engines.ts'
import {
  addCredits,
  admissionOf,
  type Customer,
  createCustomer,
  createRig,
  type Rig,
} from '../../../../testkit/store/rig.ts'
import { Random } from '../../../../testkit/storms/random.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

const call = { operation: 'model.chat', credits: 3 } as const

interface OpenCharge {
  readonly chargeId: string
  readonly projectId: string
  readonly from: End['from']
  readonly jobId: string | null
}

/** Random traffic of some projects on a clock of its own: every kind of entry, calls that overlap, reviews that wait. */
export class History {
  readonly rig: Rig
  readonly customers: Customer[] = []
  now = Date.UTC(2026, 0, 1)
  readonly #random: Random
  #open: OpenCharge[] = []

  constructor(store: Store, seed: number) {
    this.rig = createRig(store, { clock: () => this.now })
    this.#random = new Random(seed)
  }

  /** Half of the projects have a key with a budget for all time. */
  async addCustomers(count: number): Promise<void> {
    for (let place = 0; place < count; place += 1) {
      const customer = await createCustomer(this.rig)
      await addCredits(this.rig, customer.projectId, 1000)
      this.customers.push(
        place % 2 === 0 ? customer : await this.#withBudget(customer, place % 4 === 1 ? 'total' : 'day'),
      )
    }
  }

  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      this.now += this.#random.below(16 * hourMs)
      await this.#take(this.#random.pick(this.customers))
    }
  }

  /** Ends every charge that is open, as an operator and the providers would in time. */
  async endAll(): Promise<void> {
    for (const open of this.#open.splice(0)) await this.#end(open, this.#random.pick(['settled', 'released']))
  }

  async settledCall(customer: Customer, more: { idempotencyDigest?: string } = {}): Promise<string> {
    const open = await this.#reserve(customer, false, more)
    await this.#end(open, 'settled')
    return open.chargeId
  }

  /** A call that never left the gateway: its Idempotency-Key is free again. */
  async freedCall(customer: Customer, more: { idempotencyDigest: string }): Promise<void> {
    const { chargeId, projectId } = await this.#reserve(customer, false, more)
    await this.rig.ledger.end(ending({ chargeId, projectId, to: 'released', response: null, at: this.now }))
  }

  async reviewedCall(customer: Customer): Promise<string> {
    const open = await this.#reserve(customer, false)
    await this.#end(open, 'manual_review')
    return open.chargeId
  }

  async #take(customer: Customer): Promise<void> {
    const random = this.#random
    const { projectId } = customer
    const steps = [
      [6, () => this.settledCall(customer)],
      [2, async () => this.#end(await this.#reserve(customer, false), 'released')],
      [4, async () => this.#open.push(await this.#reserve(customer, random.below(3) === 0))],
      [5, () => this.#endOne()],
      [1, () => addCredits(this.rig, projectId, 10)],
      [1, () => this.#move('grant', projectId)],
      [1, () => this.#move('withdraw', projectId)],
    ] as const
    await random.weighted<() => Promise<unknown>>(steps)()
  }

  async #withBudget(customer: Customer, per: 'total' | 'day'): Promise<Customer> {
    const settings = { name: 'with a budget', scopes: ['models:invoke' as const], budget: { credits: 100_000, per } }
    const digest = newId('req')
    const request = { idempotencyDigest: digest, requestDigest: digest }
    const { key } = await this.rig.namedKeys.create(customer.projectId, settings, request)
    return { ...customer, keyId: key.keyId }
  }

  async #reserve(customer: Customer, isJob: boolean, more: { idempotencyDigest?: string } = {}): Promise<OpenCharge> {
    const chargeId = newSortableId('chg', this.now)
    const jobId = isJob ? newSortableId('job', this.now) : null
    const job = jobId && {
      operation: 'media.video' as const,
      job: {
        ...{ jobId, provider: 'media_provider_a', prompt: 'a clip', seconds: 4 as const, size: '854x480' as const },
        ...{ testOnly: true, deadlineAt: this.now + dayMs, nextPollAt: this.now },
      },
    }
    const result = await this.rig.ledger.admit(
      admissionOf(this.rig, customer, { chargeId, ...call, ...more, ...(job ?? {}) }),
    )
    if (result.kind !== 'reserved') throw new Error(`not reserved but ${result.kind}`)
    return { chargeId, projectId: customer.projectId, from: 'reserved', jobId }
  }

  /** Ends the oldest or any other open charge, now and then with a review in between. */
  async #endOne(): Promise<void> {
    if (this.#open.length === 0) return
    const [open] = this.#open.splice(this.#random.below(2) === 0 ? 0 : this.#random.below(this.#open.length), 1)
    const isReview = open!.from === 'reserved' && this.#random.below(3) === 0
    await this.#end(open!, isReview ? 'manual_review' : this.#random.pick(['settled', 'released']))
    if (isReview) this.#open.push({ ...open!, from: 'manual_review' })
  }

  async #end({ chargeId, projectId, from, jobId }: OpenCharge, to: End['to']): Promise<void> {
    const isDecision = from === 'manual_review'
    const review = reviewResponse({ ...call, chargeId }, isDecision && to === 'settled' ? 'settled' : undefined)
    const accepted = { status: 202, code: null, body: '{}' }
    const response =
      jobId !== null
        ? accepted
        : to === 'released'
          ? errorResponse('ADAPTER_FAILURE')
          : to === 'manual_review' || isDecision
            ? review
            : settledResponse
    const content = { contentType: 'video/mp4', bytes: 10, sha256: 'digest', expiresAt: this.now + dayMs }
    const job =
      jobId === null || isDecision
        ? {}
        : {
            job: {
              jobId,
              status: jobStatuses[to],
              errorCode: null,
              content: to === 'settled' ? content : null,
            },
          }
    const result = await this.rig.ledger.end(
      ending({
        ...{ chargeId, projectId, from, to, response, at: this.now },
        ...(isDecision && { decision: decisionNote({ chargeId, to }) }),
        ...job,
      }),
    )
    if (result.kind !== 'ended') throw new Error(`not ended but ${result.kind}`)
  }

  async #move(type: 'grant' | 'withdraw', projectId: string): Promise<void> {
    await this.rig.ledger.move(movement({ type, projectId, credits: 5, at: this.now }))
  }
}

const jobStatuses = { settled: 'completed', released: 'failed', manual_review: 'unknown' } as const
