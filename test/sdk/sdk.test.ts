import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sdkMethodOf } from '../../console/site/reference/samples.ts'
import * as sdk from '../../sdk/src/index.ts'
import { billableOperations, prices } from '../../src/contract/prices.ts'
import { decideReview } from '../../src/features/calls/reviews/reviews.ts'
import { createReviewStore } from '../../src/features/calls/reviews/store.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { createBatchStore } from '../../src/storage/batch-store.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { type BadProxy, type Mishap, startBadProxy } from '../../testkit/http/bad-proxy.ts'
import { otherRequest } from '../../testkit/providers/operation-rows.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'
import { openDatabase } from '../../testkit/store/engines.ts'

const { Gateway: Client } = sdk

describe('the SDK with a gateway', () => {
  let upstream: Upstream
  let gateway: Gateway
  let proxy: BadProxy
  let customer: PayingCustomer
  let client: sdk.Gateway
  let mishaps: Mishap[] = []

  beforeAll(async () => {
    upstream = await startUpstream(behaves.reset())
    gateway = await startGateway({
      file: {
        models: {
          providers: {
            model_provider_a: { adapter: 'local' },
            model_provider_b: { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'fast' } },
            model_provider_c: { adapter: 'disabled' },
          },
        },
      },
    })
    proxy = await startBadProxy(gateway.app.public.port, () => mishaps.shift() ?? 'none')
    customer = await PayingCustomer.join(gateway)
    client = clientOf(customer.apiKey)
  })
  beforeEach(() => {
    mishaps = []
  })
  afterAll(async () => {
    await proxy.close()
    await gateway.stop()
    await upstream.close()
  })

  const clientOf = (apiKey: string, options: Partial<sdk.GatewayOptions> = {}) =>
    new Client({ apiKey, baseURL: proxy.url, ...options })
  const failureOf = async (promise: Promise<unknown>): Promise<sdk.GatewayError> => {
    const error = await promise.then(
      () => null,
      (reason) => reason,
    )
    expect(error).toBeInstanceOf(sdk.GatewayError)
    return error
  }

  it('the SDK with a gateway calls every billable operation by the name that the samples use', async () => {
    const { data } = await client.pick.search({ query: '杯' })
    const items = data.items.map(({ itemRef }) => itemRef)
    const methods = client as unknown as Record<string, Record<string, sdk.OperationCall<never>>>
    for (const operation of billableOperations) {
      const [group, name] = sdkMethodOf(operation).split('.') as [string, string]
      const called = methods[group]![name]!(otherRequest(operation, { items }) as never)
      expect(await called).toMatchObject({ status: 'settled', operation, chargedCredits: prices[operation].credits })
    }
  })

  it('the SDK with a gateway gives the headers of a response too', async () => {
    const run = client.agent.run({ tool: 'pick.assist', arguments: { operation: 'search', payload: { query: '杯' } } })
    const { data: ran, response } = await run.withResponse()
    expect(ran.operation).toBe('agent.run')
    expect(response.headers.get('x-charge-id')).toMatch(/^chg_/)
    expect(await run).toEqual(ran)
  })

  it('the SDK with a gateway reads the key and its charges', async () => {
    const { response } = await client.models.chat({ prompt: 'charged' }).withResponse()
    const chargeId = response.headers.get('x-charge-id')!
    expect(await client.charges.get(chargeId)).toMatchObject({ chargeId, state: 'settled', replayable: true })
    const listed: string[] = []
    for await (const charge of client.charges.list({ limit: 3 })) listed.push(charge.chargeId)
    expect(listed[0]).toBe(chargeId)
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.length).toBeGreaterThan(3)
    const key = await client.key.get()
    expect(key.credits).toEqual(await customer.credits())
    expect(await failureOf(client.charges.get('chg_unknown'))).toMatchObject({ code: 'CHARGE_NOT_FOUND', status: 404 })
  })

  it('the SDK with a gateway charges once, whatever happens to the responses', async () => {
    const before = await customer.credits()
    mishaps = ['drop', 'cut', 'twice']
    const request = { prompt: 'first' }
    const pending = client.models.chat(request)
    request.prompt = 'changed later'
    const { data, response } = await pending.withResponse()
    expect(data.chargedCredits).toBe(3)
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    expect((await customer.credits()).available).toBe(before.available - 3)
    const again = await client.models.chat({ prompt: 'keyed' }, { idempotencyKey: 'own key' })
    expect(await client.models.chat({ prompt: 'keyed' }, { idempotencyKey: 'own key' })).toEqual(again)
    expect((await customer.credits()).available).toBe(before.available - 6)
  })

  it('the SDK with a gateway throws errors of their own classes', async () => {
    const poor = await PayingCustomer.join(gateway, { amountFen: 0 })
    const limited = (
      await customer.browser.post(
        '/v1/console/keys',
        { name: 'k', scopes: ['models:invoke'], budget: { credits: 4, per: 'day' } },
        { 'idempotency-key': 'sdk budget' },
      )
    ).body.apiKey
    await clientOf(limited).models.chat({ prompt: 'x' })
    const rows: [() => Promise<unknown>, new (...facts: never[]) => Error, string, number][] = [
      [() => clientOf(poor.apiKey).models.chat({ prompt: 'x' }), sdk.OutOfCredits, 'INSUFFICIENT_PAID_CREDITS', 402],
      [() => clientOf(limited).models.chat({ prompt: 'x' }), sdk.BudgetReached, 'INSUFFICIENT_PAID_CREDITS', 402],
      [() => clientOf('gk_live_wrong').key.get(), sdk.Unauthorized, 'UNAUTHORIZED', 401],
      [() => clientOf(limited).pick.search({ query: 'x' }), sdk.Forbidden, 'FORBIDDEN', 403],
      [() => client.models.chat({ prompt: ' ' }), sdk.InvalidRequest, 'INVALID_PROMPT', 400],
      [
        () => client.models.chat({ prompt: 'other' }, { idempotencyKey: 'own key' }),
        sdk.Conflict,
        'IDEMPOTENCY_CONFLICT',
        409,
      ],
      [
        () => client.models.chat({ prompt: 'x', provider: 'model_provider_c' }),
        sdk.ProviderError,
        'PROVIDER_DISABLED',
        503,
      ],
    ]
    for (const [call, type, code, status] of rows) {
      const error = await failureOf(call())
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ name: type.name, code, status })
      expect(error.requestId).toMatch(/^req_/)
    }
    const reached = (await failureOf(clientOf(limited).models.chat({ prompt: 'x' }))) as sdk.BudgetReached
    expect(reached.remaining).toBe(1)
    expect(Date.parse(reached.resetsAt!)).toBeGreaterThan(Date.now())
    const unreachable = new Client({ apiKey: 'x', baseURL: 'http://127.0.0.1:1', maxRetries: 0 })
    expect(await failureOf(unreachable.key.get())).toMatchObject({ name: 'ConnectionError', status: 0 })
  })

  it('the SDK with a gateway waits for the decision about a call whose outcome is uncertain', async () => {
    const error = (await failureOf(
      client.models.chat({ prompt: 'x', provider: 'model_provider_b' }),
    )) as sdk.ReviewPending
    expect(error).toBeInstanceOf(sdk.ReviewPending)
    expect(error).toMatchObject({ code: 'MANUAL_REVIEW', status: 202, chargeId: expect.stringMatching(/^chg_/) })
    const stopped = new AbortController()
    const waiting = error.decided({ signal: stopped.signal, intervalMs: 5 })
    stopped.abort(new Error('enough'))
    const aborted = await failureOf(waiting)
    expect(aborted).toMatchObject({ name: 'AbortError', cause: new Error('enough'), chargeId: error.chargeId })
    expect(aborted.idempotencyKey).toBe(error.idempotencyKey)
    const decided = error.decided({ intervalMs: 5 })
    await release(gateway, error.chargeId)
    expect(await decided).toMatchObject({ chargeId: error.chargeId, state: 'released', resolution: 'released' })
  })

  it('the SDK with a gateway streams a response', async () => {
    const before = await customer.credits()
    let text = ''
    let finish: string | null = null
    for await (const chunk of client.models.stream({ prompt: '你好' })) {
      text += chunk.choices[0]?.delta.content ?? ''
      finish = chunk.choices[0]?.finish_reason ?? finish
    }
    expect(text.length).toBeGreaterThan(0)
    expect(finish).toBe('stop')
    const messages = [{ role: 'user', content: 'keyed' }] as const
    const whole = async () => {
      let all = ''
      const options = { idempotencyKey: 'streamed' }
      for await (const chunk of client.models.stream({ messages, model: 'local-small' }, options))
        all += chunk.choices[0]?.delta.content ?? ''
      return all
    }
    expect(await whole()).toBe(await whole())
    mishaps = ['cut']
    const cut = await failureOf(collect(client.models.stream({ prompt: 'cut' })))
    expect(cut).toMatchObject({ name: 'ConnectionError', chargeId: expect.stringMatching(/^chg_/) })
    expect(await failureOf(collect(client.models.stream({ prompt: 'x', model: 'none' })))).toMatchObject({
      name: 'InvalidRequest',
      code: 'MODEL_NOT_ALLOWED',
      status: 404,
    })
    const review = await failureOf(collect(client.models.stream({ prompt: 'x', model: 'model_provider_b/fast' })))
    expect(review).toBeInstanceOf(sdk.ReviewPending)
    // Two responses, one that was cut, and one in review.
    const { available, reserved } = await customer.credits()
    expect([before.available - available, reserved - before.reserved]).toEqual([12, 3])
  })

  it('the SDK with a gateway waits for a video', async () => {
    const seen: string[] = []
    const job = await client.media.createAndWait(
      { prompt: 'a boat', seconds: 2 },
      { intervalMs: 20, onProgress: ({ status }) => seen.push(status) },
    )
    expect(job).toMatchObject({ status: 'completed', seconds: 2 })
    expect(seen.at(-1)).toBe('completed')
    const clip = await client.media.content(job.jobId)
    expect((await clip.arrayBuffer()).byteLength).toBe(job.content!.bytes)
    const created = await client.media.create({ prompt: 'another', seconds: 2 })
    expect((await client.media.get(created.jobId)).jobId).toBe(created.jobId)
    const cancelled = client.media.cancel(created.jobId).catch((reason) => reason)
    expect(await cancelled).toMatchObject({})
    const stopped = AbortSignal.abort(new Error('no time'))
    const aborted = await failureOf(client.media.createAndWait({ prompt: 'x' }, { signal: stopped }))
    expect(aborted).toMatchObject({ name: 'AbortError', cause: new Error('no time') })
  })
})

describe('the SDK without a gateway', () => {
  interface Attempt {
    readonly key: string | null
    readonly body: unknown
  }
  /** Responses of a gateway, in order; `null` breaks the connection. */
  function scripted(...responses: (Response | null)[]) {
    const attempts: Attempt[] = []
    const client = new Client({
      apiKey: 'k',
      baseURL: 'https://gateway.test/',
      fetch: (async (_: unknown, init: RequestInit = {}) => {
        attempts.push({ key: new Headers(init.headers).get('idempotency-key'), body: init.body })
        const response = responses.shift()
        if (!response) throw new TypeError('broken')
        return response
      }) as typeof fetch,
    })
    return { client, attempts }
  }
  const refusal = (status: number, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify({ error: { code: 'SOME_CODE', message: 'Some text.' } }), { status, headers })
  const settled = () => new Response(JSON.stringify({ status: 'settled' }), { status: 200 })
  const hint = (value: string, should = 'true') => ({ 'retry-hint': value, 'x-should-retry': should })

  it.each([
    ['a broken connection', null, true],
    ['same-key', refusal(503, hint('same-key')), true],
    ['new-key that should not be retried', refusal(503, hint('new-key', 'false')), false],
    ['never', refusal(503, hint('never')), false],
    ['same-key that should not be retried', refusal(500, hint('same-key', 'false')), false],
    ...[408, 429, 500, 502, 503, 504].map((status) => [`${status} without a hint`, refusal(status), true] as const),
    ...[400, 401, 402, 403, 404, 409, 413].map(
      (status) => [`${status} without a hint`, refusal(status), false] as const,
    ),
  ] as const)('after %s', async (_, first, isRepeated) => {
    const { client, attempts } = scripted(first, settled())
    await client.models.chat({ prompt: 'x' }).catch(() => {})
    expect(attempts).toHaveLength(isRepeated ? 2 : 1)
    expect(new Set(attempts.map((attempt) => JSON.stringify(attempt))).size).toBe(1)
    expect(attempts[0]!.key).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('the SDK without a gateway derives a key for each attempt that needs a new one', async () => {
    const used = () => refusal(503, hint('new-key'))
    const { client, attempts } = scripted(used(), null, settled())
    const { idempotencyKey } = await client.models.chat({ prompt: 'x' }).withResponse()
    const keys = attempts.map(({ key }) => key)
    expect(keys).toEqual([keys[0], `${keys[0]}-2`, `${keys[0]}-2`])
    expect(idempotencyKey).toBe(keys[2])
    const own = scripted(used(), settled())
    await expect(own.client.models.chat({ prompt: 'x' }, { idempotencyKey: 'own' })).rejects.toMatchObject({
      idempotencyKey: 'own',
    })
    expect(own.attempts).toHaveLength(1)
  })

  it('the SDK without a gateway gives up after maxRetries, and stops waiting when it is aborted', async () => {
    const { client, attempts } = scripted(null, null, null, settled())
    await expect(client.models.chat({ prompt: 'x' })).rejects.toBeInstanceOf(sdk.ConnectionError)
    expect(attempts).toHaveLength(3)
    const waiting = scripted(refusal(503, { ...hint('same-key'), 'retry-after': '3600' }), settled())
    const stopped = new AbortController()
    const call = waiting.client.models.chat({ prompt: 'x' }, { signal: stopped.signal })
    setTimeout(() => stopped.abort(new Error('enough')), 20)
    await expect(call).rejects.toMatchObject({ name: 'AbortError', idempotencyKey: waiting.attempts[0]!.key })
    expect(waiting.attempts).toHaveLength(1)
  })

  it('the SDK without a gateway verifies webhooks', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', at: '2026-09-03T08:00:00.000Z', data: { 点: 1 } })
    const sign = (at: Date) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,AAAA v1a,x ${new Webhook(secret).sign('msg_1', at, body)}`,
    })
    const headers = sign(new Date())
    expect(await Client.webhooks.unwrap(body, headers, secret)).toEqual(JSON.parse(body))
    expect(await Client.webhooks.unwrap(Buffer.from(body), new Headers(headers), secret)).toEqual(JSON.parse(body))
    const old = sign(new Date(Date.now() - 301_000))
    for (const [text, given, key] of [
      [`${body} `, headers, secret],
      [body, { ...headers, 'webhook-id': 'msg_2' }, secret],
      [body, {}, secret],
      [body, old, secret],
      [body, headers, `whsec_${Buffer.alloc(24, 8).toString('base64')}`],
      [body, headers, 'not base64!'],
    ] as const)
      await expect(Client.webhooks.unwrap(text, given, key)).rejects.toBeInstanceOf(sdk.WebhookVerificationError)
  })
})

async function collect(chunks: AsyncIterable<sdk.ChatChunk>): Promise<sdk.ChatChunk[]> {
  const all: sdk.ChatChunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

/** As an operator does on the command line. */
async function release({ database }: Gateway, chargeId: string): Promise<void> {
  const store = await openDatabase(database, { exclusive: false })
  const ledger = createLedger({ store: createBatchStore(store, () => {}) })
  const decide = { ledger, reviews: createReviewStore(store), clock: Date.now }
  await decideReview(decide, { name: 'a test', via: 'command line' }, { chargeId, to: 'released', reason: 'asked' })
  await store.close()
}
