import { type Static, Type } from 'typebox'
import { CircuitBreaker } from '../circuit-breaker.ts'
import { Count, conforms } from '../conforms.ts'
import type { TraceHeaders } from '../http-call.ts'
import { type Credential, createUpstream, type Interpreted } from '../upstream.ts'
import { countUnits } from './local.ts'
import type { ModelAnswer, ModelProvider, OpenAiModelSettings } from './model-provider.ts'

/** Any server that speaks the chat completions protocol. */
export function createOpenAiModel(
  settings: OpenAiModelSettings,
  credential: Credential,
  traceHeaders?: TraceHeaders,
): ModelProvider {
  const upstream = createUpstream('model', settings, credential, traceHeaders)
  const breaker = new CircuitBreaker(settings.breaker)
  return {
    models: Object.keys(settings.models),
    maxPromptChars: settings.maxPromptChars,
    leavesProcess: true,
    breakerState: () => breaker.state,
    async ask({ model, prompt, projectId, requestId, onSending }) {
      const body = { model: settings.models[model], messages: [{ role: 'user', content: prompt }], stream: false }
      // Before the breaker: a call that we refuse ourselves says nothing about the provider.
      const obstacle = upstream.obstacle(projectId)
      if (obstacle) return obstacle
      const request = { path: '/chat/completions', body, projectId, requestId, onSending }
      return breaker.run(projectId, () => upstream.exchange(request, (response) => interpret(response, { prompt })))
    },
    close: upstream.close,
  }
}

const Completion = Type.Object({
  choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }) }), { minItems: 1 }),
  usage: Type.Optional(
    Type.Union([
      Type.Object({ prompt_tokens: Count(), completion_tokens: Count(), total_tokens: Type.Optional(Count()) }),
      Type.Null(),
    ]),
  ),
})
const check = conforms(Completion)

function interpret(response: unknown, { prompt }: { prompt: string }): Interpreted<ModelAnswer> {
  const completion = check(response)
  if (!completion.ok) return { event: 'contractBroken', detail: completion.fault }
  // A lone surrogate cannot be stored or sent as UTF-8.
  const output = completion.value.choices[0]!.message.content.toWellFormed()
  const units = unitsOf(completion.value.usage, { prompt, output })
  return Number.isSafeInteger(units.totalUnits)
    ? { value: { output, ...units } }
    : { event: 'contractBroken', detail: '/usage is too large' }
}

/** The provider's own numbers, or our estimate if it reports none. */
function unitsOf(usage: Static<typeof Completion>['usage'], text: { prompt: string; output: string }) {
  const inputUnits = usage?.prompt_tokens ?? countUnits(text.prompt)
  const outputUnits = usage?.completion_tokens ?? countUnits(text.output)
  return { inputUnits, outputUnits, totalUnits: usage?.total_tokens ?? inputUnits + outputUnits }
}
