import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModelProvider, OpenAiModelSettings } from '../../src/providers/models/model-provider.ts'
import { createOpenAiModel } from '../../src/providers/models/openai.ts'
import { behaves, closedPort, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'

let upstream: Upstream
let open: ModelProvider[]
beforeEach(async () => {
  upstream = await startUpstream()
  open = []
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.map((model) => model.close()))
  await upstream.close()
})

function model(
  options: Partial<OpenAiModelSettings> = {},
  credential: (name: string) => string | undefined = () => 'key',
) {
  const created = createOpenAiModel(
    {
      adapter: 'openai',
      baseUrl: `${upstream.url}/v1/`,
      models: { fast: 'upstream-fast', slow: 'upstream-slow' },
      maxPromptChars: 100,
      maxOutputTokens: 4096,
      streamTimeoutMs: 600_000,
      onCutStream: 'review',
      timeoutMs: 30_000,
      maxConcurrent: 8,
      breaker: { failures: 3, coolSeconds: 30 },
      ...options,
    },
    credential,
  )
  open.push(created)
  return created
}

const ask = (provider: ModelProvider, prompt = '用一句话介绍杭州。', projectId = 'prj_1') =>
  provider.ask({ model: 'fast', prompt, projectId })
const completion = (content: unknown, usage?: unknown) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'upstream-fast-2026',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...(usage !== undefined && { usage }),
})

describe('a chat completion', () => {
  it('sends the upstream model name of the alias, under the base path', async () => {
    upstream.program(behaves.respond(200, completion('好')))
    await ask(model())
    expect(upstream.calls[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
    expect(JSON.parse(upstream.calls[0]!.body)).toEqual({
      model: 'upstream-fast',
      messages: [{ role: 'user', content: '用一句话介绍杭州。' }],
      max_tokens: 4096,
      stream: false,
    })
    expect(upstream.calls[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    })
  })

  it("reports the upstream's own units, whatever their sum", async () => {
    upstream.program(
      behaves.respond(200, completion('好', { prompt_tokens: 7, completion_tokens: 2, total_tokens: 30 })),
    )
    expect(await ask(model())).toEqual({
      kind: 'confirmed',
      value: { output: '好', inputUnits: 7, outputUnits: 2, totalUnits: 30 },
    })
  })

  it.each([undefined, null])('counts units itself when the upstream reports none (%s)', async (usage) => {
    upstream.program(behaves.respond(200, completion('杭州是一座以西湖闻名的城市。', usage)))
    expect(await ask(model())).toMatchObject({ value: { inputUnits: 9, outputUnits: 14, totalUnits: 23 } })
  })

  it('accepts an empty output', async () => {
    upstream.program(behaves.respond(200, completion('', { prompt_tokens: 7, completion_tokens: 0 })))
    expect(await ask(model())).toMatchObject({ kind: 'confirmed', value: { output: '', totalUnits: 7 } })
  })

  it('replaces a lone surrogate, which no store could hold', async () => {
    upstream.program(behaves.respond(200, JSON.stringify(completion('a\ud800b'))))
    expect(await ask(model())).toMatchObject({ value: { output: 'a\ufffdb' } })
  })

  it.each([
    ['no choices', {}],
    ['an empty list of choices', { choices: [] }],
    ['no message', { choices: [{}] }],
    ['a null content', completion(null)],
    ['a content that is no string', completion([{ type: 'text', text: 'x' }])],
    ['negative units', completion('x', { prompt_tokens: -1, completion_tokens: 1, total_tokens: 0 })],
    ['fractions of units', completion('x', { prompt_tokens: 1.5, completion_tokens: 1, total_tokens: 2 })],
    ['units past exactness', completion('x', { prompt_tokens: 2 ** 53, completion_tokens: 1, total_tokens: 2 })],
    ['a sum past exactness', completion('x', { prompt_tokens: 2 ** 53 - 1, completion_tokens: 1 })],
    ['units as text', completion('x', { prompt_tokens: '1', completion_tokens: 1, total_tokens: 2 })],
    ['units that are partly missing', completion('x', { prompt_tokens: 1 })],
  ])('refuses %s', async (_, body) => {
    upstream.program(behaves.respond(200, body))
    expect(await ask(model())).toMatchObject({ kind: 'refused', code: 'PROVIDER_CONTRACT_INVALID', sent: true })
  })

  it('refuses bytes that are not UTF-8', async () => {
    upstream.program((wire) => {
      const body = Buffer.from('{"choices":[{"message":{"content":"\xff"}}]}', 'latin1')
      wire.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`)
      wire.write(body)
    })
    expect(await ask(model())).toMatchObject({ code: 'PROVIDER_CONTRACT_INVALID' })
  })
})

describe('the credential', () => {
  it.each([undefined, '', '  ', 'two words', 'line\nbreak', '密钥'])(
    'is required when configured: %j sends nothing',
    async (secret) => {
      upstream.program(behaves.respond(200, completion('x')))
      expect(await ask(model({ apiKeyEnv: 'MODEL_KEY' }, () => secret))).toEqual({
        kind: 'unavailable',
        code: 'PROVIDER_AUTH_REQUIRED',
        sent: false,
      })
      expect(upstream.connections()).toBe(0)
    },
  )

  it('is read from its variable at each call', async () => {
    const asked: string[] = []
    const values = ['first', 'second\n']
    upstream.program(behaves.respond(200, completion('x')))
    const provider = model({ apiKeyEnv: 'MODEL_KEY' }, (name) => {
      asked.push(name)
      return values[upstream.calls.length]
    })
    await ask(provider)
    await ask(provider)
    expect(upstream.calls.map((call) => call.authorization)).toEqual(['Bearer first', 'Bearer second'])
    expect(new Set(asked)).toEqual(new Set(['MODEL_KEY']))
  })

  it('is not sent when none is configured', async () => {
    upstream.program(behaves.respond(200, completion('x')))
    expect((await ask(model())).kind).toBe('confirmed')
    expect(upstream.calls[0]!.authorization).toBeUndefined()
  })
})

describe('the circuit breaker', () => {
  const circuitOpen = { kind: 'unavailable', code: 'PROVIDER_CIRCUIT_OPEN', sent: false }
  const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
  const fail = async (provider: ModelProvider, times: number) => {
    for (let time = 0; time < times; time += 1) await ask(provider)
  }
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))

  it.each([
    ['5xx', behaves.respond(500)],
    ['504', behaves.respond(504)],
    ['resets', behaves.reset()],
    ['cut bodies', behaves.cutBody()],
  ])('opens after the configured number of %s in a row, and then sends nothing', async (_, behaviour) => {
    upstream.program(behaviour)
    const provider = model()
    await fail(provider, 2)
    expect(provider.breakerState!()).toBe('closed')
    await fail(provider, 1)
    expect(provider.breakerState!()).toBe('open')
    expect(await ask(provider)).toEqual(circuitOpen)
    expect(upstream.calls).toHaveLength(3)
  })

  it('opens when the provider cannot be reached', async () => {
    const provider = model({ baseUrl: `http://127.0.0.1:${await closedPort()}` })
    await fail(provider, 3)
    expect(await ask(provider)).toEqual(circuitOpen)
  })

  it.each([
    ['4xx', behaves.respond(400)],
    ['429', behaves.respond(429)],
    ['redirects', behaves.redirect(302, '/')],
    ['broken contracts', behaves.respond(200, {})],
    ['floods', behaves.flood()],
  ])('is not opened by %s', async (_, behaviour) => {
    upstream.program(behaviour)
    const provider = model()
    await fail(provider, 10)
    expect(provider.breakerState!()).toBe('closed')
  })

  it('restarts its count after a response', async () => {
    const provider = model()
    upstream.program(
      behaves.respond(500),
      behaves.respond(500),
      behaves.respond(200, completion('x')),
      behaves.respond(500),
      behaves.respond(500),
    )
    await fail(provider, 5)
    expect(provider.breakerState!()).toBe('closed')
  })

  it('lets exactly one probe through after cooling down, and closes when it gets a response', async () => {
    upstream.program(behaves.respond(500))
    const provider = model()
    await fail(provider, 3)
    later(29)
    expect(await ask(provider)).toEqual(circuitOpen)
    later(1)
    upstream.program(behaves.hang())
    const probe = ask(provider)
    await upstream.received(4)
    expect(provider.breakerState!()).toBe('half_open')
    expect(await Promise.all([ask(provider), ask(provider)])).toEqual([circuitOpen, circuitOpen])
    await upstream.dropConnections()
    expect(await probe).toMatchObject({ kind: 'uncertain' })
    expect(provider.breakerState!()).toBe('open')

    later(30)
    upstream.program(behaves.respond(200, completion('x')))
    expect((await ask(provider)).kind).toBe('confirmed')
    expect(provider.breakerState!()).toBe('closed')
    expect(upstream.calls).toHaveLength(5)
  })

  const asksAs = (provider: ModelProvider) => async (projectId: string) => {
    const outcome = await ask(provider, 'x', projectId)
    return outcome.kind === 'unavailable' ? outcome.code : outcome.kind
  }

  it('opens only for the project whose calls failed', async () => {
    upstream.program(behaves.respond(500))
    const asks = asksAs(model())
    for (let time = 0; time < 3; time += 1) expect(await asks('a')).toBe('PROVIDER_UNAVAILABLE')
    expect(await asks('a')).toBe('PROVIDER_CIRCUIT_OPEN')
    upstream.program(behaves.respond(200, completion('x')))
    expect(await asks('b')).toBe('confirmed')
    // Any response proves that the provider is up.
    expect(await asks('a')).toBe('confirmed')
  })

  it('opens for all once a third project fails, and not because of two', async () => {
    upstream.program(behaves.respond(500))
    const asks = asksAs(model())
    for (let time = 0; time < 3; time += 1) await asks('a')
    expect(await asks('b')).toBe('PROVIDER_UNAVAILABLE')
    expect(await asks('b')).toBe('PROVIDER_CIRCUIT_OPEN')
    expect(await asks('c')).toBe('PROVIDER_UNAVAILABLE')
    expect(await asks('d')).toBe('PROVIDER_CIRCUIT_OPEN')
  })

  it("is not kept open for all by one project's failed probes", async () => {
    upstream.program(behaves.respond(500))
    const asks = asksAs(model())
    for (const projectId of ['a', 'b', 'c']) await asks(projectId)
    later(30)
    expect(await asks('a')).toBe('PROVIDER_UNAVAILABLE')
    expect(await asks('a')).toBe('PROVIDER_CIRCUIT_OPEN')
    upstream.program(behaves.respond(200, completion('x')))
    expect(await asks('b')).toBe('confirmed')
  })

  it('lets other projects probe one at a time after a failed probe, and reopens when a third one fails', async () => {
    upstream.program(behaves.respond(500))
    const provider = model()
    const asks = asksAs(provider)
    for (const projectId of ['a', 'b', 'c']) await asks(projectId)
    later(30)
    await asks('a')
    await asks('b')
    upstream.program(behaves.hang())
    const probe = asks('c')
    await upstream.received(6)
    expect(await asks('d')).toBe('PROVIDER_CIRCUIT_OPEN')
    await upstream.dropConnections()
    expect(await probe).toBe('uncertain')
    expect(await asks('d')).toBe('PROVIDER_CIRCUIT_OPEN')
    expect(upstream.calls).toHaveLength(6)
  })

  it('does not stay open because the clock was set back', async () => {
    upstream.program(behaves.respond(500))
    const asks = asksAs(model())
    for (let time = 0; time < 3; time += 1) await asks('a')
    later(-3600)
    upstream.program(behaves.respond(200, completion('x')))
    expect(await asks('a')).toBe('confirmed')
  })

  it('does not count a missing credential as recovery', async () => {
    upstream.program(behaves.respond(500))
    let secret: string | undefined = 'key'
    const provider = model({ apiKeyEnv: 'MODEL_KEY' }, () => secret)
    await fail(provider, 3)
    later(30)
    secret = undefined
    expect(await ask(provider)).toMatchObject({ code: 'PROVIDER_AUTH_REQUIRED' })
    expect(provider.breakerState!()).toBe('open')
  })

  it('affects only its own provider', async () => {
    upstream.program(behaves.respond(500))
    const [one, other] = [model(), model()]
    await fail(one, 3)
    expect([one.breakerState!(), other.breakerState!()]).toEqual(['open', 'closed'])
  })
})

it('an exception of our own after the response is uncertain, not a release', async () => {
  upstream.program(behaves.respond(200, completion('x')))
  const provider = model()
  vi.spyOn(String.prototype, 'toWellFormed').mockImplementationOnce(() => {
    throw new TypeError('broken on purpose')
  })
  expect(await ask(provider)).toEqual({
    kind: 'uncertain',
    reason: 'ADAPTER_FAILED_AFTER_SENDING',
    sent: true,
    detail: 'TypeError',
  })
})
