import { afterEach, describe, expect, it } from 'vitest'
import type { ModelSettings } from '../../../src/providers/models/model-provider.ts'
import { resultOf, startOperations } from '../../../testkit/providers/operations.ts'
import { behaves, startUpstream } from '../../../testkit/providers/upstream.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

const local: ModelSettings = {
  adapter: 'local',
  models: ['local-small', 'local-large'],
  maxPromptChars: 10,
  maxOutputTokens: 4096,
}

async function start() {
  const upstream = await startUpstream(
    behaves.respond(200, {
      model: 'secret-upstream-name',
      choices: [{ message: { content: '好' } }],
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    }),
  )
  const operations = startOperations({
    models: {
      default: 'model_provider_a',
      providers: {
        model_provider_a: local,
        model_provider_b: {
          adapter: 'openai',
          baseUrl: upstream.url,
          apiKeyEnv: 'MODEL_B_KEY',
          models: { fast: 'upstream-fast', slow: 'upstream-slow' },
          maxPromptChars: 10,
          maxOutputTokens: 4096,
          limitField: 'max_tokens',
          passes: [],
          streamTimeoutMs: 600_000,
          onCutStream: 'review',
          timeoutMs: 30_000,
          maxConcurrent: 2,
          breaker: { failures: 2, coolSeconds: 30 },
        },
        model_provider_c: { adapter: 'disabled' },
      },
    },
    credential: (name) => (name === 'MODEL_B_KEY' ? 'sk-secret' : undefined),
  })
  open.push(operations, upstream)
  return { upstream, ...operations }
}

describe('model.chat', () => {
  it('model.chat uses the default provider and its first model when neither is named', async () => {
    const { perform } = await start()
    const { data, usage } = resultOf(await perform('model.chat', { prompt: '你好' }))
    expect(data).toMatchObject({ provider: 'model_provider_a', model: 'local-small' })
    expect(usage.totalUnits).toBe(usage.inputUnits + usage.outputUnits)
  })

  it("model.chat returns the alias of the model, never the upstream's name", async () => {
    const { perform, upstream } = await start()
    const outcome = await perform('model.chat', { prompt: '你好', provider: 'model_provider_b', model: 'slow' })
    expect(resultOf(outcome)).toEqual({
      data: { provider: 'model_provider_b', model: 'slow', output: '好' },
      usage: { inputUnits: 3, outputUnits: 1, totalUnits: 4 },
    })
    expect(JSON.parse(upstream.calls[0]!.body).model).toBe('upstream-slow')
    expect(JSON.stringify(outcome)).not.toMatch(/upstream|sk-secret/)
  })

  it.each([
    ['another model', 'nope'],
    ['the model of another provider', 'local-small'],
    ['the name of an upstream', 'upstream-fast'],
    ['a name that every object has', 'constructor'],
  ])('model.chat refuses %s before anything is reserved', async (_, model) => {
    const { perform } = await start()
    const outcome = await perform('model.chat', { prompt: 'x', provider: 'model_provider_b', model })
    expect(outcome).toMatchObject({ code: 'MODEL_NOT_ALLOWED', sent: false })
  })

  it.each(['model_provider_a', 'model_provider_b'])(
    'model.chat measures the prompt for %s in code points',
    async (provider) => {
      const { operations } = await start()
      const refusalOf = (prompt: string) => operations['model.chat'].prepare({ provider, prompt }).refusal
      const message = 'The prompt has 11 characters; this model takes at most 10.'
      const tooLarge = { code: 'PROMPT_TOO_LARGE', param: 'messages', message }
      expect(refusalOf('😀'.repeat(10))).toBeNull()
      expect(refusalOf('😀'.repeat(11))).toMatchObject(tooLarge)
      expect(refusalOf('x'.repeat(11))).toMatchObject(tooLarge)
    },
  )

  it('model.chat reports a disabled provider as disabled, whatever model is named', async () => {
    const { perform } = await start()
    for (const request of [{}, { model: 'any' }])
      expect(
        await perform('model.chat', { prompt: 'x'.repeat(100), provider: 'model_provider_c', ...request }),
      ).toEqual({
        kind: 'unavailable',
        code: 'PROVIDER_DISABLED',
        sent: false,
      })
  })

  it('model.chat lets recovery know whether a call leaves the process', async () => {
    const { prepare } = (await start()).operations['model.chat']
    const leaves = (provider: string) => prepare({ prompt: 'x', provider }).leavesProcess
    expect(['model_provider_a', 'model_provider_b', 'model_provider_c'].map(leaves)).toEqual([false, true, false])
    expect(prepare({ prompt: 'x' }).leavesProcess).toBe(false)
  })

  it('model.chat shows the state of each circuit breaker', async () => {
    const { perform, upstream, breakerStates } = await start()
    expect(breakerStates()).toEqual({ model_provider_b: 'closed' })
    upstream.program(behaves.respond(503))
    for (let call = 0; call < 2; call += 1) await perform('model.chat', { prompt: 'x', provider: 'model_provider_b' })
    expect(breakerStates()).toEqual({ model_provider_b: 'open' })
    expect(await perform('model.chat', { prompt: 'x', provider: 'model_provider_b' })).toMatchObject({
      code: 'PROVIDER_CIRCUIT_OPEN',
      sent: false,
    })
  })
})
