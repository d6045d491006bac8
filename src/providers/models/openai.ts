import { type Static, Type } from 'typebox'
import { CircuitBreaker } from '../circuit-breaker.ts'
import { Count, conforms } from '../conforms.ts'
import type { TraceHeaders } from '../http-call.ts'
import type { HttpResult } from '../json-call.ts'
import { confirmed, failureOf, type Outcome } from '../outcome.ts'
import { type Credential, createUpstream, type Interpreted, type Upstream } from '../upstream.ts'
import {
  boundOutput,
  type CompletionAnswer,
  type CompletionQuestion,
  type CompletionSink,
  countedAnswer,
  type ToldAnswer,
  toldAnswer,
} from './completion.ts'
import { createCompletionReader } from './completion-reader.ts'
import type { ModelAnswer, ModelProvider, OpenAiModelSettings } from './model-provider.ts'
import { countUnits } from './units.ts'

const path = '/chat/completions'
/** How long the usage may come after the end of the answer. */
const usageWaitMs = 2000

/** Any server that speaks the chat completions protocol. */
export function createOpenAiModel(
  settings: OpenAiModelSettings,
  credential: Credential,
  traceHeaders?: TraceHeaders,
): ModelProvider {
  const upstream = createUpstream('model', settings, credential, traceHeaders)
  const breaker = new CircuitBreaker(settings.breaker)
  const { maxPromptChars, maxOutputTokens } = settings
  return {
    models: Object.keys(settings.models),
    maxPromptChars,
    maxOutputTokens,
    leavesProcess: true,
    breakerState: () => breaker.state,
    async ask({ model, prompt, projectId, requestId, onSending }) {
      const messages = [{ role: 'user', content: prompt }]
      const body = { model: settings.models[model], messages, max_tokens: maxOutputTokens, stream: false }
      // Before the breaker: a call that we refuse ourselves says nothing about the provider.
      const obstacle = upstream.obstacle(projectId)
      if (obstacle) return obstacle
      const request = { path, body, projectId, requestId, onSending }
      return breaker.run(projectId, () => upstream.exchange(request, (response) => interpret(response, { prompt })))
    },
    async complete(question) {
      const { projectId, sink } = question
      const obstacle = upstream.obstacle(projectId)
      if (obstacle) return obstacle
      return breaker.run(projectId, () =>
        sink ? streamed(upstream, settings, question, sink) : completed(upstream, settings, question),
      )
    },
    close: upstream.close,
  }
}

const upstreamBody = (settings: OpenAiModelSettings, { model, body }: CompletionQuestion) => ({
  model: settings.models[model],
  ...boundOutput(body, settings.maxOutputTokens),
})

function completed(
  upstream: Upstream,
  settings: OpenAiModelSettings,
  question: CompletionQuestion,
): Promise<Outcome<CompletionAnswer>> {
  const body = { ...upstreamBody(settings, question), stream: false }
  return upstream.exchange({ ...question, path, body }, (response) => {
    const told = counted(toldAnswer(response), question)
    return told.event === 'answered' ? { value: told.value } : told
  })
}

async function streamed(
  upstream: Upstream,
  settings: OpenAiModelSettings,
  question: CompletionQuestion,
  sink: CompletionSink,
): Promise<Outcome<CompletionAnswer>> {
  const reader = createCompletionReader(sink, settings.maxOutputTokens)
  const result = counted(
    await upstream.exchangeStream({
      ...question,
      path,
      body: { ...upstreamBody(settings, question), stream: true, stream_options: { include_usage: true } },
      reader,
      totalMs: settings.streamTimeoutMs,
      closingMs: usageWaitMs,
      signal: sink.signal,
    }),
    question,
  )
  if (result.event === 'answered') return confirmed(result.value)
  const isCut = reader.hasBegun() && (result.event === 'cutBody' || result.event === 'timedOut')
  return failureOf('model', isCut && settings.onCutStream === 'release' ? 'failed' : result.event, result.detail)
}

function counted(result: HttpResult<ToldAnswer>, { body }: CompletionQuestion): HttpResult<CompletionAnswer> {
  if (result.event !== 'answered') return result
  const value = countedAnswer(result.value, body)
  return value ? { event: 'answered', value } : { event: 'contractBroken', detail: '/usage is too large' }
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
