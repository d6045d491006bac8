import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { claimedPerProject } from '../../src/features/billing/payments/store/payments.ts'
import { createPaymentStore } from '../../src/features/billing/payments/store/store.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { StoreUnavailable } from '../../src/storage/engine.ts'
import { origin } from '../gateway/gateway.ts'
import { startGateways } from '../gateway/killed-gateways.ts'
import { createTestAdministration } from '../store/administration.ts'
import { type Database, openDatabase, type Store } from '../store/engines.ts'
import { createRig } from '../store/rig.ts'
import { WechatServer } from './wechat-server.ts'

export interface KillReport {
  /** Where the gateway was killed, such as `POST native after`. */
  readonly killedAt: readonly string[]
  readonly payments: number
  readonly faults: readonly string[]
}

const flows = {
  paid: ['POST native before', 'POST native after', 'our answer to the creation', 'our answer to the callback'],
  cancelled: ['our answer to the cancellation', 'POST close before', 'POST close after'],
  expired: ['POST close before', 'POST close after', 'our answer to the callback'],
  refunded: ['our hold of the credits', 'POST refunds before', 'POST refunds after'],
  decided: ['POST refunds before', 'POST refunds after', 'our answer to the decision'],
} as const
const queries = ['GET query before', 'GET query after'] as const
type Flow = keyof typeof flows
export type KillStep = readonly [flow: Flow, name: string]

/**
 * Every step of the machine: of a payment that is paid, of those that are cancelled or expire and are paid all the same, of a
 * refund, and of one that ends in review and is decided.
 */
export const everyStep: readonly KillStep[] = [
  ...[...flows.paid, ...queries].map((name) => ['paid', name] as const),
  ...[...flows.paid, ...flows.cancelled, ...queries].map((name) => ['cancelled', name] as const),
  ...[...queries, ...flows.expired].map((name) => ['expired', name] as const),
  ...flows.refunded.map((name) => ['refunded', name] as const),
  ...flows.decided.map((name) => ['decided', name] as const),
]

/**
 * Pays through a gateway of its own process that gets SIGKILL at each of the steps: before and after the provider has done what it
 * was asked, and after each response of ours. Real sockets, real processes.
 */
export async function killAtSteps(database: Database, steps: readonly KillStep[]): Promise<KillReport> {
  const provider = await new WechatServer().listen()
  const { file, environment } = await paymentSettings(database, provider)
  const config = join(database.dataDir, 'payments.json')
  await writeFile(config, JSON.stringify({ ...file, limits: { ...payerLimits } }))
  const gateways = await startGateways({
    ...environment,
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_CONFIG: config,
  })
  const payer = await createPayer(database, gateways.port)
  const store = await openDatabase(database, { exclusive: false })
  const operator = createOperator(store)
  const killedAt: string[] = []
  try {
    for (const step of steps)
      killedAt.push(...(await payWithKill({ payers: [payer], operator, provider }, [step], gateways.kill)))
    const { differences } = await reconcile(store)
    const faults = [...(await paymentFaults(store, provider)), ...differences.map((one) => JSON.stringify(one))]
    return { killedAt, payments: provider.orders.size, faults }
  } finally {
    await gateways.remove()
    await Promise.all([payer.close(), store.close()])
    provider.stop()
  }
}

/** Of each payment, of which the storm has dozens: a tighter loop would be most of the work. */
const pollMs = 100

export const many = { max: 1_000_000, windowSeconds: 60 }
/** For a payer who asks again and again. */
export const payerLimits = { sessionWritesPerProject: many, readsPerSession: many }

/** The part of the file and of the environment that a gateway needs to be paid through this provider. */
export async function paymentSettings({ dataDir }: Pick<Database, 'dataDir'>, provider: WechatServer) {
  await writeFile(join(dataDir, 'wechat.pem'), provider.platform.publicKey)
  const wechat = { ...provider.settings(dataDir), timeoutMs: 30_000 }
  return {
    file: { payments: { wechat, queryAfterSeconds: [1, 1, 1], queryEverySeconds: 1, openPerProject: 1000 } },
    environment: { TEST_WECHAT_KEY: provider.merchant.privateKey, TEST_WECHAT_V3: provider.apiV3Key },
  }
}

/** Pays once per step, all at the same time, and holds each payment at its step until one kill for all of them. Resolves with the
 *  steps that were reached before it. */
export async function payWithKill(scene: Scene, steps: readonly KillStep[], kill: () => Promise<void>) {
  const killed = Promise.withResolvers<void>()
  const reached: string[] = []
  const atProvider = new Map<number | string, (name: string) => Promise<void>>()
  scene.provider.onStep = (name, { path, body }) => {
    const paymentId = /pay_\w+/.exec(path + body)?.[0] ?? ''
    const total = path.endsWith('/native') ? Number(JSON.parse(body).amount.total) : 0
    const at = atProvider.get(paymentId) ?? atProvider.get(total)
    if (at) atProvider.set(paymentId, at)
    return at?.(name)
  }
  const payments = steps.map((step, index) => {
    const arrived = Promise.withResolvers<void>()
    let isReached = false
    const at = async (name: string) => {
      if (isReached || name !== step[1]) return
      isReached = true
      reached.push(step.join(': '))
      arrived.resolve()
      await killed.promise
    }
    // The amount distinguishes the payments until they have a number.
    const amountFen = 1000 + 100 * index
    const arm = (paymentId?: string) => void atProvider.set(paymentId ?? amountFen, at)
    const payer = scene.payers[index % scene.payers.length]!
    const ended = pay({ ...scene, payer }, { flow: step[0], amountFen, at, arm })
    // Awaited below, after the kill: one that fails earlier is not unhandled until then.
    ended.catch(() => {})
    return { ended, arrivedOrEnded: Promise.race([arrived.promise, ended]) }
  })
  await Promise.all(payments.map(({ arrivedOrEnded }) => arrivedOrEnded))
  const hit = [...reached]
  await kill()
  killed.resolve()
  await Promise.all(payments.map(({ ended }) => ended))
  scene.provider.onStep = () => {}
  return hit
}

interface PayOptions {
  readonly flow: Flow
  readonly amountFen: number
  /** Called at each of our own steps. */
  readonly at: (step: string) => Promise<void>
  /** From here on the steps of the provider count. */
  readonly arm: (paymentId?: string) => void
}

async function pay(
  { payer, operator, provider }: Scene & { readonly payer: PaymentPayer },
  { flow, amountFen, at, arm }: PayOptions,
): Promise<void> {
  // The steps of an expiry and of a refund come after those of the payment, some of which have the same names.
  if (flow === 'paid' || flow === 'cancelled') arm()
  const key = `${flow} ${amountFen} ${randomUUID()}`
  const order = { amountFen, method: 'wechat' }
  const { paymentId } = await payer.post('/v1/console/payments', order, { 'idempotency-key': key })
  await at('our answer to the creation')
  await payer.until(async () => (await payer.payment(paymentId)).state !== 'created', paymentId)
  if (flow === 'cancelled') {
    await payer.post(`/v1/console/payments/${paymentId}/cancel`, {})
    await at('our answer to the cancellation')
    await payer.until(async () => provider.orders.get(paymentId)!.state === 'CLOSED', paymentId)
  }
  if (flow === 'expired') {
    await operator.expire(paymentId, () => arm(paymentId))
    await payer.until(async () => (await payer.payment(paymentId)).state === 'expired', paymentId)
  }
  provider.pay(paymentId)
  await payer.callback(() => provider.callback(paymentId))
  await at('our answer to the callback')
  await payer.until(async () => (await payer.payment(paymentId)).state === 'paid', paymentId)
  if (flow === 'refunded' || flow === 'decided') {
    arm(paymentId)
    if (flow === 'decided') provider.abnormalRefunds.add(paymentId)
    const refundId = await operator.refund(paymentId)
    await at('our hold of the credits')
    await operator.until(refundId, flow === 'decided' ? 'review' : 'refunded')
    if (flow === 'decided') await operator.giveBack(refundId)
    await at('our answer to the decision')
  }
}

export interface Scene {
  /** The steps are spread over them. */
  readonly payers: readonly PaymentPayer[]
  readonly operator: ReturnType<typeof createOperator>
  readonly provider: WechatServer
}

/** Acts on the store while the gateway runs, as the command line does. The gateway asks the provider for what was held. */
export function createOperator(store: Store) {
  const operate = createTestAdministration(createRig(store, { clock: Date.now }))
  const { refunds } = createPaymentStore(store)
  const ada = { name: 'ada', via: 'command line' } as const
  return {
    refund: async (paymentId: string) => {
      const refund = { paymentId, amountFen: 400, reference: 'ticket', reason: 'asked for it' }
      return (await onceFree(() => operate.refundPayment(ada, refund))).refundId
    },
    giveBack: (refundId: string) =>
      onceFree(() => operate.decideRefund(ada, { refundId, to: 'returned', reason: 'nothing was paid back' })),
    /** A gateway that was killed is taken over within seconds. */
    async until(refundId: string, state: string) {
      for (let attempt = 1; (await refunds.find(refundId))!.state !== state; attempt += 1) {
        if (attempt > 300) throw new Error(`${refundId} does not become ${state}`)
        await delay(pollMs)
      }
    },
    /** Its time is up now. `beforeCommit` is called before a gateway can know that. */
    expire: (paymentId: string, beforeCommit: () => void) =>
      onceFree(() =>
        store.write(async (tx) => {
          await tx.run(
            'UPDATE payments SET expires_at = $2, next_query_at = $2, claimed_by = NULL WHERE payment_id = $1',
            [paymentId, Date.now()],
          )
          beforeCommit()
        }),
      ),
  }
}

/** Repeated while another process holds the lock of the embedded store. */
async function onceFree<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === 10) throw error
    }
  }
}

export type PaymentPayer = Awaited<ReturnType<typeof createPayer>>

interface PayerOptions {
  /** Which of several payers; each has a project of its own. */
  readonly number?: number
  /** How often a request is sent at most. */
  readonly attempts?: number
}

/** As many as it takes to hold every step at once: a project gets no more queries while so many of it are under way. */
export async function createStepPayers(database: Database, port: () => Promise<number>): Promise<PaymentPayer[]> {
  const payers: PaymentPayer[] = []
  const count = Math.ceil(everyStep.length / claimedPerProject)
  for (let number = 1; number <= count; number += 1) payers.push(await createPayer(database, port, { number }))
  return payers
}

/** Somebody with an account who pays, whichever gateway serves. */
export async function createPayer(
  { dataDir }: Pick<Database, 'dataDir'>,
  port: () => Promise<number>,
  { number = 1, attempts = 20 }: PayerOptions = {},
) {
  const agent = new Agent({ connections: 64 })
  let headers: Record<string, string> = { origin }

  /** Repeated until it is answered, as a browser with its Idempotency-Key does. */
  async function send(method: 'GET' | 'POST', path: string, body?: string, more: Record<string, string> = {}) {
    for (let attempt = 1; ; attempt += 1) {
      const at = await port()
      try {
        const own = { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) }
        const response = await request(`http://127.0.0.1:${at}${path}`, {
          ...{ method, dispatcher: agent, body: body ?? null, headers: { ...own, host: new URL(origin).host } },
          headersTimeout: 60_000,
        })
        const text = await response.body.text()
        if (response.statusCode < 500) return { status: response.statusCode, headers: response.headers, text }
        throw new Error(`status ${response.statusCode}: ${text}`)
      } catch (error) {
        if (attempt === attempts) throw error
        await delay(50)
      }
    }
  }

  const post = async (path: string, body: object, more: Record<string, string> = {}) => {
    const { status, text, headers: got } = await send('POST', path, JSON.stringify(body), more)
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
    const cookie = [got['set-cookie'] ?? []].flat()[0]?.split(';')[0]
    const json = JSON.parse(text)
    if (cookie) headers = { ...headers, cookie, 'x-csrf-token': json.csrfToken }
    return json
  }
  const phone = String(13_700_000_000 + number)
  const { challengeId } = await post('/v1/auth/send-code', { phone })
  const outbox = readFileSync(join(dataDir, 'sms-outbox.jsonl'), 'utf8').trim().split('\n')
  const { code: verificationCode } = JSON.parse(outbox.at(-1)!)
  const password = 'correct horse battery staple'
  const recoveryEmail = `li${number}@example.com`
  await post('/v1/auth/register', { phone, challengeId, verificationCode, recoveryEmail, password })

  const payment = async (paymentId: string) => {
    const { status, text } = await send('GET', `/v1/console/payments/${paymentId}`)
    if (status !== 200) throw new Error(`${paymentId}: ${status} ${text}`)
    return JSON.parse(text) as { state: string }
  }
  return {
    post,
    payment,
    /** The provider repeats until it is accepted. */
    async callback(make: () => { headers: Record<string, string>; body: string }) {
      for (;;) {
        const { headers: signed, body } = make()
        const { status } = await send('POST', '/v1/payments/callbacks/wechat', body, signed)
        if (status === 200) return
      }
    },
    /** The payer presses "I have paid" until it is so. */
    async until(isSo: () => Promise<boolean>, paymentId: string) {
      for (let attempt = 1; !(await isSo()); attempt += 1) {
        if (attempt > 300) throw new Error(`${paymentId} does not go on`)
        await delay(pollMs)
        await post(`/v1/console/payments/${paymentId}/check`, {})
      }
    },
    close: () => agent.destroy(),
  }
}

/** Credits and refunds here against the provider's own records, each exactly once. */
export async function paymentFaults(store: Store, provider: WechatServer): Promise<string[]> {
  const lots = await store.read((tx) =>
    tx.all<{ reference: string; amount: number }>(
      "SELECT reference, amount FROM credit_lots WHERE kind = 'paid' AND reference LIKE 'wechat:%'",
    ),
  )
  const here = new Map(lots.map(({ reference, amount }) => [reference, amount]))
  const there = new Map(
    [...provider.orders.values()]
      .filter(({ state }) => state === 'SUCCESS')
      .map(({ transactionId, paidTotal }) => [`wechat:${transactionId}`, paidTotal! / 10]),
  )
  const refunds = await store.read((tx) =>
    tx.all<{ refundId: string; state: string }>('SELECT refund_id AS "refundId", state FROM payment_refunds'),
  )
  const isRight = ({ refundId, state }: { refundId: string; state: string }) =>
    state === (provider.refunds.has(refundId) ? 'refunded' : 'returned')
  const known = new Set(refunds.map(({ refundId }) => refundId))
  return [
    ...refunds.filter((one) => !isRight(one)).map(({ refundId, state }) => `${refundId} is ${state}`),
    ...[...provider.refunds.keys()].filter((id) => !known.has(id)).map((id) => `${id} is not known here`),
    ...[...there].filter(([key, credits]) => here.get(key) !== credits).map(([key]) => `${key} is not credited`),
    ...[...here].filter(([key]) => !there.has(key)).map(([key]) => `${key} was never paid`),
    ...(lots.length === here.size ? [] : ['a payment was credited twice']),
  ]
}
