import { expect } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { maxGraceSeconds } from '../../src/features/identity/keys/contract.ts'
import { createNamedKeys, type NamedKeys } from '../../src/features/identity/keys/named-keys.ts'
import type { ApprovedMovement } from '../../src/operator-kit/approvals.ts'
import type { RelayResponse } from '../../src/relay/call.ts'
import type { Relay } from '../../src/relay/relay.ts'
import { errorResponse, reviewResponse } from '../../src/relay/settle.ts'
import { type Administration, createTestAdministration } from '../../testkit/store/administration.ts'
import { decisionNote } from '../../testkit/store/commands.ts'
import {
  addCredits,
  type ChatOutcome,
  type Customer,
  chatCall,
  chatResult,
  createTestRelay,
  type Rig,
  testOperations,
} from '../../testkit/store/rig.ts'
import { type Ending, Model, price } from './model.ts'
import type { Sequence, Step } from './steps.ts'

interface UnderWay {
  readonly slot: string
  readonly prompt: string
  readonly response: Promise<RelayResponse>
  readonly finish: (outcome: ChatOutcome) => void
}

const outcomes: Record<Ending, ChatOutcome> = {
  confirmed: chatResult('an answer'),
  'refused, sent': { kind: 'refused', code: 'PROVIDER_REQUEST_REJECTED', sent: true },
  'refused, not sent': { kind: 'unavailable', code: 'PROVIDER_UNAVAILABLE', sent: false },
  uncertain: { kind: 'uncertain', reason: 'PROVIDER_CONNECTION_LOST', sent: true },
}

const refusals = {
  suspended: 'UNAUTHORIZED',
  conflict: 'IDEMPOTENCY_CONFLICT',
  broke: 'INSUFFICIENT_PAID_CREDITS',
  'over budget': 'INSUFFICIENT_PAID_CREDITS',
} as const

const actor = { name: 'Ada', via: 'command line' } as const

/** Plays one sequence against the real books and the model, and compares them after every step. */
export class Player {
  readonly #rig: Rig
  readonly #customer: Customer
  readonly #namedKeys: NamedKeys
  /** The keys that are valid now, oldest first; calls use them in turn. */
  #keys: Customer[]
  #calls = 0
  #days = 0
  readonly #live: Set<string>
  readonly #recover: () => Promise<unknown>
  readonly #leavesProcess: boolean
  readonly #model = new Model()
  readonly #operate: Administration
  readonly #script: (() => Promise<ChatOutcome>)[] = []
  #instanceId = newId('ins')
  #relay: Relay
  #underWay: UnderWay[] = []
  #dead: UnderWay[] = []
  #reviews: { slot: string; chargeId: string }[] = []

  constructor(deps: {
    rig: Rig
    customer: Customer
    live: Set<string>
    recover: () => Promise<unknown>
    leavesProcess: boolean
  }) {
    this.#rig = deps.rig
    this.#customer = deps.customer
    this.#keys = [deps.customer]
    this.#namedKeys = createNamedKeys({ ...deps.rig.keyDeps, clock: this.#clock })
    this.#live = deps.live
    this.#recover = deps.recover
    this.#leavesProcess = deps.leavesProcess
    this.#operate = createTestAdministration(deps.rig)
    this.#relay = this.#start()
  }

  async play({ steps }: Sequence): Promise<void> {
    for (const step of steps) {
      await this.#take(step)
      const { available, reserved } = this.#model
      expect(await this.#rig.stores.creditsOf(this.#customer.projectId)).toEqual({ available, reserved })
      await this.#compareBudget()
    }
    for (const call of this.#underWay) call.finish(outcomes.confirmed)
    await Promise.all(this.#underWay.map((call) => call.response))
    this.#live.delete(this.#instanceId)
    const events = await this.#rig.stores.events.list(this.#customer.projectId, null, 1000)
    expect(events.map(({ type }) => type).reverse()).toEqual(this.#model.events)
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'credit':
        await addCredits(this.#rig, this.#customer.projectId, step.credits)
        this.#model.credit(step.credits)
        return
      case 'call':
        return this.#call(step.slot, step.prompt, step.ending, 1)
      case 'duplicates':
        return this.#call(step.slot, step.prompt, step.ending, step.count)
      case 'begin':
        return this.#begin(step.slot, step.prompt)
      case 'finish':
        return this.#finish(step.ending)
      case 'crash':
        return this.#crash()
      case 'revenant':
        return this.#revenant(step.ending)
      case 'decide':
        return this.#decide(step.to)
      case 'move':
        return this.#move(step.kind, step.credits, step.reference)
      case 'suspend':
      case 'reinstate':
        return this.#suspend(step.do === 'suspend')
      case 'budget':
        return this.#setBudget(step.budget)
      case 'rotate':
        return this.#rotate(step.isOldStillValid)
      case 'tomorrow':
        this.#days += 1
        // Long before the grace periods end.
        this.#keys = this.#keys.slice(-1)
        if (this.#model.budget?.per === 'day') this.#model.newCount()
    }
  }

  readonly #clock = () => this.#rig.clock() + this.#days * 86_400_000

  #start(): Relay {
    this.#live.add(this.#instanceId)
    const operations = testOperations(() => this.#script.shift()!(), this.#leavesProcess)
    return createTestRelay({ ...this.#rig, clock: this.#clock }, operations, { instanceId: this.#instanceId })
  }

  #run(slot: string, prompt: string): Promise<RelayResponse> {
    this.#calls += 1
    const key = this.#keys[this.#calls % this.#keys.length]!
    return this.#relay.run(chatCall(key, slot, prompt))
  }

  async #call(slot: string, prompt: string, ending: Ending, count: number): Promise<void> {
    if (this.#isUnderWay(slot, prompt)) return
    const verdict = this.#model.admit(slot, prompt)
    if (verdict === 'reserved') this.#script.push(async () => outcomes[ending])
    const responses = await Promise.allSettled(Array.from({ length: count }, () => this.#run(slot, prompt)))
    if (verdict in refusals) {
      const code = refusals[verdict as keyof typeof refusals]
      for (const response of responses) expect(response).toMatchObject({ status: 'rejected', reason: { code } })
      return
    }
    const given = responses.map((response) => (response as PromiseFulfilledResult<RelayResponse>).value)
    if (verdict === 'reserved') this.#ended(slot, ending, given[0]!)
    const body = verdict === 'reserved' ? given[0]!.body : this.#model.slots.get(slot)!.body
    for (const response of given) expect(response.body).toBe(body)
    // A response that is not stored is not a replay, even for duplicates that waited for it.
    const isStored = this.#model.slots.has(slot)
    const originals = verdict !== 'reserved' ? 0 : isStored ? 1 : count
    expect(given.filter((response) => !response.isReplay)).toHaveLength(originals)
  }

  async #begin(slot: string, prompt: string): Promise<void> {
    if (this.#isUnderWay(slot, prompt) || this.#model.slots.has(slot)) return
    if (this.#model.isSuspended || this.#model.available < price || this.#model.isOverBudget) return
    this.#model.admit(slot, prompt)
    const { promise: outcome, resolve: finish } = Promise.withResolvers<ChatOutcome>()
    const { promise: forwarded, resolve: markForwarded } = Promise.withResolvers<void>()
    this.#script.push(() => {
      markForwarded()
      return outcome
    })
    const response = this.#run(slot, prompt)
    await forwarded
    this.#underWay.push({ slot, prompt, response, finish })
  }

  async #finish(ending: Ending): Promise<void> {
    const call = this.#underWay.shift()
    if (!call) return
    call.finish(outcomes[ending])
    this.#ended(call.slot, ending, await call.response)
  }

  async #crash(): Promise<void> {
    // Below, the calls under way are repeated to see how they ended.
    await this.#suspend(false)
    this.#live.delete(this.#instanceId)
    this.#instanceId = newId('ins')
    this.#relay = this.#start()
    await this.#recover()
    for (const { slot, prompt } of this.#underWay) {
      const charge = this.#leavesProcess && (await this.#run(slot, prompt))
      if (charge) this.#ended(slot, 'uncertain', charge)
      else this.#model.end(slot, 'refused, not sent', '')
    }
    this.#dead.push(...this.#underWay)
    this.#underWay = []
  }

  /** Whatever it believes, the books decide. */
  async #revenant(ending: Ending): Promise<void> {
    const call = this.#dead.shift()
    if (!call) return
    call.finish(outcomes[ending])
    const response = await call.response
    const stored = this.#leavesProcess ? this.#model.slots.get(call.slot)?.body : errorResponse('ADAPTER_FAILURE').body
    expect(response.body).toBe(stored)
  }

  async #decide(to: 'settled' | 'released'): Promise<void> {
    const review = this.#reviews.shift()
    if (!review) return
    const { slot, chargeId } = review
    const response =
      to === 'settled'
        ? reviewResponse({ operation: 'model.chat', credits: price, chargeId }, 'settled')
        : errorResponse('ADAPTER_FAILURE')
    const command = {
      type: 'end',
      chargeId,
      projectId: this.#customer.projectId,
      from: 'manual_review',
      to,
      response,
    } as const
    const rest = {
      usage: null,
      reason: null,
      snapshots: [],
      decision: decisionNote({ chargeId, to }),
      at: this.#clock(),
    }
    expect(await this.#rig.ledger.end({ ...command, ...rest })).toEqual({ kind: 'ended' })
    expect(await this.#rig.ledger.end({ ...command, ...rest })).toMatchObject({ kind: 'already', state: to })
    this.#model.decide(slot, to)
    this.#model.slots.get(slot)!.body = response.body
  }

  async #move(kind: 'grant' | 'withdraw', credits: number, reference: string): Promise<void> {
    const { projectId } = this.#customer
    // Histories share a store, and other projects used these references.
    const request = { kind, projectId, credits, reference, reason: 'because', again: true }
    const verdict = this.#model.move(kind, credits, reference)
    // Twice at once: of a new reference only one may count.
    const moved = await Promise.allSettled([1, 2].map(() => this.#operate.moveCredits(actor, request)))
    if (verdict === 'conflict' || verdict === 'broke') {
      const code = verdict === 'conflict' ? 'REFERENCE_ALREADY_USED' : 'AVAILABLE_CREDITS_EXCEEDED'
      for (const result of moved) expect(result).toMatchObject({ status: 'rejected', reason: { code } })
      return
    }
    const { available, reserved } = this.#model.movements.get(`${kind} ${reference}`)!
    const results = moved.map((result) => (result as PromiseFulfilledResult<ApprovedMovement>).value)
    for (const { balance } of results) expect(balance).toEqual({ available, reserved })
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(verdict === 'moved' ? 1 : 0)
  }

  async #suspend(isSuspended: boolean): Promise<void> {
    const account = { accountId: `account of ${this.#customer.projectId}`, reason: 'because' }
    await (isSuspended ? this.#operate.suspendAccount(actor, account) : this.#operate.reinstateAccount(actor, account))
    this.#model.isSuspended = isSuspended
  }

  async #setBudget(budget: Model['budget']): Promise<void> {
    // Any key of the chain: they share the budget.
    const { projectId, keyId } = this.#keys[0]!
    await this.#namedKeys.update(projectId, keyId, { budget })
    this.#model.setBudget(budget)
  }

  async #rotate(isOldStillValid: boolean): Promise<void> {
    const { projectId, keyId } = this.#keys.at(-1)!
    const graceSeconds = isOldStillValid ? maxGraceSeconds : 0
    const request = { idempotencyDigest: newId('req'), requestDigest: 'digest' }
    const { key } = await this.#namedKeys.rotate(projectId, { keyId, graceSeconds }, request)
    expect(key.rotatedFromKeyId).toBe(keyId)
    this.#model.events.push('key.rotated')
    const again = await this.#namedKeys.rotate(projectId, { keyId, graceSeconds }, request)
    expect(again).toMatchObject({ isReplay: true, key: { keyId: key.keyId } })
    const valid = isOldStillValid ? this.#keys : this.#keys.slice(0, -1)
    this.#keys = [...valid, { projectId, keyId: key.keyId, apiKey: '' }]
  }

  async #compareBudget(): Promise<void> {
    const { budget, spent } = this.#model
    if (budget === null) return
    for (const key of await this.#namedKeys.list(this.#customer.projectId)) {
      expect(key).toMatchObject({ budget, budgetSpent: spent })
    }
  }

  #ended(slot: string, ending: Ending, response: RelayResponse): void {
    this.#model.end(slot, ending, response.body)
    expect(response.status).toBe(
      { confirmed: 200, 'refused, sent': 502, 'refused, not sent': 503, uncertain: 202 }[ending],
    )
    if (ending === 'uncertain') this.#reviews.push({ slot, chargeId: JSON.parse(response.body).chargeId })
  }

  /** A duplicate of a call under way would wait for it; `duplicates` covers those. */
  #isUnderWay(slot: string, prompt: string): boolean {
    return this.#underWay.some((call) => call.slot === slot && call.prompt === prompt)
  }
}
