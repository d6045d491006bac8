import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Delta } from '../../src/providers/models/completion.ts'
import { createModel } from '../../src/providers/models/create-model.ts'
import type { HttpModelSettings, ModelProvider } from '../../src/providers/models/model-provider.ts'
import { httpAdapters, httpModelSettings, protocolSamples } from '../../testkit/providers/protocols.ts'
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

describe.each(httpAdapters)('a model with the protocol %s', (adapter) => {
  const { path, request, credential: credentialOf, whole, broken, stream, begun, errorEvent } = protocolSamples[adapter]

  function model(
    changes: Partial<HttpModelSettings> = {},
    credential: (name: string) => string | undefined = () => 'key',
  ) {
    const created = createModel(httpModelSettings(`${upstream.url}/v1/`, { adapter, ...changes }), credential)
    open.push(created)
    return created
  }

  const bodyOf = (prompt: string) => ({ messages: [{ role: 'user', content: prompt }] })

  const ask = (provider: ModelProvider, prompt = '用一句话介绍杭州。', projectId = 'prj_1') =>
    provider.complete({ model: 'fast', body: bodyOf(prompt), projectId, needsContent: true })

  describe('a whole completion', () => {
    it('a whole completion is asked for under the base path, with the upstream model name of the alias', async () => {
      upstream.program(behaves.respond(200, whole('好')))
      await ask(model())
      expect(upstream.calls[0]).toMatchObject({ method: 'POST', path: `/v1${path}` })
      expect(JSON.parse(upstream.calls[0]!.body)).toEqual(request('用一句话介绍杭州。'))
      expect(upstream.calls[0]!.headers).toMatchObject({
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      })
    })

    it("a whole completion has the upstream's own units", async () => {
      upstream.program(behaves.respond(200, whole('好', { input: 7, output: 2, total: 9 })))
      expect(await ask(model())).toEqual({
        kind: 'confirmed',
        value: {
          content: '好',
          refusal: null,
          toolCalls: [],
          finishReason: 'stop',
          inputUnits: 7,
          outputUnits: 2,
          totalUnits: 9,
        },
      })
    })

    it.each([undefined, null])(
      'a whole completion has units that we count when the upstream reports none (%s)',
      async (usage) => {
        upstream.program(behaves.respond(200, whole('杭州是一座以西湖闻名的城市。', usage)))
        expect(await ask(model())).toMatchObject({ value: { inputUnits: 9, outputUnits: 14, totalUnits: 23 } })
      },
    )

    it('a whole completion may be empty', async () => {
      upstream.program(behaves.respond(200, whole('', { input: 7, output: 0 })))
      expect(await ask(model())).toMatchObject({ kind: 'confirmed', value: { content: '', totalUnits: 7 } })
    })

    it('a whole completion has no lone surrogate, which no store could hold', async () => {
      upstream.program(behaves.respond(200, JSON.stringify(whole('a\ud800b'))))
      expect(await ask(model())).toMatchObject({ value: { content: 'a\ufffdb' } })
    })

    it.each(
      Object.entries({
        ...broken,
        'a null content': whole(null),
        'a content that is no string': whole([{ type: 'text', text: 5 }]),
        'negative units': whole('x', { input: -1, output: 1, total: 0 }),
        'fractions of units': whole('x', { input: 1.5, output: 1, total: 2 }),
        'units past exactness': whole('x', { input: 2 ** 53, output: 1, total: 2 }),
        'a sum past exactness': whole('x', { input: 2 ** 53 - 1, output: 1 }),
        'units as text': whole('x', { input: '1', output: 1, total: 2 }),
        'units that are partly missing': whole('x', { input: 1 }),
      }),
    )('a whole completion is refused with %s', async (_, body) => {
      upstream.program(behaves.respond(200, body))
      expect(await ask(model())).toMatchObject({ kind: 'refused', code: 'PROVIDER_CONTRACT_INVALID', sent: true })
    })

    it('a whole completion is refused with bytes that are not UTF-8', async () => {
      upstream.program((wire) => {
        const body = Buffer.from(JSON.stringify(whole('\xff')), 'latin1')
        wire.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`)
        wire.write(body)
      })
      expect(await ask(model())).toMatchObject({ code: 'PROVIDER_CONTRACT_INVALID' })
    })
  })

  it('a model refuses a prompt that is too long before anything is reserved', () => {
    const { refuse } = model()
    expect(refuse(bodyOf('😀'.repeat(100)))).toBeNull()
    expect(refuse(bodyOf('x'.repeat(101)))).toEqual({
      ...{ code: 'PROMPT_TOO_LARGE', param: 'messages' },
      message: 'The prompt has 101 characters; this model takes at most 100.',
    })
  })

  describe('a streamed completion', () => {
    const program = (text: string, isCut = false) =>
      upstream.program((wire) => {
        wire.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
        wire.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
        if (isCut) wire.destroy()
        else wire.write('0\r\n\r\n')
      })

    async function streamed(provider: ModelProvider) {
      const parts: Delta[] = []
      const last: Delta[] = []
      const sink = {
        onChunk: (delta: Delta) => void parts.push(delta),
        onLast: (delta: Delta) => void last.push(delta),
        signal: new AbortController().signal,
      }
      const question = { model: 'fast', body: bodyOf('Name a mountain.'), projectId: 'prj_1', sink }
      const outcome = await provider.complete(question)
      const text = [...parts, ...last].map(({ content = '' }) => content).join('')
      return { outcome, text, isEnded: last.length > 0 }
    }

    it('a streamed completion is passed on in parts, with its text and its units at the end', async () => {
      program(stream(['The ', 'Eiger.'], { input: 5, output: 2, total: 7 }))
      const { outcome, text, isEnded } = await streamed(model())
      expect([text, isEnded]).toEqual(['The Eiger.', true])
      expect(outcome).toMatchObject({
        kind: 'confirmed',
        value: { content: 'The Eiger.', finishReason: 'stop', inputUnits: 5, outputUnits: 2, totalUnits: 7 },
      })
      expect(JSON.parse(upstream.calls[0]!.body)).toMatchObject({ model: 'upstream-fast', stream: true })
    })

    it('a streamed completion may come as a whole, from an upstream that does not stream', async () => {
      upstream.program(behaves.respond(200, whole('The Eiger.', { input: 5, output: 2 })))
      const { outcome, text } = await streamed(model())
      expect([text, outcome.kind]).toEqual(['The Eiger.', 'confirmed'])
    })

    it('a streamed completion that is cut is uncertain, or released where the settings say so', async () => {
      program(begun('The '), true)
      expect((await streamed(model())).outcome).toMatchObject({ kind: 'uncertain', reason: 'PROVIDER_RESPONSE_CUT' })
      expect((await streamed(model({ onCutStream: 'release' }))).outcome).toMatchObject({
        code: 'PROVIDER_UNAVAILABLE',
      })
    })

    it('a streamed completion that ends without a finish reason is uncertain', async () => {
      program(begun('The '))
      expect((await streamed(model())).outcome).toMatchObject({ kind: 'uncertain', reason: 'PROVIDER_RESPONSE_CUT' })
    })

    it.each([
      ['an error', errorEvent, 'PROVIDER_UNAVAILABLE'],
      ['an event that is no JSON', 'data: {\n\n', 'PROVIDER_CONTRACT_INVALID'],
    ])(
      'a streamed completion that ends in %s is a failure before its first part, and cut after it',
      async (_, end, code) => {
        program(end)
        expect(await streamed(model())).toMatchObject({ outcome: { code }, isEnded: false })
        program(begun('The ') + end)
        expect(await streamed(model())).toMatchObject({
          outcome: { kind: 'uncertain', reason: 'PROVIDER_RESPONSE_CUT' },
          isEnded: false,
        })
        expect((await streamed(model({ onCutStream: 'release' }))).outcome).toMatchObject({ code })
      },
    )
  })

  describe('the credential', () => {
    it.each([undefined, '', '  ', 'two words', 'line\nbreak', '密钥'])(
      'the credential is required when configured: %j sends nothing',
      async (secret) => {
        upstream.program(behaves.respond(200, whole('x')))
        expect(await ask(model({ apiKeyEnv: 'MODEL_KEY' }, () => secret))).toEqual({
          kind: 'unavailable',
          code: 'PROVIDER_AUTH_REQUIRED',
          sent: false,
        })
        expect(upstream.connections()).toBe(0)
      },
    )

    it('the credential is read from its variable at each call', async () => {
      const asked: string[] = []
      const values = ['first', 'second\n']
      upstream.program(behaves.respond(200, whole('x')))
      const provider = model({ apiKeyEnv: 'MODEL_KEY' }, (name) => {
        asked.push(name)
        return values[upstream.calls.length]
      })
      await ask(provider)
      await ask(provider)
      expect(upstream.calls.map(({ headers }) => headers)).toMatchObject([
        credentialOf('first'),
        credentialOf('second'),
      ])
      expect(new Set(asked)).toEqual(new Set(['MODEL_KEY']))
    })

    it('the credential is not sent when none is configured', async () => {
      upstream.program(behaves.respond(200, whole('x')))
      expect((await ask(model())).kind).toBe('confirmed')
      for (const header of Object.keys(credentialOf('x'))) expect(upstream.calls[0]!.headers).not.toHaveProperty(header)
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
    ])(
      'the circuit breaker opens after the configured number of %s in a row, and then sends nothing',
      async (_, behaviour) => {
        upstream.program(behaviour)
        const provider = model()
        await fail(provider, 2)
        expect(provider.breakerState!()).toBe('closed')
        await fail(provider, 1)
        expect(provider.breakerState!()).toBe('open')
        expect(await ask(provider)).toEqual(circuitOpen)
        expect(upstream.calls).toHaveLength(3)
      },
    )

    it('the circuit breaker opens when the provider cannot be reached', async () => {
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
    ])('the circuit breaker is not opened by %s', async (_, behaviour) => {
      upstream.program(behaviour)
      const provider = model()
      await fail(provider, 10)
      expect(provider.breakerState!()).toBe('closed')
    })

    it('the circuit breaker restarts its count after a response', async () => {
      const provider = model()
      upstream.program(
        behaves.respond(500),
        behaves.respond(500),
        behaves.respond(200, whole('x')),
        behaves.respond(500),
        behaves.respond(500),
      )
      await fail(provider, 5)
      expect(provider.breakerState!()).toBe('closed')
    })

    it('the circuit breaker lets exactly one probe through after cooling down, and closes when it gets a response', async () => {
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
      upstream.program(behaves.respond(200, whole('x')))
      expect((await ask(provider)).kind).toBe('confirmed')
      expect(provider.breakerState!()).toBe('closed')
      expect(upstream.calls).toHaveLength(5)
    })

    const asksAs = (provider: ModelProvider) => async (projectId: string) => {
      const outcome = await ask(provider, 'x', projectId)
      return outcome.kind === 'unavailable' ? outcome.code : outcome.kind
    }

    it('the circuit breaker opens only for the project whose calls failed', async () => {
      upstream.program(behaves.respond(500))
      const asks = asksAs(model())
      for (let time = 0; time < 3; time += 1) expect(await asks('a')).toBe('PROVIDER_UNAVAILABLE')
      expect(await asks('a')).toBe('PROVIDER_CIRCUIT_OPEN')
      upstream.program(behaves.respond(200, whole('x')))
      expect(await asks('b')).toBe('confirmed')
      // Any response proves that the provider is up.
      expect(await asks('a')).toBe('confirmed')
    })

    it('the circuit breaker opens for all once a third project fails, and not because of two', async () => {
      upstream.program(behaves.respond(500))
      const asks = asksAs(model())
      for (let time = 0; time < 3; time += 1) await asks('a')
      expect(await asks('b')).toBe('PROVIDER_UNAVAILABLE')
      expect(await asks('b')).toBe('PROVIDER_CIRCUIT_OPEN')
      expect(await asks('c')).toBe('PROVIDER_UNAVAILABLE')
      expect(await asks('d')).toBe('PROVIDER_CIRCUIT_OPEN')
    })

    it("the circuit breaker is not kept open for all by one project's failed probes", async () => {
      upstream.program(behaves.respond(500))
      const asks = asksAs(model())
      for (const projectId of ['a', 'b', 'c']) await asks(projectId)
      later(30)
      expect(await asks('a')).toBe('PROVIDER_UNAVAILABLE')
      expect(await asks('a')).toBe('PROVIDER_CIRCUIT_OPEN')
      upstream.program(behaves.respond(200, whole('x')))
      expect(await asks('b')).toBe('confirmed')
    })

    it('the circuit breaker lets other projects probe one at a time after a failed probe, and reopens when a third one fails', async () => {
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

    it('the circuit breaker does not stay open because the clock was set back', async () => {
      upstream.program(behaves.respond(500))
      const asks = asksAs(model())
      for (let time = 0; time < 3; time += 1) await asks('a')
      later(-3600)
      upstream.program(behaves.respond(200, whole('x')))
      expect(await asks('a')).toBe('confirmed')
    })

    it('the circuit breaker does not count a missing credential as recovery', async () => {
      upstream.program(behaves.respond(500))
      let secret: string | undefined = 'key'
      const provider = model({ apiKeyEnv: 'MODEL_KEY' }, () => secret)
      await fail(provider, 3)
      later(30)
      secret = undefined
      expect(await ask(provider)).toMatchObject({ code: 'PROVIDER_AUTH_REQUIRED' })
      expect(provider.breakerState!()).toBe('open')
    })

    it('the circuit breaker affects only its own provider', async () => {
      upstream.program(behaves.respond(500))
      const [one, other] = [model(), model()]
      await fail(one, 3)
      expect([one.breakerState!(), other.breakerState!()]).toEqual(['open', 'closed'])
    })
  })

  it('an exception of our own after the response is uncertain, not a release', async () => {
    upstream.program(behaves.respond(200, whole('x')))
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
})
