import { CircuitBreaker } from '../circuit-breaker.ts'
import type { FailedExchange, HttpResult } from '../http/exchange.ts'
import { confirmed, type FailedOutcome, failureOf, type Outcome } from '../outcome.ts'
import { type CallHooks, type Credential, createUpstream, failedOutcome, type Upstream } from '../upstream.ts'
import {
  type CompletionBody,
  type CompletionQuestion,
  type CompletionResponse,
  type CompletionSink,
  type ReportedCompletion,
  refuseLongPrompt,
  withCountedUsage,
} from './completion.ts'
import { createCompletionReader } from './completion-reader.ts'
import type { HttpModelSettings, ModelProvider } from './model-provider.ts'
import type { ModelProtocol } from './protocol.ts'

/** How long the usage may come after the end of the output. */
const usageWaitMs = 2000

/** A model over HTTP: everything that is the same for every protocol. */
export function createHttpModel(
  settings: HttpModelSettings,
  protocol: ModelProtocol,
  credential: Credential,
  hooks?: CallHooks,
): ModelProvider {
  const upstream = createUpstream({ kind: 'model', settings, credential, ...hooks, authorize: protocol.credential })
  const breaker = new CircuitBreaker(settings.breaker)
  const model: HttpModel = { settings, protocol, upstream }
  return {
    models: Object.keys(settings.models),
    leavesProcess: true,
    breakerState: () => breaker.state,
    refuse: (body) => refuseLongPrompt(body, settings.maxPromptChars) ?? protocol.refuse?.(body) ?? null,
    async complete(question) {
      const { projectId, sink } = question
      // Before the breaker: a call that we refuse ourselves says nothing about the provider.
      const obstacle = upstream.obstacle(projectId)
      if (obstacle) return obstacle
      return breaker.run(projectId, () => (sink ? streamed(model, question, sink) : completed(model, question)))
    },
    close: upstream.close,
  }
}

interface HttpModel {
  readonly settings: HttpModelSettings
  readonly protocol: ModelProtocol
  readonly upstream: Upstream
}

function requestOf({ settings, protocol }: HttpModel, question: CompletionQuestion, isStream: boolean) {
  const { model, projectId, requestId, onSending } = question
  const body = withPassed(boundOutput(question.body, settings), settings)
  const request = { model: settings.models[model]!, body, isStream }
  const { headers } = protocol
  return { path: protocol.path(request), headers, body: protocol.body(request), projectId, requestId, onSending }
}

const completed = (model: HttpModel, question: CompletionQuestion): Promise<Outcome<CompletionResponse>> =>
  model.upstream.exchange(requestOf(model, question, false), (response) =>
    checked(model.protocol.whole(response), question),
  )

async function streamed(
  model: HttpModel,
  question: CompletionQuestion,
  sink: CompletionSink,
): Promise<Outcome<CompletionResponse>> {
  const { maxOutputTokens, streamTimeoutMs, onCutStream } = model.settings
  const reader = createCompletionReader(model.protocol, sink, maxOutputTokens)
  const received = await model.upstream.exchangeStream({
    ...requestOf(model, question, true),
    reader,
    totalMs: streamTimeoutMs,
    closingMs: usageWaitMs,
    signal: sink.signal,
  })
  const result = checked(received, question)
  if (result.event === 'answered') return confirmed(result.value)
  return reader.hasBegun() ? cutStream(result, onCutStream) : failedOutcome('model', result)
}

/** The caller has part of the output, and the provider may bill it: whatever went wrong, the operator's setting decides. */
function cutStream({ event, detail }: FailedExchange, onCutStream: HttpModelSettings['onCutStream']): FailedOutcome {
  switch (event) {
    case 'failed':
    case 'oversized':
    case 'contractBroken':
      return failureOf('model', onCutStream === 'release' ? event : 'cutBody', detail)
    case 'cutBody':
    case 'timedOut':
      return failureOf('model', onCutStream === 'release' ? 'failed' : event, detail)
    default:
      return failureOf('model', event, detail)
  }
}

function checked(
  result: HttpResult<ReportedCompletion>,
  { body, needsContent = false }: CompletionQuestion,
): HttpResult<CompletionResponse> {
  if (result.event !== 'answered') return result
  if (needsContent && result.value.content === null) return { event: 'contractBroken', detail: 'no content' }
  const value = withCountedUsage(result.value, body)
  return value ? { event: 'answered', value } : { event: 'contractBroken', detail: '/usage is too large' }
}

/** Sends the limit of output under the provider's own name for it, because a name that it does not know limits nothing. */
function boundOutput(
  { max_tokens, max_completion_tokens, ...body }: CompletionBody,
  { maxOutputTokens, limitField }: HttpModelSettings,
): CompletionBody {
  const limit = Math.min(max_completion_tokens ?? max_tokens ?? maxOutputTokens, maxOutputTokens)
  return {
    ...body,
    ...(limitField !== 'max_completion_tokens' && { max_tokens: limit }),
    ...(limitField !== 'max_tokens' && { max_completion_tokens: limit }),
  }
}

/** Only what the provider is known to take. */
function withPassed(
  { passed, ...body }: CompletionBody,
  { passes, maxOutputTokens }: HttpModelSettings,
): CompletionBody {
  if (!passed) return body
  const taken = Object.entries(passed)
    .filter(([name]) => passes.includes(name))
    .map(([name, value]) => [name, name === 'thinking' ? boundBudget(value, maxOutputTokens) : value])
  return taken.length > 0 ? { ...body, passed: Object.fromEntries(taken) } : body
}

/** Thinking is output, too, and the price of a call is fixed. */
function boundBudget(thinking: unknown, limit: number): unknown {
  const { budget_tokens: budget } = Object(thinking) as { readonly budget_tokens?: unknown }
  return typeof budget === 'number' ? { ...(thinking as object), budget_tokens: Math.min(budget, limit) } : thinking
}
