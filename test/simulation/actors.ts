import { type EventType, eventTypes } from '../../src/contract/events.ts'
import { fenOfCredits, recharge, scopes } from '../../src/contract/prices.ts'
import type { Checks } from './checks.ts'
import { ConnectionLost, type GatewayHost, type GatewayResponse, type SentRequest } from './gateways.ts'
import type { CallIntent } from './lives/replays.ts'
import { completions, contentOf, isStream, reviewIn } from './lives/streams.ts'
import { type ProviderRecords, payingMethod } from './payments.ts'
import type { Plan } from './plan.ts'
import { origin, type Payer } from './template.ts'
import type { Truth } from './upstreams.ts'
import { Process, type World } from './world.ts'

export interface Scene {
  readonly world: World
  readonly plan: Plan
  readonly truth: Truth
  readonly payments: ProviderRecords
  readonly checks: Checks
  readonly hosts: readonly GatewayHost[]
  /** Ids of the projects that call. */
  readonly projects: readonly string[]
}

/** A key as its owner knows it. */
interface HeldKey {
  keyId: string
  apiKey: string
}

interface Budget {
  readonly credits: number
  readonly per: 'day' | 'total'
}

const maxTries = 5

/** A client: sends requests to whichever gateway serves, and repeats what got no response, as an SDK does. */
export class Person {
  readonly process: Process
  readonly scene: Scene
  /** Requests without a response so far. */
  readonly waiting = new Set<{ readonly path: string; readonly since: number }>()
  isDone = false

  constructor(name: string, scene: Scene) {
    this.scene = scene
    this.process = new Process(name, scene.world)
    this.process.isPerson = true
  }

  get name(): string {
    return this.process.name
  }

  /** Runs in the process of this person. */
  begin(work: () => Promise<void>): void {
    const { world } = this.scene
    world.schedule(world.random.between(0, 1000), this.process, 'begin', () => {
      work().then(
        () => {
          this.isDone = true
        },
        (error) => world.fail(`${this.process.name} failed: ${error?.stack ?? error}`),
      )
    })
  }

  pause(low: number, high: number): Promise<void> {
    return this.scene.world.sleep(this.scene.world.random.between(low, high), this.process, 'pause')
  }

  /** One attempt, at any gateway that serves. */
  async attempt(request: SentRequest): Promise<GatewayResponse> {
    const { world, plan, hosts } = this.scene
    const serving = hosts.filter(({ isServing }) => isServing)
    if (serving.length === 0) {
      await this.pause(50, 500)
      throw new ConnectionLost()
    }
    const cut = plan.isOn('cut-connections') && world.random.chance(0.1) ? world.random.between(1, 3000) : null
    if (cut !== null) world.reach('caller: cut the connection')
    const waiting = { path: request.path, since: world.time }
    this.waiting.add(waiting)
    return world.random
      .pick(serving)
      .run!.send(request, this.process, cut)
      .finally(() => this.waiting.delete(waiting))
  }

  /** Repeats until there is a response that says what happened; null if none came. */
  async send(request: SentRequest, tries = maxTries): Promise<GatewayResponse | null> {
    for (let left = tries; left > 0; left -= 1) {
      const counted = { 'x-stainless-retry-count': String(tries - left) }
      const response = await this.attempt({ ...request, headers: { ...request.headers, ...counted } }).catch(
        (error) => {
          if (error instanceof ConnectionLost) return null
          throw error
        },
      )
      this.scene.world.trace(
        `attempt at ${request.path}: ${response ? `${response.status} ${response.headers['x-charge-id'] ?? ''}` : 'no answer'}`,
      )
      if (response && response.status < 500 && response.status !== 429) return response
      if (response && left === 1) return response
      await this.pause(50, 3000)
    }
    return null
  }

  /** A callback of the payment provider, repeated until it is answered. One about a refund names no payment. */
  async callback(eventId: string, signature: 'right' | 'forged'): Promise<void> {
    const { world, truth } = this.scene
    const headers = { 'x-signature': signature }
    const path = `/v1/payments/callbacks/${payingMethod}`
    const body = { eventId, paymentId: eventId.startsWith('rfd_') ? null : eventId }
    const response = await this.send({ method: 'POST', path, headers, body }, 40)
    world.reach(`payment: a callback was answered ${response?.status ?? 'never'}`)
    const expected = signature === 'forged' ? 401 : 200
    if (response && response.status < 500 && response.status !== expected && !truth.hasLostCommits)
      world.fail(`a callback that is ${signature} was answered ${response.status}`)
  }
}

/** Repeats the callback of every payment that was paid, until a gateway takes it. */
export class CallbackSender extends Person {
  constructor(scene: Scene) {
    super('payment provider', scene)
  }

  start(): void {
    this.begin(async () => {
      for (const [paymentId, { paid }] of this.scene.payments.trades)
        if (paid.length > 0) await this.callback(paymentId, 'right')
      // Twice: each is stored once, and none changes a refund.
      for (const refundId of this.scene.payments.refunds.keys())
        for (const _ of [1, 2]) await this.callback(refundId, 'right')
    })
  }
}

/** The largest budget of a key: most are used up while the project still calls. */
const mostCreditsOf = ({ callsPerProject }: Plan) => Math.max(80, 2 * callsPerProject)

/** Recharges, makes keys and webhooks, and changes them while calls are under way. */
export class PayingPerson extends Person {
  readonly keys: HeldKey[] = []
  readonly #payer: Payer
  #posts = 0
  #replacing: Promise<void> | null = null

  constructor(payer: Payer, scene: Scene) {
    super(`payer ${payer.phone.slice(-1)}`, scene)
    this.#payer = payer
  }

  get projectId(): string {
    return this.#payer.projectId
  }

  start(): void {
    const { plan } = this.scene
    this.begin(async () => {
      await this.#recharge(fenOfCredits(plan.creditsPerCall * plan.callsPerProject))
      await this.#createWebhook()
      await this.#addKey(null)
      await this.#addKey({ credits: this.scene.world.random.between(5, mostCreditsOf(plan)), per: 'total' })
      await this.#post('/v1/console/alerts', {
        lowBalanceCredits: 50,
        email: [],
        sms: ['credits.low', 'credits.empty'],
      })
      for (let turn = 0; turn < plan.changes; turn += 1) {
        await this.pause(200, 6 * plan.thinkMs + 500)
        await this.#changeSomething()
      }
    })
  }

  async #recharge(amountFen: number): Promise<void> {
    const { minAmountFen, maxAmountFen, stepAmountFen } = recharge
    const rounded = Math.ceil(amountFen / stepAmountFen) * stepAmountFen
    const allowed = { amountFen: Math.min(maxAmountFen, Math.max(minAmountFen, rounded)) }
    const order = await this.#post('/v1/orders', allowed, this.#newKey())
    if (order?.status !== 201 && order?.status !== 200) return
    const path = `/v1/orders/${order.body.orderId}/confirm`
    // Impatient: the same order is confirmed twice at once.
    const confirmations = [this.#post(path, {}), ...(this.scene.world.random.chance(0.5) ? [this.#post(path, {})] : [])]
    await Promise.all(confirmations)
  }

  /** Pays at the provider: in time, late, twice or another amount. The provider's callback may be lost, late, forged or repeated. */
  async #pay(): Promise<void> {
    const { world, plan, payments } = this.scene
    const { random } = world
    const order = { amountFen: random.pick([100, 1000, 5000]), method: payingMethod }
    const created = await this.#post('/v1/console/payments', order, this.#newKey())
    const paymentId: string | undefined = created?.body?.paymentId
    if (created?.status !== 201 || paymentId === undefined) return
    const lies = (share: number) => plan.isOn('payment-lies') && random.chance(share)
    const path = `/v1/console/payments/${paymentId}`
    if (random.chance(0.1)) return this.#payLate(paymentId)
    if (random.chance(0.2)) await this.#post(`${path}/cancel`, {})
    await this.pause(100, lies(0.1) ? 1_200_000 : 8000)
    if (random.chance(0.2)) return
    const wrong = lies(0.1) ? { amountFen: order.amountFen + 100 } : lies(0.05) ? { currency: 'USD' } : {}
    if (!payments.pay(paymentId, wrong)) return
    if (lies(0.1)) payments.pay(paymentId)
    if (lies(0.3)) {
      world.reach('payment: the callback was lost')
      if (random.chance(0.5)) await this.#post(`${path}/check`, {})
      return
    }
    const times = lies(0.3) ? 2 : 1
    for (let time = 0; time < times; time += 1) await this.callback(paymentId, lies(0.2) ? 'forged' : 'right')
  }

  /** Cancels it, pays it all the same, and is found long after; then part of it is refunded by hand. */
  async #payLate(paymentId: string): Promise<void> {
    const { world, payments } = this.scene
    await this.#post(`/v1/console/payments/${paymentId}/cancel`, {})
    await this.pause(60_000, 90_000)
    if (!payments.pay(paymentId)) return
    await this.pause(620_000, 700_000)
    await this.callback(paymentId, 'right')
    await this.pause(100, 10_000)
    const { transactionId, amountFen } = payments.trades.get(paymentId)!.paid[0]!
    if (payments.leftOf(paymentId, transactionId) < amountFen) return
    payments.byHand.set(transactionId, 10 * world.random.between(1, amountFen / 10 - 1))
    world.reach('payment: refunded by hand')
    await this.callback(paymentId, 'right')
  }

  async #addKey(budget: Budget | null): Promise<void> {
    const key = await this.#createKey(budget)
    if (key) this.keys.push(key)
  }

  async #createKey(budget: Budget | null): Promise<HeldKey | null> {
    const body = { name: 'key', scopes: [...scopes], ...(budget && { budget }) }
    const created = await this.#post('/v1/console/keys', body, this.#newKey())
    return created?.body?.apiKey ? { keyId: created.body.keyId, apiKey: created.body.apiKey } : null
  }

  /** A key that is refused may have been lost by a failover. All callers wait for the same new one. */
  async replaceKey(apiKey: string): Promise<void> {
    const held = this.keys.find((key) => key.apiKey === apiKey)
    if (!held) return
    this.#replacing ??= this.#createKey(null)
      .then((key) => void Object.assign(held, key))
      .finally(() => {
        this.#replacing = null
      })
    await this.#replacing
  }

  async #createWebhook(): Promise<void> {
    const types = [
      'order.credited',
      'credits.low',
      'credits.empty',
      'charge.review_opened',
      'media_job.completed',
      'media_job.failed',
    ]
    // Not idempotent: each attempt may make one, so each has an address of its own.
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const url = `https://hooks.example/in/${this.process.name.slice(-1)}/${attempt}`
      if (await this.#post('/v1/console/webhooks', { url, types: types.filter(isEventType) }, {}, 1)) return
    }
  }

  async #changeSomething(): Promise<void> {
    const { plan, world } = this.scene
    const { random } = world
    if (random.chance(0.3)) await this.#recharge(random.pick([100, 1000, 5000]))
    if (random.chance(0.4)) await this.#pay()
    const refunds = [...this.scene.payments.refunds.keys()]
    if (refunds.length > 0 && random.chance(0.3)) {
      world.reach('payment: a callback about a refund')
      await this.callback(random.pick(refunds), plan.isOn('payment-lies') && random.chance(0.2) ? 'forged' : 'right')
    }
    if (plan.isOn('message-failures') || random.chance(0.2))
      await this.send(
        {
          method: 'POST',
          path: '/v1/auth/recovery/send-code',
          headers: { origin },
          body: { identifier: this.#payer.phone },
        },
        1,
      )
    if (!plan.isOn('key-changes') || this.keys.length === 0) return
    const index = random.between(0, this.keys.length - 1)
    const { keyId } = this.keys[index]!
    const change = random.between(0, 3)
    world.reach(`payer: change ${['rotate', 'budget', 'revoke', 'budget off'][change]}`)
    if (change === 0) {
      const rotated = await this.#post(
        `/v1/console/keys/${keyId}/rotate`,
        { graceSeconds: random.pick([0, 30]) },
        this.#newKey(),
      )
      if (rotated?.body?.apiKey) this.keys[index] = { keyId: rotated.body.keyId, apiKey: rotated.body.apiKey }
    } else if (change === 2 && this.keys.length > 1) {
      await this.#post(`/v1/keys/${keyId}/revoke`, {})
      this.keys.splice(index, 1)
    } else {
      const budget =
        change === 1
          ? { credits: random.between(1, mostCreditsOf(plan)), per: random.pick(['day', 'total'] as const) }
          : null
      await this.#post(`/v1/console/keys/${keyId}/update`, { budget })
    }
  }

  #post(
    path: string,
    body: object,
    more: Record<string, string> = {},
    tries = maxTries,
  ): Promise<GatewayResponse | null> {
    const { cookie, csrfToken } = this.#payer
    return this.send(
      { method: 'POST', path, headers: { origin, cookie, 'x-csrf-token': csrfToken, ...more }, body },
      tries,
    )
  }

  #newKey(): Record<string, string> {
    this.#posts += 1
    return { 'idempotency-key': `${this.process.name} ${this.#posts}` }
  }
}

const isEventType = (type: string): type is EventType => (eventTypes as readonly string[]).includes(type)

type Build = (intent: string) => { readonly path: string; readonly body: object }

/** What callers ask for; the intent is in the words that reach the provider. */
const calls: readonly Build[] = [
  (intent) => ({ path: '/v1/models/chat', body: { prompt: intent } }),
  (intent) => ({ path: '/v1/models/chat', body: { prompt: intent } }),
  (intent) => ({ path: '/v1/models/chat', body: { prompt: intent, provider: 'model_provider_b' } }),
  (intent) => ({ path: '/v1/shopping/search', body: { query: intent, provider: 'shop_provider_a' } }),
  (intent) => ({ path: '/v1/media/jobs', body: { prompt: intent } }),
  (intent) => ({ path: completions, body: { messages: [{ role: 'user', content: intent }] } }),
  (intent) => ({ path: completions, body: { messages: [{ role: 'user', content: intent }], stream: true } }),
]

/** Calls with the keys of a project. Each intent has one Idempotency-Key for all its repeats. */
export class CallingPerson extends Person {
  readonly #payer: PayingPerson
  /** The calls that have an Idempotency-Key, by it. */
  readonly intents = new Map<string, CallIntent>()
  calls = 0
  responses = 0

  constructor(index: number, payer: PayingPerson, scene: Scene) {
    super(`caller ${index}`, scene)
    this.#payer = payer
  }

  start(): void {
    const { plan, world } = this.scene
    this.begin(async () => {
      for (let left = 120; left > 0 && this.#payer.keys.length === 0; left -= 1) await this.pause(200, 800)
      for (let number = 0; number < plan.callsPerCaller && !plan.isHealed; number += 1) {
        await this.pause(0, plan.thinkMs)
        if (this.#payer.keys.length === 0) break
        const isFree = world.random.chance(0.2)
        const intent = `${this.process.name} ${isFree ? 'free' : 'intent'} ${number}`
        const first = this.#intend(intent, isFree)
        const isTwice = !isFree && plan.isOn('duplicates') && world.random.chance(0.3)
        if (isTwice) world.reach('caller: sent twice')
        await Promise.all([first(), ...(isTwice ? [first()] : [])])
      }
    })
  }

  /** The bytes and the key are chosen once, and then sent as often as needed. */
  #intend(intent: string, isFree: boolean): () => Promise<void> {
    const { world } = this.scene
    const { path, body } = world.random.pick(isFree ? calls.slice(-2) : calls)(intent)
    const { apiKey } = world.random.pick(this.#payer.keys)
    // A client like `openai` sends no key, and counts its attempts.
    const isKeyless = path === completions && intent.includes('free')
    const headers = { authorization: `Bearer ${apiKey}`, ...(!isKeyless && { 'idempotency-key': intent }) }
    const call: CallIntent = { keys: () => this.#payer.keys, path, headers, body, text: null, chargeId: null }
    if (!isKeyless) this.intents.set(intent, call)
    const isSlow = path === completions && this.scene.plan.isOn('slow-readers') && world.random.chance(0.5)
    const readMs = isSlow ? world.random.pick([20, 700, 4000]) : 0
    if (isSlow) world.reach('caller: reads slowly')
    this.calls += 1
    return async () => {
      const response = await this.send({ method: 'POST', path, headers, body, readMs })
      if (!response) return
      this.responses += 1
      world.trace(`${intent} ${response.status} ${response.headers['x-request-id']}`)
      world.reach(`answer: ${path} ${response.status}`)
      if (response.status === 401) await this.#payer.replaceKey(apiKey)
      const refusal = response.body?.error?.code
      const chargeId = response.headers['x-charge-id']
      if (chargeId && response.status >= 400 && String(refusal).startsWith('PROVIDER_'))
        this.scene.checks.refused(chargeId)
      const inReview = reviewIn(path, response)
      if (inReview) this.scene.checks.reviewed(inReview)
      if (path === '/v1/media/jobs') {
        if (response.body?.jobId && world.random.chance(0.2)) {
          const cancel = `/v1/media/jobs/${response.body.jobId}/cancel`
          await this.send(
            { method: 'POST', path: cancel, headers: { authorization: headers.authorization }, body: {} },
            1,
          )
        }
        return
      }
      // A stream says at its end whether it was charged.
      if (response.status !== 200 || (isStream(response) && !response.text.includes('data: [DONE]'))) return
      const charged = chargeId ?? chargeOfStream(response.text)
      if (!response.headers['idempotent-replayed']) this.scene.checks.answered(charged)
      const text = contentOf(path, response)
      // A failover may have lost the first call: then this was a new one.
      const isSame = call.text === null || call.text === text || this.scene.checks.lost.has(call.chargeId!)
      if (!isSame) world.fail(`two answers to ${intent} differ`)
      call.text = text
      call.chargeId = charged
      const streamed = this.scene.truth.streams.get(response.headers['x-request-id']!)
      if (isStream(response) && streamed !== undefined && streamed !== text)
        world.fail(`${intent} got "${text}" of a stream, and the provider sent "${streamed}"`)
    }
  }
}

/** The headers name no charge if the call waited for another one when they were sent. */
const chargeOfStream = (text: string) => `chg_${/"id":"chatcmpl-([^"]+)"/.exec(text)?.[1]}`
