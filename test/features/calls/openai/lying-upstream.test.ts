import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller, streamed } from '../../../../testkit/gateway/openai-caller.ts'
import {
  done,
  event,
  goodContent,
  goodEvents,
  goodStream,
  part,
  streams,
  usage,
  usageEvent,
} from '../../../../testkit/providers/streams.ts'
import { type Behaviour, behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { httpEngines, isFullMatrix, openDatabase } from '../../../../testkit/store/engines.ts'

type Fate = 'settled' | 'released' | 'review'

const kilobyte = 'x'.repeat(1024)

/** What the upstream does, what becomes of the charge, and what the caller sees. */
const lies: readonly (readonly [string, Behaviour, Fate, string | number])[] = [
  ['a good stream', streams(goodStream), 'settled', goodContent],
  ['no [DONE]', streams(goodStream.replace(done, '')), 'settled', goodContent],
  [
    'no [DONE], and the connection is cut after the end',
    streams(goodStream.replace(done, ''), 'cut'),
    'settled',
    goodContent,
  ],
  ['no usage', streams(goodEvents.slice(0, 4).join('') + done), 'settled', goodContent],
  ['nothing after the end', streams(goodEvents.slice(0, 4).join(''), 'cut'), 'settled', goodContent],
  ['the usage before any choice', streams(usageEvent + goodStream), 'settled', goodContent],
  ['choices that are null', streams(event({ choices: null, usage }) + goodStream), 'settled', goodContent],
  [
    'two ends',
    streams(goodEvents.slice(0, 4).join('') + part({ content: 'more' }, 'length') + done),
    'settled',
    goodContent,
  ],
  ['parts after [DONE]', streams(goodStream + part({ content: 'late' })), 'settled', goodContent],
  [
    'an error after the end',
    streams(goodEvents.slice(0, 4).join('') + event({ error: { message: 'x' } })),
    'settled',
    goodContent,
  ],
  ['text in the last part', streams(part({ content: 'a' }) + part({ content: 'b' }, 'stop') + done), 'settled', 'ab'],
  ['a single part', streams(part({ content: 'ab' }, 'stop') + done), 'settled', 'ab'],
  [
    'other choices',
    streams(event({ choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }] }) + goodStream),
    'settled',
    goodContent,
  ],
  ['line ends of every kind', streams(goodStream.replaceAll('\n\n', '\r\n\r\n')), 'settled', goodContent],
  ['carriage returns alone', streams(goodStream.replaceAll('\n', '\r')), 'settled', goodContent],
  ['comments', streams(`: hello\n\n${goodStream}`), 'settled', goodContent],
  ['a byte order mark', streams(`\uFEFF${goodStream}`), 'settled', goodContent],
  ['lone surrogates', streams(part({ content: '?' }).replace('?', '\\ud800') + part({}, 'stop')), 'settled', '\uFFFD'],
  [
    'a whole completion',
    behaves.respond(200, { choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }),
    'settled',
    'whole',
  ],
  ['an error event at once', streams(event({ error: { message: 'secret', code: 500 } })), 'released', 503],
  ['a named error event', streams('event: error\ndata: "secret"\n\n'), 'released', 503],
  ['an error event within', streams(part({ content: 'a' }) + event({ error: 'secret' })), 'review', 'MANUAL_REVIEW'],
  ['HTML', behaves.respond(200, '<html>secret</html>', { 'content-type': 'text/html' }), 'released', 502],
  ['JSON of another kind', behaves.respond(200, { hello: 'secret' }), 'released', 502],
  [
    'invalid UTF-8',
    streams(Buffer.concat([Buffer.from('data: "'), Buffer.from([0xff]), Buffer.from('"\n\n')])),
    'released',
    502,
  ],
  [
    'invalid UTF-8 within',
    streams(
      Buffer.concat([Buffer.from(`${part({ content: 'a' })}data: "`), Buffer.from([0xff]), Buffer.from('"\n\n')]),
    ),
    'review',
    'MANUAL_REVIEW',
  ],
  ['an event that is not JSON within', streams(part({ content: 'a' }) + event('secret')), 'review', 'MANUAL_REVIEW'],
  [
    'an event of 2 MiB within',
    streams(part({ content: 'a' }) + part({ content: kilobyte.repeat(2048) })),
    'review',
    'MANUAL_REVIEW',
  ],
  [
    'a usage past exactness',
    streams(part({ content: 'a' }) + part({}, 'stop', { usage: { prompt_tokens: 2 ** 53 - 1, completion_tokens: 1 } })),
    'review',
    'MANUAL_REVIEW',
  ],
  ['an event that is not JSON', streams(event('secret')), 'released', 502],
  ['an event that is a list', streams(event([1])), 'released', 502],
  ['content that is a number', streams(part({ content: 1 })), 'released', 502],
  ['an event of 2 MiB', streams(part({ content: kilobyte.repeat(2048) })), 'released', 502],
  [
    'an answer of more than 1 MiB',
    streams(part({ content: kilobyte.repeat(200) }).repeat(6)),
    'settled',
    kilobyte.repeat(1000),
  ],
  ['429', behaves.respond(429, { error: 'secret' }), 'released', 503],
  ['422', behaves.respond(422, { error: 'secret' }), 'released', 502],
  ['a body without any event', streams(''), 'review', 403],
  ['a cut before the first event', streams('data: {"cho', 'cut'), 'review', 403],
  ['a reset before any answer', behaves.reset(), 'review', 403],
  ['an end without a finish reason', streams(part({ content: 'a' }) + done), 'review', 'MANUAL_REVIEW'],
  ['a finish reason that is empty', streams(part({ content: 'a' }, '') + done), 'review', 'MANUAL_REVIEW'],
  ['a cut within', streams(part({ content: 'a' }), 'cut'), 'review', 'MANUAL_REVIEW'],
  ['silence within', streams(part({ content: 'a' }), 'hang'), 'review', 'MANUAL_REVIEW'],
  ['silence', behaves.hang(), 'review', 403],
]

describe.each(httpEngines)('a stream from an upstream that lies, on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let caller: OpenAiCaller
  const models = { fast: 'upstream-fast' }
  const model = { adapter: 'openai', models, timeoutMs: 300, maxOutputTokens: 10_000, breaker: { failures: 1000 } }

  beforeAll(async () => {
    upstream = await startUpstream()
    const baseUrl = `${upstream.url}/v1`
    gateway = await startGateway({
      engine,
      file: {
        models: {
          providers: {
            model_provider_a: { ...model, baseUrl },
            model_provider_b: { ...model, baseUrl, onCutStream: 'release', maxOutputTokens: 100 },
          },
        },
        limits: { callsPerKey: { max: 1_000_000 } },
      },
    })
    caller = await OpenAiCaller.join(gateway, { amountFen: 1_000_000 })
  })
  afterAll(async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
    await gateway.stop()
    await upstream.close()
  })

  const messages = [{ role: 'user', content: 'Name a mountain.' }]
  const ask = (more: object = {}) =>
    caller.complete({ model: 'model_provider_a/fast', messages, stream: true, ...more })

  /** Where the price of one call went. */
  async function fateOf(before: { available: number; reserved: number }): Promise<Fate> {
    const { available, reserved } = await caller.credits()
    if (reserved > before.reserved) return 'review'
    return available < before.available ? 'settled' : 'released'
  }

  /** Their number and their bytes. */
  async function releasedStreams(): Promise<number[]> {
    const { text } = await gateway.operator('/metrics')
    return ['', '_bytes'].map((what) =>
      Number(new RegExp(`^gateway_streams_released${what}_total (\\d+)$`, 'm').exec(text)![1]),
    )
  }

  it.each(lies)('%s', async (_, behaviour, fate, seen) => {
    upstream.program(behaviour)
    const calls = upstream.calls.length
    const before = await caller.credits()
    const response = await ask()
    expect(await fateOf(before)).toBe(fate)
    expect(upstream.calls.length).toBe(calls + 1)
    expect(response.text).not.toContain('secret')
    const chargeId = response.headers['x-charge-id']
    if (typeof seen === 'number') {
      expect(response.status).toBe(seen)
      expect(response.body.error.type).toBe('server_error')
    } else {
      expect(response.status).toBe(200)
      const stream = streamed(response)
      if (fate === 'settled') expect(stream).toMatchObject({ content: seen, isDone: true, error: null })
      else
        expect(stream).toMatchObject({ isDone: false, finishReason: null, error: { code: seen, charge_id: chargeId } })
    }
    // Whatever came of it, a repeat of the key gets it too, without another call.
    const key = String(response.headers['idempotency-key'])
    const replay = await caller.complete({ model: 'model_provider_a/fast', messages }, { 'idempotency-key': key })
    expect(replay.headers['x-charge-id']).toBe(chargeId)
    if (fate === 'settled') expect(replay.body.choices[0].message.content).toBe(seen)
    else expect(replay.body.error.code).toMatch(fate === 'review' ? /^MANUAL_REVIEW$/ : /^PROVIDER_/)
    expect(upstream.calls.length).toBe(calls + 1)
  })

  it.each([
    ['a cut', streams(part({ content: 'a' }), 'cut')],
    ['no finish reason', streams(part({ content: 'a' }) + done)],
    ['silence', streams(part({ content: 'a' }), 'hang')],
  ])('%s is released if the operator has chosen so', async (_, behaviour) => {
    upstream.program(behaviour)
    const before = await caller.credits()
    const response = await ask({ model: 'model_provider_b/fast' })
    expect(streamed(response)).toMatchObject({ isDone: false, error: { code: 'PROVIDER_UNAVAILABLE' } })
    expect(await fateOf(before)).toBe('released')
    upstream.program(behaves.reset())
    expect((await ask({ model: 'model_provider_b/fast' })).status).toBe(403)
  })

  it.each([
    ['an error event', part({ content: 'a' }) + event({ error: 'secret' }), 'PROVIDER_UNAVAILABLE'],
    ['an event that is not JSON', part({ content: 'a' }) + event('secret'), 'PROVIDER_CONTRACT_INVALID'],
  ])('%s within is released if the operator has chosen so, and counted', async (_, text, code) => {
    const [streamsBefore, bytesBefore] = await releasedStreams()
    upstream.program(streams(text))
    const before = await caller.credits()
    const response = await ask({ model: 'model_provider_b/fast' })
    expect(streamed(response)).toMatchObject({ isDone: false, error: { code } })
    expect(await fateOf(before)).toBe('released')
    const sent = response.text.split('\n\n')[0]!.length + 2
    expect(await releasedStreams()).toEqual([streamsBefore! + 1, bytesBefore! + sent])
  })

  it('a stream that is longer than its tokens can be is settled as far as it was passed on', async () => {
    const longest = 'x'.repeat(100 * 128)
    const counted = await releasedStreams()
    upstream.program(streams(part({ content: longest }) + part({}, 'stop')))
    const before = await caller.credits()
    expect(streamed(await ask({ model: 'model_provider_b/fast' }))).toMatchObject({ content: longest, isDone: true })
    expect(await fateOf(before)).toBe('settled')
    upstream.program(streams(part({ content: longest }) + part({ content: '!' }) + part({ content: '!' }), 'hang'))
    const after = await caller.credits()
    const long = streamed(await ask({ model: 'model_provider_b/fast' }))
    expect(long).toMatchObject({ content: longest, isDone: true, finishReason: 'length', error: null })
    expect(await fateOf(after)).toBe('settled')
    expect(await releasedStreams()).toEqual(counted)
  })

  it('a stream is released if its first part is too long, because nothing was passed on', async () => {
    upstream.program(streams(part({ content: 'x'.repeat(100 * 128 + 1) }) + part({}, 'stop')))
    const before = await caller.credits()
    expect((await ask({ model: 'model_provider_b/fast' })).status).toBe(502)
    expect(await fateOf(before)).toBe('released')
  })

  it('a stream from a lying upstream, cut at any byte, is settled exactly if its end had arrived', {
    timeout: 120_000,
  }, async () => {
    const bytes = Buffer.from(goodStream)
    const end = Buffer.from(goodEvents.slice(0, 4).join('')).length
    // The suite takes every 13th byte, and all around the end; the full matrix takes every one.
    const places = [...bytes.keys()].filter((at) => isFullMatrix || at % 13 === 0 || Math.abs(at - end) < 3)
    for (const at of places) {
      upstream.program(streams(bytes.subarray(0, at), 'cut'))
      const before = await caller.credits()
      const response = await ask()
      const isWhole = at >= end
      expect([at, await fateOf(before)]).toEqual([at, isWhole ? 'settled' : 'review'])
      if (response.status === 200) expect(streamed(response).isDone).toBe(isWhole)
      else expect(response.status).toBe(403)
    }
  })

  it('a stream from a lying upstream sends usage only if it was asked for, and estimates what is missing', async () => {
    upstream.program(streams(goodStream))
    expect(streamed(await ask()).usage).toBeNull()
    const response = await ask({ stream_options: { include_usage: true } })
    expect(streamed(response).usage).toEqual(usage)
    upstream.program(streams(goodEvents.slice(0, 4).join('') + done))
    const estimated = await ask({ stream_options: { include_usage: true } })
    expect(streamed(estimated).usage).toEqual({ prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 })
    expect(JSON.parse(upstream.calls.at(-1)!.body)).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 10_000,
    })
  })

  it('a stream passes reasoning on in parts, counts it and stores it whole', async () => {
    const system_fingerprint = 'fp_1'
    upstream.program(
      streams(
        part({ role: 'assistant', content: null, reasoning_content: 'It ' }, null, { system_fingerprint }) +
          part({ reasoning_content: 'is high.' }) +
          part({ content: 'K2.' }) +
          part({}, 'stop') +
          done,
      ),
    )
    const response = await ask()
    const deltas = response.text.matchAll(/"reasoning_content":"([^"]*)"/g)
    expect([...deltas].map(([, text]) => text)).toEqual(['It ', 'is high.'])
    expect(response.text.match(/"system_fingerprint":"fp_1"/g)).toHaveLength(4)
    const key = String(response.headers['idempotency-key'])
    const { body } = await caller.complete({ model: 'model_provider_a/fast', messages }, { 'idempotency-key': key })
    expect(body.choices[0].message).toMatchObject({ content: 'K2.', reasoning_content: 'It is high.' })
    expect(body).toMatchObject({ system_fingerprint, usage: { completion_tokens: 6 } })
    upstream.program(streams(part({ content: 'a' }) + part({ reasoning: 'x'.repeat(12_800) }) + part({}, 'stop')))
    expect(streamed(await ask({ model: 'model_provider_b/fast' }))).toMatchObject({ finishReason: 'length' })
  })

  it('a stream from a lying upstream passes tool calls on in parts and stores them whole', async () => {
    upstream.program(
      streams(
        part({
          role: 'assistant',
          content: null,
          tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }],
        }) +
          part({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }) +
          part({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }) +
          part({}, 'tool_calls') +
          done,
      ),
    )
    const response = await ask()
    expect(streamed(response)).toMatchObject({ finishReason: 'tool_calls', isDone: true })
    const key = String(response.headers['idempotency-key'])
    const replay = await caller.complete({ model: 'model_provider_a/fast', messages }, { 'idempotency-key': key })
    expect(replay.body.choices[0].message.tool_calls).toEqual([
      { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
    ])
  })
})
