import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errorBody } from '../../../../src/contract/errors.ts'
import { finishResponse } from '../../../../src/features/calls/openai/errors.ts'
import { look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller, streamed } from '../../../../testkit/gateway/openai-caller.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { engines } from '../../../../testkit/store/engines.ts'

const messages = [{ role: 'user', content: 'Name a mountain.' }]

const completion = (message: object, more: object = {}) => ({
  id: 'chatcmpl-upstream',
  object: 'chat.completion',
  created: 1,
  model: 'upstream-fast-2026',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
})

describe('requests to the paths of the protocol', () => {
  it('requests to the paths of the protocol are shed in its words, with a hint', () => {
    const plain = {
      status: 503,
      code: 'PROVIDER_CAPACITY_EXHAUSTED',
      body: JSON.stringify(errorBody('PROVIDER_CAPACITY_EXHAUSTED')),
    } as const
    const shed = finishResponse(plain, null)
    expect(JSON.parse(String(shed.body)).error).toMatchObject({ type: 'server_error', code: plain.code, param: null })
    expect(shed.headers).toMatchObject({ 'x-should-retry': 'true', 'retry-hint': 'same-key' })
  })

  it('requests to the paths of the protocol count against the rate limit of the key, whatever its scopes', async () => {
    const gateway = await startGateway({
      file: {
        limits: { callsPerKey: { max: 2, windowSeconds: 3600 } },
        models: { providers: { model_provider_c: { adapter: 'disabled' } } },
      },
    })
    const caller = await OpenAiCaller.join(gateway)
    const { apiKey } = await caller.customer.browser.createKey(['pick:read'])
    const list = () => gateway.send('GET', '/v1/models', { authorization: `Bearer ${apiKey}` })
    const listed = await list()
    expect([listed.status, (await list()).status]).toEqual([200, 200])
    expect(listed.text).not.toContain('model_provider_c')
    const limited = await list()
    expect([limited.status, limited.body.error.type]).toEqual([429, 'rate_limit_error'])
    expect(limited.headers).toMatchObject({ 'x-should-retry': 'true', 'retry-after': expect.any(String) })
    const chat = await gateway.send(
      'POST',
      '/v1/chat/completions',
      { authorization: `Bearer ${apiKey}` },
      JSON.stringify({ messages }),
    )
    expect([chat.status, chat.body.error.type]).toEqual([403, 'permission_error'])
    await gateway.stop()
  })
})

describe.each(engines)('chat completions on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let caller: OpenAiCaller

  beforeAll(async () => {
    upstream = await startUpstream()
    gateway = await startGateway({
      engine,
      file: {
        models: {
          providers: {
            model_provider_b: {
              adapter: 'openai',
              baseUrl: `${upstream.url}/v1`,
              models: { fast: 'upstream-fast', deep: 'upstream-deep' },
              maxOutputTokens: 100,
              maxPromptChars: 300,
              passes: ['reasoning_effort', 'top_k'],
              breaker: { failures: 1000 },
            },
            model_provider_c: {
              adapter: 'openai',
              baseUrl: `${upstream.url}/v1`,
              models: { 'large-prompts': 'upstream-large', 'org/nested': 'x' },
            },
          },
        },
      },
    })
    caller = await OpenAiCaller.join(gateway)
  })
  beforeEach(() => upstream.program(behaves.respond(200, completion({ content: 'Everest.' }))))
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  it('chat completions answer from the local model with the shapes of the protocol, for the price of model.chat', async () => {
    const before = await caller.credits()
    const response = await caller.complete({ messages })
    expect(response.status).toBe(200)
    const chargeId = String(response.headers['x-charge-id'])
    expect(response.body).toMatchObject({
      id: `chatcmpl-${chargeId.slice(4)}`,
      object: 'chat.completion',
      model: 'model_provider_a/local-small',
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'stop' }],
    })
    expect(response.body.choices[0].message.content).toContain('Name a mountain.')
    expect(response.headers).toMatchObject({
      'x-credits-charged': '3',
      'idempotency-key': response.headers['x-request-id'],
    })
    expect(await caller.credits()).toEqual({ available: before.available - 3, reserved: before.reserved })
  })

  it('chat completions forward the conversation with one limit of output, and hide the name of the upstream model', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', default: null } } }]
    upstream.program(
      behaves.respond(
        200,
        completion(
          {
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { finish_reason: 'tool_calls' },
        ),
      ),
    )
    const response = await caller.complete({
      model: 'fast',
      messages,
      tools,
      temperature: null,
      n: 1,
      user: 'u',
      metadata: { a: 'b' },
      max_completion_tokens: 1000,
    })
    expect(response.status).toBe(200)
    expect(response.body.model).toBe('fast')
    expect(response.body.choices[0]).toMatchObject({
      message: { content: null, tool_calls: [{ id: 'call_1', function: { name: 'look', arguments: '{}' } }] },
      finish_reason: 'tool_calls',
    })
    expect(response.body.usage).toEqual({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })
    expect(JSON.parse(upstream.calls.at(-1)!.body)).toEqual({
      model: 'upstream-fast',
      messages,
      tools,
      max_tokens: 100,
      stream: false,
    })
  })

  it('chat completions replay an Idempotency-Key as JSON or as a stream, whichever is asked for', async () => {
    const calls = upstream.calls.length
    const key = caller.newKey()
    const first = await caller.complete({ model: 'fast', messages }, { 'idempotency-key': key })
    const before = await caller.credits()
    const again = await caller.complete({ model: 'fast', messages }, { 'idempotency-key': key })
    expect(again.text).toBe(first.text)
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'x-credits-charged': '3',
      'idempotency-key': key,
    })
    const body = { model: 'fast', messages, stream: true, stream_options: { include_usage: true } }
    const stream = await caller.complete(body, { 'idempotency-key': key })
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'idempotent-replayed': 'true',
      'x-charge-id': first.headers['x-charge-id'],
    })
    expect(streamed(stream)).toMatchObject({
      content: 'Everest.',
      finishReason: 'stop',
      isDone: true,
      id: first.body.id,
      usage: first.body.usage,
    })
    expect(await caller.credits()).toEqual(before)
    expect(upstream.calls.length).toBe(calls + 1)
  })

  it('chat completions share the keys of a project with the native path', async () => {
    const key = caller.newKey()
    await caller.complete({ messages }, { 'idempotency-key': key })
    const native = await gateway.call(caller.apiKey, '/v1/models/chat', key, { prompt: 'Name a mountain.' })
    expect(native.status).toBe(409)
    const other = caller.newKey()
    await gateway.call(caller.apiKey, '/v1/models/chat', other, { prompt: 'Name a mountain.' })
    const response = await caller.complete({ messages }, { 'idempotency-key': other })
    expect(response.status).toBe(409)
    expect(response.body.error).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', type: 'invalid_request_error' })
    expect(response.headers['x-should-retry']).toBe('false')
  })

  it('an uncertain outcome is 403, held for review, and so is its replay', async () => {
    upstream.program(behaves.reset())
    const before = await caller.credits()
    const key = caller.newKey()
    for (const stream of [false, true]) {
      const response = await caller.complete({ model: 'fast', messages, stream }, { 'idempotency-key': key })
      expect(response.status).toBe(403)
      expect(response.body.error).toMatchObject({ code: 'MANUAL_REVIEW', type: 'server_error', param: null })
      expect(response.headers).toMatchObject({
        'x-should-retry': 'false',
        'retry-hint': 'never',
        'x-credits-reserved': '3',
        'idempotency-key': key,
      })
    }
    expect(await caller.credits()).toEqual({ available: before.available - 3, reserved: before.reserved + 3 })
  })

  it('a repeat of the key gets what an operator decided', async () => {
    upstream.program(behaves.reset())
    const held = async (key: string) =>
      String((await caller.complete({ model: 'fast', messages }, { 'idempotency-key': key })).headers['x-charge-id'])
    const [toSettle, toRelease] = [caller.newKey(), caller.newKey()]
    for (const [decision, chargeId] of [
      ['settle', await held(toSettle)],
      ['release', await held(toRelease)],
    ] as const) {
      const reason = ['--reason', 'the provider says so', '--by', 'Ada']
      const ran = await runCommand(gateway.database, ['reviews', decision, chargeId, ...reason])
      expect(ran.exitCode).toBe(0)
    }
    for (const stream of [false, true]) {
      const settled = await caller.complete({ model: 'fast', messages, stream }, { 'idempotency-key': toSettle })
      expect([settled.status, settled.body.error.code]).toEqual([403, 'MANUAL_REVIEW'])
      expect(settled.body.error.message).toContain('An operator settled')
      expect(settled.headers['x-credits-charged']).toBe('3')
      const released = await caller.complete({ model: 'fast', messages, stream }, { 'idempotency-key': toRelease })
      expect([released.status, released.body.error.code]).toEqual([502, 'ADAPTER_FAILURE'])
      expect(released.headers).toMatchObject({
        'x-credits-charged': '0',
        'retry-hint': 'new-key',
        'x-should-retry': 'false',
      })
    }
  })

  it('chat completions are described by a valid document of their own', async () => {
    const { body } = await gateway.send('GET', '/openai/openapi.json')
    expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true })
    expect(Object.keys(body.paths)).toEqual([
      '/v1/chat/completions',
      '/v1/models',
      '/v1/models/{id}',
      '/openai/openapi.json',
    ])
    const { content } = body.paths['/v1/chat/completions'].post.responses[200]
    expect(Object.keys(content)).toEqual(['application/json', 'text/event-stream'])
  })

  it('a refusal of the provider is released, and never quoted', async () => {
    upstream.program(behaves.respond(429, { error: { message: 'secret words' } }))
    const response = await caller.complete({ model: 'fast', messages })
    expect(response.status).toBe(503)
    expect(response.text).not.toContain('secret')
    expect(response.headers).toMatchObject({
      'x-credits-charged': '0',
      'x-should-retry': 'true',
      'retry-hint': 'new-key',
      'retry-after': expect.any(String),
    })
  })

  it.each([
    [{ error: { message: 'secret words', code: 'context_length_exceeded' } }, 'context_length_exceeded'],
    [{ error: { message: 'secret words', code: 'secret Words' } }, 'PROVIDER_REQUEST_REJECTED'],
    [{ error: { code: `x${'secret'.repeat(20)}` } }, 'PROVIDER_REQUEST_REJECTED'],
    [null, 'PROVIDER_REQUEST_REJECTED'],
    ['secret', 'PROVIDER_REQUEST_REJECTED'],
    [{ error: { code: 'a', message: 'x'.repeat(100_000) } }, 'PROVIDER_REQUEST_REJECTED'],
  ])('a 400 of the provider with %j is 400 with the code %s, also when it is replayed', async (answer, code) => {
    upstream.program(behaves.respond(400, JSON.stringify(answer)))
    const before = await caller.credits()
    const key = caller.newKey()
    const calls = upstream.calls.length
    for (const stream of [true, false]) {
      const response = await caller.complete({ model: 'fast', messages, stream }, { 'idempotency-key': key })
      expect([response.status, response.body.error.type, response.body.error.code]).toEqual([
        400,
        'invalid_request_error',
        code,
      ])
      expect(response.text).not.toContain('secret')
      expect(response.headers).toMatchObject({ 'x-should-retry': 'false', 'x-credits-charged': '0' })
    }
    expect(upstream.calls.length).toBe(calls + 1)
    expect(await caller.credits()).toEqual(before)
    const native = { prompt: 'x', provider: 'model_provider_b' }
    const { status, body } = await gateway.call(caller.apiKey, '/v1/models/chat', caller.newKey(), native)
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_REQUEST_REJECTED'])
  })

  it("a provider's own code of a 400 is part of the usage and its file", async () => {
    const { browser } = caller.customer
    const charges: string[] = []
    for (const code of ['context_length_exceeded', 'Secret']) {
      upstream.program(behaves.respond(400, JSON.stringify({ error: { code } })))
      const { headers } = await caller.complete({ model: 'fast', messages })
      charges.push(String(headers['x-charge-id']))
    }
    upstream.program(behaves.respond(200, completion({ content: 'Everest.' })))
    charges.push(String((await caller.complete({ model: 'fast', messages })).headers['x-charge-id']))
    const usage = { inputUnits: expect.any(Number), outputUnits: expect.any(Number), totalUnits: expect.any(Number) }
    const rejected = expect.objectContaining({ code: 'PROVIDER_REQUEST_REJECTED' })
    const expected = [
      { reason: rejected, upstreamCode: 'context_length_exceeded', usage: null },
      { reason: rejected, upstreamCode: null, usage: null },
      { reason: null, upstreamCode: null, usage },
    ]
    const { items } = await look(browser, 'console.usage.list', '?limit=3')
    expect(items.toReversed()).toMatchObject(expected)
    for (const [at, chargeId] of charges.entries()) {
      const details = await look(browser, 'console.usage.read', '', `/v1/console/usage/${chargeId}`)
      expect(details).toMatchObject(expected[at]!)
    }
    const { text } = await browser.get(`/v1/console/usage.csv?id=${charges[0]}`)
    const [head, row] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(row![head!.indexOf('upstreamCode')]).toBe('context_length_exceeded')
  })

  it('a 400 of the provider stays one if its body is cut', async () => {
    upstream.program((wire) => {
      wire.write('HTTP/1.1 400 Bad Request\r\ncontent-length: 1000\r\n\r\n{"error":')
      wire.end()
    })
    const response = await caller.complete({ model: 'fast', messages })
    expect([response.status, response.body.error.code]).toEqual([400, 'PROVIDER_REQUEST_REJECTED'])
  })

  it.each([
    [{ messages: [] }, 'INVALID_PARAMETER', 'messages'],
    [{}, 'INVALID_PARAMETER', 'messages'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'INVALID_PARAMETER', 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'INVALID_PARAMETER', 'messages[0].content'],
    [{ messages: [{ role: 'user', content: null }] }, 'INVALID_PARAMETER', 'messages[0].content'],
    [{ messages: [{ role: 'assistant' }] }, 'INVALID_PARAMETER', 'messages[0].content'],
    [{ messages: [{ role: 'assistant', content: 'x', refusal: 5 }] }, 'INVALID_PARAMETER', 'messages[0].refusal'],
    [
      { messages: [{ role: 'assistant', content: 'x', audio: { id: 'a' } }] },
      'UNSUPPORTED_PARAMETER',
      'messages[0].audio',
    ],
    [{ messages: [{ role: 'user', content: 'x', parsed: {} }] }, 'UNSUPPORTED_PARAMETER', 'messages[0].parsed'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', annotations: [1] }] }] },
      'UNSUPPORTED_PARAMETER',
      'messages[0].content[0].annotations',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      'UNSUPPORTED_PARAMETER',
      'messages[0].content[0].type',
    ],
    [{ messages, logit_bias: { 5: 1 } }, 'UNSUPPORTED_PARAMETER', 'logit_bias'],
    [{ messages, store: true }, 'UNSUPPORTED_PARAMETER', 'store'],
    [{ messages, logprobs: true }, 'UNSUPPORTED_PARAMETER', 'logprobs'],
    [{ messages, top_logprobs: 5 }, 'UNSUPPORTED_PARAMETER', 'top_logprobs'],
    [{ messages, service_tier: 'flex' }, 'UNSUPPORTED_PARAMETER', 'service_tier'],
    [{ messages, modalities: ['text', 'audio'] }, 'UNSUPPORTED_PARAMETER', 'modalities'],
    [{ messages, functions: [{}] }, 'UNSUPPORTED_PARAMETER', 'functions'],
    [{ messages, top_k: 5 }, 'UNSUPPORTED_PARAMETER', 'top_k'],
    [
      { messages: [{ role: 'assistant', content: 'x', annotations: [{}] }] },
      'UNSUPPORTED_PARAMETER',
      'messages[0].annotations',
    ],
    [{ messages: [{ role: 'assistant', content: 'x', audio: {} }] }, 'UNSUPPORTED_PARAMETER', 'messages[0].audio'],
    [
      { messages: [{ role: 'assistant', content: 'x', function_call: {} }] },
      'UNSUPPORTED_PARAMETER',
      'messages[0].function_call',
    ],
    [{ messages: [{ role: 'assistant', content: 'x', reasoning: {} }] }, 'INVALID_PARAMETER', 'messages[0].reasoning'],
    [{ messages, stream_options: { other: 1 } }, 'UNSUPPORTED_PARAMETER', 'stream_options.other'],
    [{ messages: [{ role: 'user', content: 'x', extra: 1 }] }, 'UNSUPPORTED_PARAMETER', 'messages[0].extra'],
    [{ messages, n: 2 }, 'UNSUPPORTED_PARAMETER', 'n'],
    [{ messages, n: 0 }, 'INVALID_PARAMETER', 'n'],
    [{ messages, temperature: 3 }, 'INVALID_PARAMETER', 'temperature'],
    [{ messages, max_tokens: 1, max_completion_tokens: 1 }, 'INVALID_PARAMETER', 'max_tokens'],
    [{ messages, tools: [{ type: 'function', function: {} }] }, 'INVALID_PARAMETER', 'tools[0].function.name'],
    [{ messages, response_format: { type: 'xml' } }, 'INVALID_PARAMETER', 'response_format.type'],
    [{ messages, stop: ['a', 'b', 'c', 'd', 'e'] }, 'INVALID_PARAMETER', 'stop'],
  ])('%j is %s at %s', async (body, code, param) => {
    const before = await caller.credits()
    const response = await caller.complete(body)
    expect(response.status).toBe(400)
    expect(response.body.error).toMatchObject({ code, param, type: 'invalid_request_error' })
    expect(response.headers).toMatchObject({ 'x-should-retry': 'false', 'retry-hint': 'never' })
    expect(await caller.credits()).toEqual(before)
  })

  it('chat completions drop values that mean "off", and the same key finds the call without them', async () => {
    const conversation = [
      { role: 'user', content: [{ type: 'text', text: 'Name a mountain.' }] },
      { role: 'assistant', content: 'K2.' },
      { role: 'tool', content: 'x', tool_call_id: 'call_1' },
    ]
    const tool = { type: 'function', function: { name: 'look' } }
    const cache_control = { type: 'ephemeral' }
    const noise = {
      ...{ store: false, logprobs: false, top_logprobs: 0, service_tier: 'auto', modalities: ['text'] },
      ...{ logit_bias: {}, functions: [], stop: [], temperature: null, anything: null, cache_control },
      ...{ prompt_cache_key: 'k', prompt_cache_retention: '24h', safety_identifier: 's', audio: null },
      tools: [{ ...tool, cache_control }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Name a mountain.', cache_control }],
          cache_control,
          name: null,
        },
        {
          ...{ role: 'assistant', content: 'K2.', annotations: [], audio: null, function_call: null, tool_calls: [] },
          ...{ refusal: null, cache_control },
        },
        { role: 'tool', content: 'x', tool_call_id: 'call_1', cache_control },
      ],
    }
    const key = caller.newKey()
    const first = await caller.complete({ model: 'fast', ...noise }, { 'idempotency-key': key })
    expect(first.status).toBe(200)
    const sent = { model: 'upstream-fast', messages: conversation, tools: [tool], max_tokens: 100, stream: false }
    expect(JSON.parse(upstream.calls.at(-1)!.body)).toEqual(sent)
    const body = { model: 'fast', messages: conversation, tools: [tool], service_tier: 'default' }
    const again = await caller.complete(body, { 'idempotency-key': key })
    expect([again.status, again.text]).toEqual([200, first.text])
    await caller.complete({ model: 'fast', messages, tools: [] })
    expect(JSON.parse(upstream.calls.at(-1)!.body)).not.toHaveProperty('tools')
  })

  it('what a library adds to an assistant message is dropped, and a refusal is sent on', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const conversation = [
      { role: 'user', content: 'Name a mountain.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Look.' }], tool_calls: [call] },
      { role: 'tool', content: 'x', tool_call_id: 'call_1' },
      { role: 'assistant', refusal: 'No.' },
    ]
    const [user, asked, tool, refused] = conversation
    const added = [
      user,
      {
        ...asked,
        content: [{ type: 'text', text: 'Look.', annotations: [{ type: 'url_citation' }] }],
        ...{ parsed: { name: 'K2' }, provider_specific_fields: { a: 1 } },
        tool_calls: [{ ...call, index: 0, function: { ...call.function, parsed_arguments: {} } }],
      },
      tool,
      { ...refused, content: null, parsed: null },
    ]
    const key = caller.newKey()
    const first = await caller.complete({ model: 'fast', messages: added }, { 'idempotency-key': key })
    expect(first.status).toBe(200)
    expect(JSON.parse(upstream.calls.at(-1)!.body).messages).toEqual(conversation)
    const again = await caller.complete({ model: 'fast', messages: conversation }, { 'idempotency-key': key })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
  })

  it('an image is refused in words that a person understands', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'data:,' } }]
    const { body } = await caller.complete({ messages: [{ role: 'user', content }] })
    expect(body.error.message).toBe('image_url is not supported by this model: text only')
  })

  it('reasoning and what the provider reports are passed on, stored and replayed under their own names', async () => {
    const usage = {
      ...{ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 1 },
    }
    const reported = { system_fingerprint: 'fp_1', usage }
    upstream.program(
      behaves.respond(200, {
        ...completion({ content: 'K2.', reasoning: 'Hm', reasoning_content: 'Ha' }),
        ...reported,
      }),
    )
    const key = caller.newKey()
    const before = [...messages, { role: 'assistant', content: null, reasoning_content: 'It is high.' }]
    const request = { model: 'fast', messages: before, reasoning_effort: 'low', verbosity: 'low' }
    const response = await caller.complete(request, { 'idempotency-key': key })
    const expectedUsage = { ...usage, prompt_tokens_details: { cached_tokens: 4 } }
    expect(response.body).toMatchObject({ system_fingerprint: 'fp_1', usage: expectedUsage })
    expect(response.body.usage).toEqual(expectedUsage)
    expect(response.body.choices[0].message).toMatchObject({ reasoning: 'Hm', reasoning_content: 'Ha' })
    expect(JSON.parse(upstream.calls.at(-1)!.body)).toEqual({
      ...{ model: 'upstream-fast', max_tokens: 100, stream: false, reasoning_effort: 'low' },
      messages: [...messages, { role: 'assistant', reasoning_content: 'It is high.' }],
    })
    const replayed = await caller.complete({ ...request, stream: true }, { 'idempotency-key': key })
    expect(replayed.text).toContain('"content":"K2.","reasoning_content":"Ha","reasoning":"Hm"')
    expect(replayed.text).toContain('"system_fingerprint":"fp_1"')
  })

  it('reasoning counts as prompt', async () => {
    const long = [...messages, { role: 'assistant', content: 'x', reasoning: 'x'.repeat(300) }]
    expect((await caller.complete({ model: 'fast', messages: long })).status).toBe(413)
    const text = 'x'.repeat(150)
    expect((await caller.complete({ model: 'fast', messages, thinking: { a: text, b: text } })).status).toBe(413)
  })

  it('what a provider passes is taken for its models only', async () => {
    expect((await caller.complete({ model: 'deep', messages, top_k: 5 })).status).toBe(200)
    expect(JSON.parse(upstream.calls.at(-1)!.body)).toMatchObject({ top_k: 5 })
    expect((await caller.complete({ model: 'local-small', messages, top_k: 5 })).status).toBe(400)
    expect((await caller.complete({ model: 'local-small', messages, thinking: {} })).status).toBe(200)
  })

  it('chat completions answer faults of access and size in the words of the protocol', async () => {
    const unknown = await caller.complete({ model: 'gpt-9', messages })
    expect([unknown.status, unknown.body.error.code, unknown.body.error.param]).toEqual([
      404,
      'MODEL_NOT_ALLOWED',
      'model',
    ])
    const disabled = await caller.complete({ model: 'model_provider_c/fast', messages })
    expect(disabled.status).toBe(404)
    const long = await caller.complete({ model: 'fast', messages: [{ role: 'user', content: '长'.repeat(301) }] })
    expect([long.status, long.body.error.code]).toEqual([413, 'PROMPT_TOO_LARGE'])
    const key = await caller.complete({ messages }, { authorization: 'Bearer gk_live_wrong' })
    expect([key.status, key.body.error.type]).toEqual([401, 'authentication_error'])
    const empty = await caller.complete({ messages }, { 'idempotency-key': 'x'.repeat(129) })
    expect([empty.status, empty.body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    const broken = await caller.send('POST', '/v1/chat/completions', '{"messages":')
    expect([broken.status, broken.body.error.code, broken.body.error.type]).toEqual([
      400,
      'INVALID_JSON',
      'invalid_request_error',
    ])
  })

  it('a path that is not offered is 404 in the words of the protocol, and one with another method still 405', async () => {
    for (const path of ['/v1/responses', '/v1/embeddings', '/gateway/api/responses']) {
      const { status, body, headers } = await caller.send('POST', path, '{}')
      expect([status, body]).toEqual([
        404,
        {
          error: {
            message: 'Not offered here. OpenAI clients can use /v1/chat/completions and /v1/models.',
            type: 'invalid_request_error',
            param: null,
            code: 'NOT_FOUND',
          },
        },
      ])
      expect(headers['x-should-retry']).toBe('false')
    }
    const plain = await caller.send('GET', '/v1/responses')
    expect([plain.status, plain.body.error.type]).toEqual([404, undefined])
    const other = await caller.send('POST', '/v1/models', '{}')
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('every model that is listed can be read, with its slash escaped or not', async () => {
    const { body } = await caller.send('GET', '/v1/models')
    expect(body.data.length).toBeGreaterThan(4)
    for (const model of body.data) {
      for (const id of new Set([model.id, encodeURIComponent(model.id)])) {
        const read = await caller.send('GET', `/v1/models/${id}`)
        expect([read.status, read.body]).toEqual([200, model])
      }
    }
    for (const path of ['/v1/keys/a%2Fb', '/v1/models%2Ffast', '/v1/models/a%2F..%2Fb', '/v1/models/a%5Cb'])
      expect((await caller.send('GET', path)).body.error.code).toBe('REQUEST_TARGET_INVALID')
  })

  it('a large conversation is taken, and 413 names limit and length in plain digits', async () => {
    const text = (length: number) => [{ role: 'user', content: 'x'.repeat(length) }]
    expect((await caller.complete({ model: 'large-prompts', messages: text(150_000) })).status).toBe(200)
    const long = await caller.complete({ model: 'large-prompts', messages: text(200_001) })
    expect([long.status, long.body.error.message]).toEqual([
      413,
      'The prompt has 200001 characters; this model takes at most 200000.',
    ])
    const huge = JSON.stringify({ messages: text(1_048_576) })
    const { status, body } = await caller.send('POST', '/v1/chat/completions', huge)
    expect([status, body.error]).toEqual([
      413,
      {
        code: 'PAYLOAD_TOO_LARGE',
        message: `The request body has ${huge.length} bytes; at most 1048576 are accepted here.`,
        ...{ type: 'invalid_request_error', param: null },
      },
    ])
    const native = await caller.send('POST', '/v1/models/chat', JSON.stringify({ prompt: 'x'.repeat(70_000) }))
    expect([native.status, native.body.error.message]).toEqual([
      413,
      'The request body has 70013 bytes; at most 65536 are accepted here.',
    ])
  })

  it('an empty balance is 402 insufficient_quota', async () => {
    const poor = await OpenAiCaller.join(gateway, { amountFen: 0 })
    const response = await poor.complete({ messages, stream: true })
    expect([response.status, response.body.error.type]).toEqual([402, 'insufficient_quota'])
    expect(response.headers).toMatchObject({ 'x-should-retry': 'false', 'retry-hint': 'never' })
    expect(response.headers['x-charge-id']).toBeUndefined()
  })

  it('chat completions list the models: full names, the default provider first, then the bare names', async () => {
    const response = await caller.send('GET', '/v1/models')
    expect(response.status).toBe(200)
    expect(response.body.data.map(({ id }: { id: string }) => id)).toEqual([
      'model_provider_a/local-small',
      'model_provider_a/local-large',
      'model_provider_b/fast',
      'model_provider_b/deep',
      'model_provider_c/large-prompts',
      'model_provider_c/org/nested',
      'local-small',
      'local-large',
      'fast',
      'deep',
      'large-prompts',
      'org/nested',
    ])
    const [, , fast] = response.body.data
    expect(fast).toMatchObject({
      object: 'model',
      owned_by: 'model_provider_b',
      max_output_tokens: 100,
      max_prompt_chars: 300,
    })
    for (const path of ['/v1/models/model_provider_b/fast', '/v1/models/fast'])
      expect((await caller.send('GET', path)).body).toMatchObject({ owned_by: 'model_provider_b' })
    const none = await caller.send('GET', '/v1/models/none')
    expect([none.status, none.body.error.param]).toEqual([404, 'model'])
    expect((await gateway.send('GET', '/v1/models')).body.error.type).toBe('authentication_error')
    const native = await caller.send('GET', '/v1/models/chat')
    expect([native.status, native.headers.allow, native.body.error.type]).toEqual([405, 'POST', undefined])
  })
})
