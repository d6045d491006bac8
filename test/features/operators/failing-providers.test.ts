import { describe, expect, onTestFinished, test } from 'vitest'
import { createProviderStates } from '../../../src/features/operators/providers/provider-states.ts'
import { confirmed, failureOf, type Outcome } from '../../../src/providers/outcome.ts'
import { byOutcome, createProviderWatch } from '../../../src/providers/provider-watch.ts'
import { startGateway } from '../../../testkit/gateway/gateway.ts'
import { expectInOperatorContract, signedInOperator } from '../../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { behaves, startUpstream } from '../../../testkit/providers/upstream.ts'

describe('a failing provider', () => {
  test('a failing provider with a dead credential is logged as a warning, counted, and needs attention', async () => {
    const upstream = await startUpstream(behaves.respond(401, { error: 'expired' }))
    const dead = { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' } }
    const gateway = await startGateway({ file: { models: { providers: { model_provider_b: dead } } } })
    onTestFinished(async () => {
      await gateway.stop()
      await upstream.close()
    })
    const customer = await PayingCustomer.join(gateway)
    const chat = (provider: string) =>
      gateway.call(customer.apiKey, '/v1/models/chat', customer.newKey(), { provider, prompt: 'hello' })
    for (let call = 0; call < 3; call++) expect((await chat('model_provider_b')).status).toBe(502)
    expect((await chat('model_provider_a')).status).toBe(200)

    const lines = gateway.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a provider denies access')
    const requestId = expect.stringMatching(/^req_/)
    expect(lines).toMatchObject([{ level: 40, provider: 'model/model_provider_b', status: 401, calls: 1, requestId }])

    const admin = await signedInOperator(gateway, 'admin', 'admin')
    const overview = await admin.get('/api/overview')
    expectInOperatorContract('operator.overview', overview)
    expect(overview.body.failingProviders).toEqual([{ kind: 'model', name: 'model_provider_b', calls: 3, failed: 3 }])
    const { items } = (await admin.get('/api/providers')).body
    const failing = items.filter(({ isFailing }: { isFailing: boolean }) => isFailing)
    expect(failing.map(({ name }: { name: string }) => name)).toEqual(['model_provider_b'])

    const { text } = await gateway.operator('/metrics')
    const calls = (provider: string, result: string) =>
      `gateway_provider_calls_total{kind="model",provider="${provider}",result="${result}"}`
    expect(text).toContain(`${calls('model_provider_b', 'failed')} 3\n`)
    expect(text).toContain(`${calls('model_provider_b', 'confirmed')} 0\n`)
    expect(text).toContain(`${calls('model_provider_a', 'confirmed')} 1\n`)
  })

  test('what a provider rejects as the request of its caller makes nothing look broken, by any entrance or as a replay', async () => {
    const upstream = await startUpstream(behaves.respond(422))
    const http = { baseUrl: upstream.url }
    const gateway = await startGateway({
      file: {
        models: { providers: { model_provider_a: { adapter: 'openai', ...http, models: { fast: 'upstream-fast' } } } },
        shopping: { mode: 'pick-http', providers: { shop_provider_a: { ...http, linkHosts: ['item.example'] } } },
        media: { providers: { media_provider_a: { adapter: 'http', ...http } } },
      },
    })
    onTestFinished(async () => {
      await gateway.stop()
      await upstream.close()
    })
    const customer = await PayingCustomer.join(gateway)
    const send = (path: string, body: object, key = customer.newKey()) => gateway.call(customer.apiKey, path, key, body)
    const calls: [string, object, unknown][] = [
      ['/v1/models/chat', { prompt: 'hello' }, 502],
      ['/v1/chat/completions', { model: 'fast', messages: [{ role: 'user', content: 'hello' }] }, expect.any(Number)],
      [
        '/v1/chat/completions',
        { model: 'fast', messages: [{ role: 'user', content: 'hello' }], stream: true },
        expect.any(Number),
      ],
      ['/v1/pick/search', { query: 'cup', provider: 'shop_provider_a' }, 502],
      ['/v1/media/jobs', { prompt: 'a cat', provider: 'media_provider_a' }, 502],
    ]
    for (const status of [400, 413, 422]) {
      upstream.program(behaves.respond(status))
      for (const [path, body, answered] of calls) {
        const key = customer.newKey()
        const first = await send(path, body, key)
        expect([first.status, first.headers['idempotent-replayed']]).toEqual([answered, undefined])
        expect((await send(path, body, key)).headers['idempotent-replayed']).toBe('true')
      }
      const params = { name: 'model_chat', arguments: { prompt: 'hello' } }
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const tool = await gateway.send('POST', '/mcp', { authorization: `Bearer ${customer.apiKey}` }, message)
      expect(tool.body.result._meta.code).toBe('PROVIDER_REQUEST_REJECTED')
    }

    const { text } = await gateway.operator('/metrics')
    const counted = (kind: string, provider: string, result: string) =>
      Number(
        new RegExp(
          `^gateway_provider_calls_total.kind="${kind}",provider="${provider}",result="${result}". (\\d+)$`,
          'm',
        ).exec(text)?.[1],
      )
    for (const [kind, sent] of [
      ['model', 12],
      ['shop', 3],
      ['media', 3],
    ] as const)
      expect(
        ['rejected', 'failed', 'uncertain'].map((result) => counted(kind, `${kind}_provider_a`, result)),
        kind,
      ).toEqual([sent, 0, 0])
    const admin = await signedInOperator(gateway, 'admin', 'admin')
    const { failingProviders, instance } = (await admin.get('/api/overview')).body
    expect(failingProviders).toEqual([])
    const totals = (what: string) => instance.operations.reduce((sum: number, of: never) => sum + of[what], 0)
    expect([totals('calls'), totals('rejected'), totals('failed')]).toEqual([33, 18, 0])
    const { items } = (await admin.get('/api/providers/day')).body
    const named = items.filter(({ name }: { name: string }) => name.endsWith('_a'))
    expect(named.map((day: Record<string, number>) => day.failed)).toEqual([0, 0, 0])
  })

  test('a failing provider is one in service of whose calls at least half failed, without those that callers spoiled', async () => {
    const watch = createProviderWatch(() => 0)
    const provider = { kind: 'model', name: 'a', adapter: 'openai', maxConcurrent: 1, breakerState: () => null, watch }
    const states = createProviderStates({
      providers: [provider as Parameters<typeof createProviderStates>[0]['providers'][number]],
      readSwitches: async () => [],
      minutes: 15,
    })
    const end = (outcome: Outcome<string>) => watch.watched(byOutcome<string>('model'), async () => outcome)()
    const isFailing = () => {
      expect(states.failing().length > 0).toBe(states.list()[0]!.isFailing)
      return states.list()[0]!.isFailing
    }
    expect(isFailing()).toBe(false)
    await end({ kind: 'refused', code: 'INVALID_PROMPT', sent: false })
    await end(failureOf('model', 'disabled'))
    expect(isFailing()).toBe(false)
    await end(failureOf('model', 'timedOut'))
    await end(failureOf('model', 'requestRejected'))
    await end(failureOf('model', 'rejected'))
    expect(states.failing()).toEqual([{ kind: 'model', name: 'a', calls: 2, failed: 2 }])
    await end(confirmed('answer'))
    await end(confirmed('answer'))
    expect(isFailing()).toBe(true)
    await end(confirmed('answer'))
    expect(isFailing()).toBe(false)
    await end(failureOf('model', 'failed'))
    states.apply([{ provider: 'model/a', isOut: true, changedBy: 'ada', changedAt: 1 }])
    expect(isFailing()).toBe(false)
    expect(watch.totals).toEqual({ confirmed: 3, rejected: 3, failed: 2, uncertain: 1 })
  })
})
