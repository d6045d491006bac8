import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller } from '../../../../testkit/gateway/openai-caller.ts'
import { protocolSamples } from '../../../../testkit/providers/protocols.ts'
import { behaves, startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'

describe('parameters that go upstream by default', () => {
  let upstream: Upstream
  let gateway: Gateway
  let caller: OpenAiCaller
  beforeAll(async () => {
    upstream = await startUpstream(behaves.respond(200, protocolSamples.openai.whole('K2.')))
    const provider = {
      adapter: 'openai',
      baseUrl: upstream.url,
      models: { fast: 'upstream-fast' },
      maxOutputTokens: 100,
    }
    gateway = await startGateway({ file: { models: { providers: { model_provider_b: provider } } } })
    caller = await OpenAiCaller.join(gateway)
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
  })

  const ask = (more: object) =>
    caller.complete({ model: 'fast', messages: [{ role: 'user', content: 'Name a mountain.' }], ...more })
  const sent = async (more: object): Promise<object> => {
    expect((await ask(more)).status).toBe(200)
    const { model, messages, max_tokens, stream, ...passed } = JSON.parse(upstream.calls.at(-1)!.body)
    return passed
  }

  it.each([
    [{ chat_template_kwargs: { tokenize: false } }, 'UNSUPPORTED_PARAMETER', 'chat_template_kwargs.tokenize'],
    [
      { chat_template_kwargs: { enable_thinking: true, chat_template: 'x' } },
      'UNSUPPORTED_PARAMETER',
      'chat_template_kwargs.chat_template',
    ],
    [{ chat_template_kwargs: { thinking: { tokenize: true } } }, 'INVALID_PARAMETER', 'chat_template_kwargs.thinking'],
    [{ chat_template_kwargs: [] }, 'INVALID_PARAMETER', 'chat_template_kwargs'],
    [{ enable_thinking: [true] }, 'INVALID_PARAMETER', 'enable_thinking'],
    [{ thinking: [1] }, 'INVALID_PARAMETER', 'thinking'],
    [{ thinking: { type: { a: 1 } } }, 'INVALID_PARAMETER', 'thinking.type'],
    [{ thinking: { type: 'x'.repeat(257) } }, 'INVALID_PARAMETER', 'thinking.type'],
    [{ thinking: { budget_tokens: -1 } }, 'INVALID_PARAMETER', 'thinking.budget_tokens'],
    [{ thinking: { budget_tokens: '9999' } }, 'INVALID_PARAMETER', 'thinking.budget_tokens'],
    [
      { thinking: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`f${i}`, i])) },
      'INVALID_PARAMETER',
      'thinking',
    ],
    [{ reasoning_effort: { a: 1 } }, 'INVALID_PARAMETER', 'reasoning_effort'],
    [{ verbosity: 9 }, 'INVALID_PARAMETER', 'verbosity'],
  ])('a request with %j is refused, and never sent', async (more, code, param) => {
    const calls = upstream.calls.length
    const { status, body } = await ask(more)
    expect([status, body.error.code, body.error.param]).toEqual([400, code, param])
    expect(upstream.calls).toHaveLength(calls)
  })

  it('what clients send to switch thinking arrives unchanged', async () => {
    for (const more of [
      { chat_template_kwargs: { enable_thinking: false } },
      { chat_template_kwargs: { thinking: true } },
      { enable_thinking: false, thinking: { type: 'enabled', budget_tokens: 100, clear_thinking: true } },
      { thinking: { type: 'disabled' }, reasoning_effort: 'high', verbosity: 'low' },
    ])
      expect(await sent(more)).toEqual(more)
  })

  it('a budget of thinking is at most the limit of output', async () => {
    expect(await sent({ thinking: { type: 'enabled', budget_tokens: 1_000_000 } })).toEqual({
      thinking: { type: 'enabled', budget_tokens: 100 },
    })
  })
})
