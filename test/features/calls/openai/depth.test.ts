import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionJsonDepth } from '../../../../src/contract/chat-parameters.ts'
import { maxJsonDepth } from '../../../../src/contract/validate.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller } from '../../../../testkit/gateway/openai-caller.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { engines } from '../../../../testkit/store/engines.ts'

const answer = {
  ...{ id: 'x', object: 'chat.completion', created: 1, model: 'x' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Everest.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
}

/** Body, list of tools, tool, function: what the schema of a tool is in. */
const levelsAround = 4

const schemaOf = (levels: number): object => (levels === 1 ? {} : { items: schemaOf(levels - 1) })

const nested = (levels: number) => ({
  model: 'deep',
  messages: [{ role: 'user', content: 'Name a mountain.' }],
  tools: [{ type: 'function', function: { name: 'look', parameters: schemaOf(levels - levelsAround) } }],
})

describe.each(engines)('the body of a chat completion on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let caller: OpenAiCaller
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.program(behaves.respond(200, answer))
    const provider = {
      ...{ adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { deep: 'upstream-deep' } },
    }
    gateway = await startGateway({ engine, file: { models: { providers: { model_provider_b: provider } } } })
    caller = await OpenAiCaller.join(gateway)
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  it.each([maxJsonDepth + 1, completionJsonDepth])(
    'the body of a chat completion may be nested %i deep, and its replay too',
    async (levels) => {
      const key = caller.newKey()
      const first = await caller.complete(nested(levels), { 'idempotency-key': key })
      expect(first.status).toBe(200)
      expect(JSON.parse(upstream.calls.at(-1)!.body).tools).toEqual(nested(levels).tools)
      const again = await caller.complete(nested(levels), { 'idempotency-key': key })
      expect(again).toMatchObject({ status: 200, text: first.text, headers: { 'idempotent-replayed': 'true' } })
    },
  )

  it('the body of a chat completion that is nested deeper is refused with the limit, and costs nothing', async () => {
    const before = await caller.credits()
    const refused = await caller.complete(nested(completionJsonDepth + 1))
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          type: 'invalid_request_error',
          code: 'INVALID_JSON',
          message: `The body is nested more than ${completionJsonDepth} deep.`,
        },
      },
    })
    expect(await caller.credits()).toEqual(before)
  })
})
