import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { APICallError, generateText, jsonSchema, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'
import { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Gateway, origin, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller } from '../../../../testkit/gateway/openai-caller.ts'
import {
  done,
  goodContent,
  goodEvents,
  goodStream,
  part,
  steppedStream,
  streams,
} from '../../../../testkit/providers/streams.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'

const baseURL = `${origin}/v1`

/** Finds the gateway of the test behind the name and port of its origin. */
function fetchFrom(gateway: Gateway): typeof globalThis.fetch {
  const connect = buildConnector({})
  const port = String(gateway.app.public.port)
  const dispatcher = new Agent({
    connect: (options, callback) => connect({ ...options, hostname: '127.0.0.1', port }, callback),
  })
  return (async (url: string, init: object) => {
    const signal = onRequest()
    const response = await undiciFetch(url, { ...init, ...(signal && { signal }), dispatcher })
    if (!response.headers.has('retry-after')) return response
    // The clients wait as `Retry-After` says, but the tests do not.
    const headers = new Headers([...response.headers])
    headers.delete('retry-after')
    headers.set('retry-after-ms', '1')
    return new Response(await response.text(), { status: response.status, headers })
  }) as unknown as typeof globalThis.fetch
}

/** Called for every request of a client; a signal that it returns ends that request. */
let onRequest = (): AbortSignal | undefined => undefined

const question = 'Name a mountain.'
const messages = [{ role: 'user' as const, content: question }]
const parameters = { type: 'object' as const, properties: { place: { type: 'string' as const } }, required: ['place'] }
const look = { type: 'function' as const, function: { name: 'look', description: 'Looks.', parameters } }

const whole = (message: object, finishReason = 'stop') => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
})
const toolMessage = {
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"place":"Nepal"}' } }],
}

/** Programs of others, with nothing but a base URL and a key. */
describe('clients of the OpenAI protocol', () => {
  let upstream: Upstream
  let gateway: Gateway
  let caller: OpenAiCaller
  let fetch: typeof globalThis.fetch

  beforeAll(async () => {
    upstream = await startUpstream()
    const model = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-fast' } }
    gateway = await startGateway({
      file: {
        models: {
          default: 'model_provider_b',
          providers: { model_provider_b: { ...model, breaker: { failures: 1000 } } },
        },
      },
    })
    fetch = fetchFrom(gateway)
  })
  beforeEach(async () => {
    caller = await OpenAiCaller.join(gateway)
    upstream.program(behaves.respond(200, whole({ content: 'Everest.' })))
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const spent = async () => 10_000 - (await caller.credits()).available
  const poor = () => OpenAiCaller.join(gateway, { amountFen: 0 })

  /** A key whose budget does not suffice for a call. */
  async function limitedKey(): Promise<string> {
    const { status, body } = await caller.customer.browser.post(
      '/v1/console/keys',
      { name: 'limited', scopes: ['models:invoke'], budget: { credits: 2, per: 'day' } },
      { 'idempotency-key': caller.newKey() },
    )
    expect(status).toBe(201)
    return body.apiKey
  }

  /** Has this client ask for a stream and leave after its first part: the call is charged all the same. */
  async function abandoned(leave: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const calls = upstream.calls.length
    const abort = new AbortController()
    const left = leave(abort.signal)
    await stepped.started
    stepped.send(goodEvents[1]!)
    await expect.poll(async () => (await caller.credits()).reserved).toBe(3)
    abort.abort()
    await left
    stepped.send(goodEvents.slice(2).join(''))
    stepped.finish()
    await expect.poll(async () => (await caller.credits()).reserved).toBe(0)
    expect(await spent()).toBe(3)
    expect(upstream.calls.length).toBe(calls + 1)
  }

  describe('openai', () => {
    const client = (apiKey = caller.apiKey, more: object = {}) => new OpenAI({ baseURL, apiKey, fetch, ...more })
    const ask = (more: object = {}) => client().chat.completions.create({ model: 'fast', messages, ...more })

    it('openai asks, lists models and reads one', async () => {
      const { data, response } = await client().chat.completions.create({ model: 'fast', messages }).withResponse()
      expect(data.choices[0]!.message.content).toBe('Everest.')
      expect(response.headers.get('x-credits-charged')).toBe('3')
      const ids = (await client().models.list()).data.map(({ id }) => id)
      expect(ids[0]).toBe('model_provider_b/fast')
      expect(await client().models.retrieve('fast')).toMatchObject({ owned_by: 'model_provider_b' })
      expect(await spent()).toBe(3)
    })

    it('openai streams, and gets usage', async () => {
      upstream.program(streams(goodStream))
      const stream = await client().chat.completions.create({
        model: 'fast',
        messages,
        stream: true,
        stream_options: { include_usage: true },
      })
      let content = ''
      let total = 0
      for await (const chunk of stream) {
        content += chunk.choices[0]?.delta.content ?? ''
        total = chunk.usage?.total_tokens ?? total
      }
      expect([content, total]).toEqual([goodContent, 8])
      expect(await spent()).toBe(3)
    })

    it('openai calls tools, whole and streamed', async () => {
      upstream.program(behaves.respond(200, whole(toolMessage, 'tool_calls')))
      const completion = (await ask({ tools: [look] })) as OpenAI.ChatCompletion
      expect(completion.choices[0]!.message.tool_calls).toMatchObject([{ id: 'call_1', function: { name: 'look' } }])
      upstream.program(behaves.respond(200, whole({ content: 'Everest.' })))
      const history = [
        ...messages,
        completion.choices[0]!.message,
        { role: 'tool' as const, tool_call_id: 'call_1', content: 'x' },
      ]
      expect(
        ((await ask({ messages: history, tools: [look] })) as OpenAI.ChatCompletion).choices[0]!.message.content,
      ).toBe('Everest.')
      upstream.program(streams(toolEvents))
      const runner = client().chat.completions.stream({ model: 'fast', messages, tools: [look] })
      const final = await runner.finalChatCompletion()
      expect(final.choices[0]!.message.tool_calls).toMatchObject([
        { function: { name: 'look', arguments: '{"place":"Nepal"}' } },
      ])
    })

    it('openai that aborts pays once, also if it asks again', async () => {
      const stepped = steppedStream()
      upstream.program(stepped.behaviour)
      const opening = client().chat.completions.create({ model: 'fast', messages, stream: true })
      await stepped.started
      stepped.send(goodEvents[1]!)
      const stream = await opening
      stream.controller.abort()
      for await (const _ of stream) break
      stepped.send(goodEvents.slice(2).join(''))
      stepped.finish()
      await expect.poll(async () => (await caller.credits()).reserved).toBe(0)
      expect(await spent()).toBe(3)
    })

    it('openai repeats what can be repeated, and is charged once', async () => {
      const calls = upstream.calls.length
      upstream.program(behaves.respond(503), behaves.respond(200, whole({ content: 'Everest.' })))
      expect(((await ask()) as OpenAI.ChatCompletion).choices[0]!.message.content).toBe('Everest.')
      expect(upstream.calls.length).toBe(calls + 2)
      expect(await spent()).toBe(3)
    })

    it('openai that times out gets the response of its first attempt by its repeat, for one charge', async () => {
      const calls = upstream.calls.length
      let reply = () => {}
      // The client's own time limit ends a request in the same way.
      const limit = new AbortController()
      upstream.program((wire, call) => {
        reply = () => behaves.respond(200, whole({ content: 'late' }))(wire, call)
        limit.abort()
      })
      let requests = 0
      // The first attempt is given up before the response; it comes when the client has sent the second one.
      onRequest = () => {
        if (++requests === 1) return limit.signal
        setImmediate(reply)
      }
      const completion = await client().chat.completions.create({ model: 'fast', messages })
      onRequest = () => undefined
      expect(requests).toBe(2)
      expect(completion.choices[0]!.message.content).toBe('late')
      expect(upstream.calls.length).toBe(calls + 1)
      expect(await spent()).toBe(3)
    })

    it('openai repeats no uncertain call, no empty balance, no wrong key and no wrong request', async () => {
      const calls = upstream.calls.length
      upstream.program(behaves.reset())
      await expect(ask()).rejects.toMatchObject({ status: 403, code: 'MANUAL_REVIEW' })
      expect(upstream.calls.length).toBe(calls + 1)
      await expect(ask({ n: 2 })).rejects.toMatchObject({ status: 400, code: 'UNSUPPORTED_PARAMETER', param: 'n' })
      const { apiKey } = await poor()
      const noCredits = client(apiKey).chat.completions.create({ model: 'fast', messages })
      await expect(noCredits).rejects.toMatchObject({ status: 402, type: 'insufficient_quota' })
      const overBudget = client(await limitedKey()).chat.completions.create({ model: 'fast', messages })
      await expect(overBudget).rejects.toMatchObject({ status: 402, message: expect.stringContaining('budget') })
      const wrong = client('gk_live_wrong').chat.completions.create({ model: 'fast', messages })
      await expect(wrong).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
      expect(upstream.calls.length).toBe(calls + 1)
    })

    it('openai throws at a stream that breaks off', async () => {
      upstream.program(streams(part({ content: 'a' }), 'cut'))
      const stream = await client().chat.completions.create({ model: 'fast', messages, stream: true })
      const read = async () => {
        for await (const _ of stream);
      }
      await expect(read()).rejects.toThrow(/outcome of the call is unknown/)
    })
  })

  describe('the AI SDK', () => {
    const model = (apiKey = caller.apiKey) =>
      createOpenAICompatible({ name: 'gateway', baseURL, apiKey, fetch })('fast')

    it('the AI SDK asks and streams', async () => {
      expect((await generateText({ model: model(), prompt: question })).text).toBe('Everest.')
      upstream.program(streams(goodStream))
      const { textStream, finishReason } = streamText({ model: model(), prompt: question })
      let text = ''
      for await (const piece of textStream) text += piece
      expect([text, await finishReason]).toEqual([goodContent, 'stop'])
      expect(await spent()).toBe(6)
    })

    it('the AI SDK calls tools', async () => {
      upstream.program(
        behaves.respond(200, whole(toolMessage, 'tool_calls')),
        behaves.respond(200, whole({ content: 'High.' })),
      )
      const tools: ToolSet = { look: { description: 'Looks.', inputSchema: jsonSchema(parameters) } }
      const { toolCalls } = await generateText({ model: model(), prompt: question, tools })
      expect(toolCalls).toMatchObject([{ toolName: 'look', input: { place: 'Nepal' } }])
      upstream.program(streams(toolEvents))
      const streaming = streamText({ model: model(), prompt: question, tools })
      expect(await streaming.toolCalls).toMatchObject([{ toolName: 'look', input: { place: 'Nepal' } }])
    })

    it('the AI SDK repeats only what was released', async () => {
      const calls = upstream.calls.length
      upstream.program(behaves.respond(503), behaves.respond(200, whole({ content: 'Everest.' })))
      expect((await generateText({ model: model(), prompt: question })).text).toBe('Everest.')
      expect(upstream.calls.length).toBe(calls + 2)
      upstream.program(behaves.reset())
      await expect(generateText({ model: model(), prompt: question })).rejects.toThrow(/outcome of the call is unknown/)
      expect(upstream.calls.length).toBe(calls + 3)
      expect(await caller.credits()).toEqual({ available: 9994, reserved: 3 })
      const { apiKey } = await poor()
      for (const [key, status, message] of [
        [apiKey, 402, /credits/],
        [await limitedKey(), 402, /budget/],
        ['gk_live_wrong', 401, /key/],
      ] as const) {
        const refused = await generateText({ model: model(key), prompt: question }).catch((error) => error)
        expect(APICallError.isInstance(refused) && [refused.statusCode, refused.message]).toEqual([
          status,
          expect.stringMatching(message),
        ])
      }
      expect(upstream.calls.length).toBe(calls + 3)
    })

    it('the AI SDK that aborts pays once', () =>
      abandoned(async (abortSignal) => {
        const { textStream } = streamText({ model: model(), prompt: question, abortSignal, onError: () => {} })
        for await (const _ of textStream);
      }))
  })

  describe('LangChain', () => {
    const model = (apiKey = caller.apiKey) =>
      new ChatOpenAI({ model: 'fast', apiKey, configuration: { baseURL, fetch }, maxRetries: 2 })

    it('LangChain asks and streams', async () => {
      expect((await model().invoke([new HumanMessage(question)])).text).toBe('Everest.')
      upstream.program(streams(goodStream))
      let text = ''
      for await (const piece of await model().stream(question)) text += piece.text
      expect(text).toBe(goodContent)
      expect(await spent()).toBe(6)
    })

    it('LangChain calls tools', async () => {
      upstream.program(behaves.respond(200, whole(toolMessage, 'tool_calls')))
      const completion = await model().bindTools([look]).invoke(question)
      expect(completion.tool_calls).toMatchObject([{ name: 'look', args: { place: 'Nepal' } }])
    })

    it('LangChain repeats only what was released', async () => {
      const calls = upstream.calls.length
      upstream.program(behaves.respond(503), behaves.respond(200, whole({ content: 'Everest.' })))
      expect((await model().invoke(question)).text).toBe('Everest.')
      upstream.program(behaves.reset())
      await expect(model().invoke(question)).rejects.toThrow(/outcome of the call is unknown/)
      expect(upstream.calls.length).toBe(calls + 3)
      const { apiKey } = await poor()
      await expect(model(apiKey).invoke(question)).rejects.toThrow(/credits/)
      await expect(model(await limitedKey()).invoke(question)).rejects.toThrow(/budget/)
      await expect(model('gk_live_wrong').invoke(question)).rejects.toMatchObject({ status: 401 })
      expect(upstream.calls.length).toBe(calls + 3)
    })

    it('LangChain that aborts pays once', () =>
      abandoned(async (signal) => {
        const read = async () => {
          for await (const _ of await model().stream(question, { signal }));
        }
        await expect(read()).rejects.toThrow(/abort/i)
      }))
  })
})

const toolEvents =
  part({
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }],
  }) +
  part({ tool_calls: [{ index: 0, function: { arguments: '{"place":' } }] }) +
  part({ tool_calls: [{ index: 0, function: { arguments: '"Nepal"}' } }] }) +
  part({}, 'tool_calls') +
  done
