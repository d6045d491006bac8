import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller, streamed } from '../../../../testkit/gateway/openai-caller.ts'
import { goodContent, goodStream, streams } from '../../../../testkit/providers/streams.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { engines, openDatabase, type Store } from '../../../../testkit/store/engines.ts'

const completion = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Everest.' }, finish_reason: 'stop' }],
}
const repeated = { 'x-stainless-retry-count': '1' }

const refusals = {
  sqlite: [
    "CREATE TRIGGER refused BEFORE INSERT ON charge_responses BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    'DROP TRIGGER refused',
  ],
  postgres: [
    'ALTER TABLE charge_responses ADD CONSTRAINT refused CHECK (false) NOT VALID',
    'ALTER TABLE charge_responses DROP CONSTRAINT refused',
  ],
} as const

/** The store takes reservations, and for a while no outcomes. */
describe.each(engines)('a call whose outcome cannot be recorded on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let store: Store
  let caller: OpenAiCaller

  beforeAll(async () => {
    upstream = await startUpstream()
    const model = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-fast' } }
    gateway = await startGateway({ engine, file: { models: { providers: { model_provider_b: model } } } })
    store = await openDatabase(gateway.database, { exclusive: false })
    caller = await OpenAiCaller.join(gateway)
  })
  beforeEach(() => upstream.program(behaves.respond(200, completion)))
  afterAll(async () => {
    await store.close()
    await gateway.stop()
    await upstream.close()
  })

  async function whileItIsDown<T>(work: () => Promise<T>): Promise<T> {
    const [refuse, take] = refusals[engine]
    await store.write((tx) => tx.run(refuse))
    return work().finally(() => store.write((tx) => tx.run(take)))
  }
  const ask = (question: string, more: object = {}) => ({
    model: 'fast',
    messages: [{ role: 'user', content: question }],
    ...more,
  })
  /** What the caller has paid since, and how often the provider was asked. */
  async function since<T>(work: () => Promise<T>) {
    const before = [(await caller.credits()).available, upstream.calls.length] as const
    const result = await work()
    return { result, paid: before[0] - (await caller.credits()).available, asked: upstream.calls.length - before[1] }
  }
  const reviews = () => store.read((tx) => tx.all("SELECT 1 FROM charges WHERE state = 'manual_review'"))

  it.each([
    ['counted, as by openai', repeated],
    ['not counted, as by other clients', {}],
  ])(
    'a call whose outcome cannot be recorded is a 500 that says how to repeat it, and a repeat that is %s gets the stored text',
    async (_, headers) => {
      const body = ask(`recorded late ${JSON.stringify(headers)}`)
      const { result, paid, asked } = await since(async () => {
        const failed = await whileItIsDown(() => caller.complete(body))
        return { failed, found: await caller.complete(body, headers) }
      })
      const { failed, found } = result
      expect(failed.status).toBe(500)
      expect(failed.body.error).toMatchObject({ code: 'INTERNAL_ERROR', type: 'server_error' })
      expect(failed.headers).toMatchObject({
        'x-should-retry': 'true',
        'retry-hint': 'same-key',
        'retry-after': '1',
        'x-credits-reserved': '3',
        'idempotency-key': expect.stringMatching(/^req_/),
      })
      expect([found.status, found.body.choices[0].message.content]).toEqual([200, 'Everest.'])
      for (const name of ['x-charge-id', 'idempotency-key']) expect(found.headers[name]).toBe(failed.headers[name])
      expect({ paid, asked }).toEqual({ paid: 3, asked: 1 })
      // That response was delivered, so the next one is a call of its own.
      expect((await caller.complete(body, headers)).headers['x-charge-id']).not.toBe(found.headers['x-charge-id'])
      expect(await reviews()).toEqual([])
    },
  )

  it('a stream whose outcome cannot be recorded ends with an error that is no review, and its key gets the stored text', async () => {
    upstream.program(streams(goodStream))
    const body = ask('streamed', { stream: true })
    const { result, paid, asked } = await since(async () => {
      const failed = await whileItIsDown(() => caller.complete(body))
      const key = String(failed.headers['idempotency-key'])
      return { failed, found: await caller.complete(body, { 'idempotency-key': key }) }
    })
    const { failed, found } = result
    expect(streamed(failed)).toMatchObject({
      isDone: false,
      error: { code: 'INTERNAL_ERROR', charge_id: failed.headers['x-charge-id'] },
    })
    expect(failed.text).toContain('Repeat it with the same Idempotency-Key')
    expect(streamed(found)).toMatchObject({ isDone: true, content: goodContent, error: null })
    expect({ paid, asked }).toEqual({ paid: 3, asked: 1 })
    expect(await reviews()).toEqual([])
  })

  it('a native call whose outcome cannot be recorded is a 500 with the same hints, and its key gets the stored text', async () => {
    const call = () =>
      gateway.call(caller.apiKey, '/v1/models/chat', 'native', {
        prompt: 'x',
        model: 'fast',
        provider: 'model_provider_b',
      })
    const { result, paid, asked } = await since(async () => {
      const failed = await whileItIsDown(call)
      return { failed, found: await call() }
    })
    expect(result.failed.status).toBe(500)
    expect(result.failed.headers).toMatchObject({ 'x-should-retry': 'true', 'retry-hint': 'same-key' })
    expect([result.found.status, result.found.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect({ paid, asked }).toEqual({ paid: 3, asked: 1 })
  })

  it('a tool whose outcome cannot be recorded is an error that says how to repeat it, and the same call gets its result', async () => {
    const request = {
      name: 'model_chat',
      arguments: { prompt: 'by a tool', model: 'fast', provider: 'model_provider_b' },
    }
    const tool = async () => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: request }
      return (await caller.send('POST', '/mcp', JSON.stringify(message))).body.result
    }
    const { result, paid, asked } = await since(async () => {
      const failed = await whileItIsDown(tool)
      return { failed, found: await tool() }
    })
    const { failed, found } = result
    expect(failed).toMatchObject({ isError: true, _meta: { code: 'INTERNAL_ERROR', status: 500 } })
    expect(failed.content[0].text).toContain(`idempotencyKey ${failed._meta.idempotencyKey}`)
    expect(found._meta).toMatchObject({ chargeId: failed._meta.chargeId, replayed: true, credits: 3 })
    expect({ paid, asked }).toEqual({ paid: 3, asked: 1 })
    expect(await reviews()).toEqual([])
  })
})
