import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CompletionBody } from '../../src/providers/models/completion.ts'
import { createModel } from '../../src/providers/models/create-model.ts'
import type { HttpModelSettings, ModelProvider } from '../../src/providers/models/model-provider.ts'
import { httpModelSettings, protocolSamples } from '../../testkit/providers/protocols.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'

let upstream: Upstream
let open: ModelProvider[]
beforeEach(async () => {
  upstream = await startUpstream()
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((model) => model.close()))
  await upstream.close()
})

const messages = [{ role: 'user', content: 'Name a mountain.' }]

function ask(changes: Partial<HttpModelSettings>, more: Partial<CompletionBody> = {}) {
  const model = createModel(httpModelSettings(upstream.url, { maxOutputTokens: 100, ...changes }), () => 'key')
  open.push(model)
  return model.complete({ model: 'fast', body: { messages, ...more }, projectId: 'prj_1' })
}

it('a 400 whose body never ends is a refusal after a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  upstream.program(behaves.hangInBody(400))
  const asked = ask({})
  await upstream.received(1)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000)
    expect(await Promise.race([asked, null])).toMatchObject({ code: 'PROVIDER_REQUEST_REJECTED', refusedWith: null })
  })
  vi.useRealTimers()
})

describe('the limit of output', () => {
  it.each([
    ['max_tokens', { max_tokens: 100 }],
    ['max_completion_tokens', { max_completion_tokens: 100 }],
    ['both', { max_tokens: 100, max_completion_tokens: 100 }],
  ] as const)('the limit of output is sent as %s, whatever name the caller uses', async (limitField, limits) => {
    upstream.program(behaves.respond(200, protocolSamples.openai.whole('x')))
    for (const asked of [{}, { max_tokens: 5000 }, { max_completion_tokens: 5000 }]) {
      await ask({ limitField }, asked)
      expect(JSON.parse(upstream.calls.at(-1)!.body)).toEqual({
        model: 'upstream-fast',
        messages,
        stream: false,
        ...limits,
      })
    }
  })

  it('the limit of output is that of the caller if it is smaller', async () => {
    upstream.program(behaves.respond(200, protocolSamples.openai.whole('x')))
    await ask({}, { max_completion_tokens: 7 })
    expect(JSON.parse(upstream.calls.at(-1)!.body)).toMatchObject({ max_tokens: 7 })
  })
})
