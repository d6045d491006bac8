import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { reconcile } from '../../../src/reconcile/reconcile.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts'
import { freePort } from '../http/free-port.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import { WechatServer } from './wechat-server.ts'

export interface KillReport {
  /** Where the gateway was killed, such as `POST native after`. */
  readonly killedAt: readonly string[]
  readonly payments: number
  readonly faults: readonly string[]
}

/**
 * Pays through a gateway of its own process that gets SIGKILL at every step in turn: before and after the provider has done what it
 * was asked, and after each answer of ours. Real sockets, real processes. `steps` limits it to these steps, counted from 1.
 */
export async function killAtEveryStep(database: Database, steps?: readonly number[]): Promise<KillReport> {
  const provider = await new WechatServer().listen()
  const site = await createSite(database, provider)
  const killedAt: string[] = []
  try {
    for (let step = 1; steps === undefined || step <= Math.max(...steps); step += 1) {
      if (steps && !steps.includes(step)) continue
      const killed = await payWithKill(site, provider, step)
      if (killed === null) break
      killedAt.push(killed)
    }
    await site.stop()
    return { killedAt, payments: provider.orders.size, faults: await faultsOf(database, provider) }
  } finally {
    await site.stop()
    provider.stop()
  }
}

/** One payment that is paid, and one that is cancelled and paid all the same. Null if there was no such step. */
async function payWithKill(site: Site, provider: WechatServer, step: number): Promise<string | null> {
  let seen = 0
  let killed: string | null = null
  const at = async (name: string) => {
    seen += 1
    if (seen !== step) return
    killed = name
    await site.kill()
  }
  provider.onStep = at
  const pay = async (key: string, isCancelled: boolean) => {
    const order = { amountFen: 1000, method: 'wechat' }
    const { paymentId } = await site.post('/v1/console/payments', order, { 'idempotency-key': key })
    await at('our answer to the creation')
    await site.until(async () => (await site.payment(paymentId)).state !== 'created', paymentId)
    if (isCancelled) {
      await site.post(`/v1/console/payments/${paymentId}/cancel`, {})
      await at('our answer to the cancellation')
    }
    provider.pay(paymentId)
    await site.callback(() => provider.callback(paymentId))
    await at('our answer to the callback')
    await site.until(async () => (await site.payment(paymentId)).state === 'paid', paymentId)
  }
  await pay(`paid ${step}`, false)
  await pay(`cancelled ${step}`, true)
  provider.onStep = () => {}
  return killed
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
        const answer = await request(`http://127.0.0.1:${port}${path}`, {
          ...{ method, dispatcher: agent, body: body ?? null, headers: { ...own, host: `localhost:${port}` } },
          headersTimeout: 10_000,
        })
        const text = await answer.body.text()
        if (answer.statusCode < 500) return { status: answer.statusCode, headers: answer.headers, text }
        throw new Error(`status ${answer.statusCode}: ${text}`)
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

/** Credits here against the provider's own book, each exactly once. */
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
    const { differences } = await reconcile(store)
    return [
      ...[...there].filter(([key, credits]) => here.get(key) !== credits).map(([key]) => `${key} is not credited`),
      ...[...here].filter(([key]) => !there.has(key)).map(([key]) => `${key} was never paid`),
      ...(lots.length === here.size ? [] : ['a payment was credited twice']),
      ...differences.map((one) => JSON.stringify(one)),
    ]
  } finally {
    await store.close()
  }
}
