import { CircuitBreaker } from '../circuit-breaker.ts'
import type { HttpResult } from '../http/exchange.ts'
import { confirmed, failureOf, type Outcome } from '../outcome.ts'
import { type Credential, createUpstream, type TraceHeaders, type Upstream } from '../upstream.ts'
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
  traceHeaders?: TraceHeaders,
): ModelProvider {
  const upstream = createUpstream({ kind: 'model', settings, credential, traceHeaders, authorize: protocol.credential })
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
  const body = boundOutput(question.body, settings.maxOutputTokens)
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
  const isCut = reader.hasBegun() && (result.event === 'cutBody' || result.event === 'timedOut')
  return failureOf('model', isCut && onCutStream === 'release' ? 'failed' : result.event, result.detail)
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

/** The limit of output that is sent upstream: under the caller's own name for it, and never above the provider's. */
function boundOutput(body: CompletionBody, maxOutputTokens: number): CompletionBody {
  return body.max_completion_tokens === undefined
    ? { ...body, max_tokens: Math.min(body.max_tokens ?? maxOutputTokens, maxOutputTokens) }
    : { ...body, max_completion_tokens: Math.min(body.max_completion_tokens, maxOutputTokens) }
}
