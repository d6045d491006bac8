import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectInContract, expectRefusal } from '../../../../testkit/gateway/contract-check.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'

const secret = 'sk-of-the-model-server'

/** A chat completions server written by others, so that we do not only test against our own reading of the protocol. */
describe('model.chat with a third-party chat completions server', () => {
  let server: LLMock
  let gateway: Gateway
  let customer: PayingCustomer

  beforeAll(async () => {
    server = new LLMock({ port: 0, host: '127.0.0.1', auth: { apiKeys: [secret] } })
    await server.start()
    const model = {
      adapter: 'openai',
      baseUrl: `${server.url}/v1`,
      apiKeyEnv: 'MODEL_KEY',
      models: { fast: 'upstream-fast', deep: 'upstream-deep' },
      breaker: { failures: 1000 },
    }
    gateway = await startGateway({
      file: {
        models: {
          providers: {
            model_provider_a: model,
            model_provider_b: { ...model, timeoutMs: 1000 },
            model_provider_c: { ...model, apiKeyEnv: 'WRONG_KEY' },
          },
        },
      },
      environment: { MODEL_KEY: secret, WRONG_KEY: 'sk-of-somebody-else' },
    })
    customer = await PayingCustomer.join(gateway)
  })
  beforeEach(() => {
    server.clearChaos().clearFixtures()
    server.clearRequests()
    server.onMessage('世界上最高的山', { content: '珠穆朗玛峰。', usage: { prompt_tokens: 11, completion_tokens: 6 } })
  })
  afterAll(async () => {
    await gateway.stop()
    await server.stop()
  })

  const ask = (request: object, key?: string) => customer.call('model.chat', request, key)

  it('model.chat with a third-party chat completions server sends the prompt unchanged, and returns the output and the token counts', async () => {
    const before = await customer.credits()
    const response = await ask({ prompt: '世界上最高的山是哪座？', model: 'deep' })
    expect(response.status).toBe(200)
    expectInContract('model.chat', response)
    expect(response.body.data).toEqual({ provider: 'model_provider_a', model: 'deep', output: '珠穆朗玛峰。' })
    expect(response.body.usage).toEqual({ inputUnits: 11, outputUnits: 6, totalUnits: 17 })
    expect(await customer.credits()).toEqual({ available: before.available - 3, reserved: before.reserved })
    expect(server.getRequests()).toHaveLength(1)
    expect(server.getLastRequest()).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        model: 'upstream-deep',
        messages: [{ role: 'user', content: '世界上最高的山是哪座？' }],
        stream: false,
      },
    })
  })

  it.each([
    ['a question that it does not know (404)', 'PROVIDER_REQUEST_REJECTED', () => server.clearFixtures()],
    ['429', 'PROVIDER_RATE_LIMITED', () => server.nextRequestError(429, { message: 'slow down' })],
    ['400', 'PROVIDER_REQUEST_REJECTED', () => server.nextRequestError(400, { code: 'context_length_exceeded' })],
    ['500', 'PROVIDER_UNAVAILABLE', () => server.nextRequestError(500)],
    ['503', 'PROVIDER_UNAVAILABLE', () => server.nextRequestError(503)],
    ['malformed JSON', 'PROVIDER_CONTRACT_INVALID', () => server.setChaos({ malformedRate: 1 })],
    [
      'a tool call and no text',
      'PROVIDER_CONTRACT_INVALID',
      () => server.clearFixtures().onMessage('山', { toolCalls: [{ name: 'look', arguments: '{}' }] }),
    ],
  ] as const)('%s is %s: released, and replayed without another upstream call', async (_, code, misbehave) => {
    misbehave()
    const before = await customer.credits()
    const key = customer.newKey()
    const response = await ask({ prompt: '世界上最高的山是哪座？' }, key)
    expectRefusal('model.chat', response, code)
    expect(await customer.credits()).toEqual(before)
    const replay = await ask({ prompt: '世界上最高的山是哪座？' }, key)
    expect(replay.text).toBe(response.text)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(server.getRequests().length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['a dropped connection', 'model_provider_a', { disconnectRate: 1 }],
    ['a response that comes too late', 'model_provider_b', { latencyMs: 10_000 }],
  ] as const)('%s is held for review', async (_, provider, chaos) => {
    server.setChaos(chaos)
    const before = await customer.credits()
    const response = await ask({ prompt: '世界上最高的山是哪座？', provider })
    expect(response.status).toBe(202)
    expectInContract('model.chat', response)
    expect(await customer.credits()).toEqual({ available: before.available - 3, reserved: before.reserved + 3 })
  })

  it('a rejected credential is a rejected request, and stays secret', async () => {
    const response = await ask({ prompt: '世界上最高的山是哪座？', provider: 'model_provider_c' })
    expectRefusal('model.chat', response, 'PROVIDER_REQUEST_REJECTED')
    expect(gateway.log.join('')).not.toContain('sk-of')
  })
})
