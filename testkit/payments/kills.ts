import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { createPaymentStore } from '../../src/features/billing/payments/store/store.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts'
import { freePort } from '../http/free-port.ts'
import { createTestAdministration } from '../store/administration.ts'
import { type Database, openDatabase } from '../store/engines.ts'
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
  const site = await createSite(database, provider)
  const operator = await createOperator(database)
  const killedAt: string[] = []
  try {
    for (const [index, step] of steps.entries()) {
      if (await payWithKill({ site, operator, provider }, `${index}`, step)) killedAt.push(step.join(': '))
    }
    await site.stop()
    await operator.close()
    return { killedAt, payments: provider.orders.size, faults: await faultsOf(database, provider) }
  } finally {
    await site.stop()
    provider.stop()
  }
}

/** Whether the gateway was killed. */
async function payWithKill(
  { site, operator, provider }: Scene,
  key: string,
  [flow, wanted]: KillStep,
): Promise<boolean> {
  let isKilled = false
  const at = async (name: string) => {
    if (isKilled || name !== wanted) return
    isKilled = true
    await site.kill()
  }
  // The steps of an expiry and of a refund come after those of the payment, some of which have the same names.
  const arm = () => {
    provider.onStep = at
  }
  if (flow === 'paid' || flow === 'cancelled') arm()
  const order = { amountFen: 1000, method: 'wechat' }
  const { paymentId } = await site.post('/v1/console/payments', order, { 'idempotency-key': key })
  await at('our answer to the creation')
  await site.until(async () => (await site.payment(paymentId)).state !== 'created', paymentId)
  if (flow === 'cancelled') {
    await site.post(`/v1/console/payments/${paymentId}/cancel`, {})
    await at('our answer to the cancellation')
    await site.until(async () => provider.orders.get(paymentId)!.state === 'CLOSED', paymentId)
  }
  if (flow === 'expired') {
    await operator.expire(paymentId)
    arm()
    await site.until(async () => (await site.payment(paymentId)).state === 'expired', paymentId)
  }
  provider.pay(paymentId)
  await site.callback(() => provider.callback(paymentId))
  await at('our answer to the callback')
  await site.until(async () => (await site.payment(paymentId)).state === 'paid', paymentId)
  if (flow === 'refunded' || flow === 'decided') {
    arm()
    provider.refundResponse = flow === 'decided' ? { status: 200, body: { status: 'ABNORMAL' } } : null
    const refundId = await operator.refund(paymentId)
    await at('our hold of the credits')
    await operator.until(refundId, flow === 'decided' ? 'review' : 'refunded')
    if (flow === 'decided') await operator.giveBack(refundId)
    await at('our answer to the decision')
    provider.refundResponse = null
  }
  provider.onStep = () => {}
  return isKilled
}

interface Scene {
  readonly site: Site
  readonly operator: Awaited<ReturnType<typeof createOperator>>
  readonly provider: WechatServer
}

/** Acts on the store beside the gateway, as the command line does. The gateway asks the provider for what was held. */
async function createOperator(database: Database) {
  const store = await openDatabase(database, { exclusive: false })
  const operate = createTestAdministration(createRig(store, { clock: Date.now }))
  const { refunds } = createPaymentStore(store)
  const ada = { name: 'ada', via: 'command line' } as const
  return {
    refund: async (paymentId: string) =>
      (await operate.refundPayment(ada, { paymentId, amountFen: 400, reference: 'ticket', reason: 'asked for it' }))
        .refundId,
    giveBack: (refundId: string) =>
      operate.decideRefund(ada, { refundId, to: 'returned', reason: 'nothing was paid back' }),
    /** A gateway that was killed is taken over within seconds. */
    async until(refundId: string, state: string) {
      for (let attempt = 1; (await refunds.find(refundId))!.state !== state; attempt += 1) {
        if (attempt > 500) throw new Error(`${refundId} does not become ${state}`)
        await delay(20)
      }
    },
    /** Its time is up now. */
    expire: (paymentId: string) =>
      store.write((tx) =>
        tx.run('UPDATE payments SET expires_at = $2, next_query_at = $2, claimed_by = NULL WHERE payment_id = $1', [
          paymentId,
          Date.now(),
        ]),
      ),
    close: () => store.close(),
  }
}

type Site = Awaited<ReturnType<typeof createSite>>

async function createSite(database: Database, provider: WechatServer) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const { dataDir } = database
  await writeFile(join(dataDir, 'wechat.pem'), provider.platform.publicKey)
  const file = join(dataDir, 'payments.json')
  const payments = { wechat: provider.settings(dataDir), queryAfterSeconds: [1, 1, 1], queryEverySeconds: 1 }
  const many = { max: 100_000, windowSeconds: 60 }
  await writeFile(file, JSON.stringify({ payments, limits: { sessionWritesPerProject: many } }))
  const environment = {
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: dataDir,
    DATABASE_URL: database.databaseUrl ?? 'sqlite:',
    GATEWAY_CONFIG: file,
    TEST_WECHAT_KEY: provider.merchant.privateKey,
    TEST_WECHAT_V3: provider.apiV3Key,
  }
  const start = () => startGatewayProcess({ environment, port })
  let gateway: Promise<GatewayProcess> = start()
  await gateway
  const agent = new Agent({ connections: 4 })
  let headers: Record<string, string> = { origin }

  /** Repeated until it is answered, as a browser with its Idempotency-Key does. */
  async function send(method: 'GET' | 'POST', path: string, body?: string, more: Record<string, string> = {}) {
    for (let attempt = 1; ; attempt += 1) {
      await gateway
      try {
        const own = { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) }
        const response = await request(`http://127.0.0.1:${port}${path}`, {
          ...{ method, dispatcher: agent, body: body ?? null, headers: { ...own, host: `localhost:${port}` } },
          headersTimeout: 10_000,
        })
        const text = await response.body.text()
        if (response.statusCode < 500) return { status: response.statusCode, headers: response.headers, text }
        throw new Error(`status ${response.statusCode}: ${text}`)
      } catch (error) {
        if (attempt === 20) throw error
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
  const phone = '13700000001'
  const { challengeId } = await post('/v1/auth/send-code', { phone })
  const outbox = readFileSync(join(dataDir, 'sms-outbox.jsonl'), 'utf8').trim().split('\n')
  const { code: verificationCode } = JSON.parse(outbox.at(-1)!)
  const password = 'correct horse battery staple'
  const recoveryEmail = 'li@example.com'
  await post('/v1/auth/register', { phone, challengeId, verificationCode, recoveryEmail, password })

  const payment = async (paymentId: string) =>
    JSON.parse((await send('GET', `/v1/console/payments/${paymentId}`)).text) as { state: string }
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
        if (attempt > 200) throw new Error(`${paymentId} does not go on`)
        if (attempt % 5 === 0) await post(`/v1/console/payments/${paymentId}/check`, {})
        await delay(20)
      }
    },
    async kill() {
      const running = await gateway
      await running.kill()
      gateway = start()
      await gateway
    },
    async stop() {
      await (await gateway).kill()
      await agent.destroy()
    },
  }
}

/** Credits and refunds here against the provider's own records, each exactly once. */
async function faultsOf(database: Database, provider: WechatServer): Promise<string[]> {
  const store = await openDatabase(database)
  try {
    const lots = await store.read((tx) =>
      tx.all<{ reference: string; amount: number }>("SELECT reference, amount FROM credit_lots WHERE kind = 'paid'"),
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
    const { differences } = await reconcile(store)
    return [
      ...refunds.filter((one) => !isRight(one)).map(({ refundId, state }) => `${refundId} is ${state}`),
      ...[...provider.refunds.keys()].filter((id) => !known.has(id)).map((id) => `${id} is not known here`),
      ...[...there].filter(([key, credits]) => here.get(key) !== credits).map(([key]) => `${key} is not credited`),
      ...[...here].filter(([key]) => !there.has(key)).map(([key]) => `${key} was never paid`),
      ...(lots.length === here.size ? [] : ['a payment was credited twice']),
      ...differences.map((one) => JSON.stringify(one)),
    ]
  } finally {
    await store.close()
  }
}
