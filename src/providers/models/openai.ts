import { type Static, Type } from '../../base/schema.ts'
import { Count, conforms } from '../conforms.ts'
import type { FailedExchange, HttpResult } from '../http/exchange.ts'
import { bearer } from '../upstream.ts'
import { type Delta, type ModelToolCall, type ReportedCompletion, reasoningOf, type Usage } from './completion.ts'
import { jsonObject, type ServerEvent } from './event-stream.ts'
import type { ModelProtocol, StreamStep } from './protocol.ts'
import { createPartReader } from './repeated-parts.ts'

/** Any server with OpenAI's chat completions API. */
export const openAiProtocol: ModelProtocol = {
  path: () => '/chat/completions',
  headers: {},
  credential: bearer,
  body: ({ model, body: { passed, ...body }, isStream }) => ({
    ...passed,
    model,
    ...body,
    stream: isStream,
    ...(isStream && { stream_options: { include_usage: true } }),
  }),
  whole: readWhole,
  reader() {
    const readPart = createPartReader(readData)
    return { read: (event, isFinished) => (isFinished ? readAfterwards(event) : readEvent(event, readPart)) }
  },
}

const maxToolCalls = 128

function optional<S extends Parameters<typeof Type.Optional>[0]>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}
const text = () => optional(Type.String())
const UsageSchema = Type.Object({
  prompt_tokens: Count(),
  completion_tokens: Count(),
  total_tokens: optional(Count()),
  prompt_tokens_details: Type.Optional(Type.Unknown()),
  completion_tokens_details: Type.Optional(Type.Unknown()),
})

/** With what is known of the details. One that is no count is left out, because nothing depends on it. */
function usageOf({ prompt_tokens_details, completion_tokens_details, ...usage }: Static<typeof UsageSchema>): Usage {
  const cachedTokens = countIn(prompt_tokens_details, 'cached_tokens')
  const reasoningTokens = countIn(completion_tokens_details, 'reasoning_tokens')
  return {
    ...usage,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

function countIn(details: unknown, name: string): number | undefined {
  const count = (details as Record<string, unknown> | null | undefined)?.[name]
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined
}

const maxFingerprintChars = 256

const fingerprintOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= maxFingerprintChars ? value.toWellFormed() : undefined

const Completion = Type.Object({
  choices: Type.Array(
    Type.Object({
      message: Type.Object({
        content: optional(Type.String()),
        refusal: optional(Type.String()),
        reasoning_content: Type.Optional(Type.Unknown()),
        reasoning: Type.Optional(Type.Unknown()),
        tool_calls: optional(
          Type.Array(
            Type.Object({
              id: Type.String({ minLength: 1, maxLength: 512 }),
              function: Type.Object({ name: Type.String(), arguments: Type.String() }),
            }),
            { maxItems: maxToolCalls },
          ),
        ),
      }),
      finish_reason: optional(Type.String({ maxLength: 64 })),
    }),
    { minItems: 1 },
  ),
  usage: optional(UsageSchema),
  system_fingerprint: Type.Optional(Type.Unknown()),
})
const checkCompletion = conforms(Completion)

/** Checks a whole `chat.completion`. */
function readWhole(response: unknown): HttpResult<ReportedCompletion> {
  const completion = checkCompletion(response)
  if (!completion.ok) return { event: 'contractBroken', detail: completion.fault }
  const { choices, usage, system_fingerprint } = completion.value
  const systemFingerprint = fingerprintOf(system_fingerprint)
  const { message, finish_reason } = choices[0]!
  const toolCalls = (message.tool_calls ?? []).map(
    ({ id, function: called }): ModelToolCall => ({
      id: id.toWellFormed(),
      type: 'function',
      function: { name: called.name.toWellFormed(), arguments: called.arguments.toWellFormed() },
    }),
  )
  const value = {
    ...reasoningOf(message),
    // A lone surrogate cannot be stored or sent as UTF-8.
    content: message.content?.toWellFormed() ?? null,
    refusal: message.refusal?.toWellFormed() ?? null,
    toolCalls,
    // Some clients fail without it.
    finishReason: finish_reason?.toWellFormed() || (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usage ? usageOf(usage) : null,
    ...(systemFingerprint !== undefined && { systemFingerprint }),
  }
  return { event: 'answered', value }
}

const ChoiceDelta = Type.Object({
  content: text(),
  refusal: text(),
  reasoning_content: Type.Optional(Type.Unknown()),
  reasoning: Type.Optional(Type.Unknown()),
  tool_calls: optional(
    Type.Array(
      Type.Object({
        index: optional(Type.Integer({ minimum: 0, maximum: maxToolCalls - 1 })),
        id: optional(Type.String({ maxLength: 512 })),
        function: optional(Type.Object({ name: text(), arguments: text() })),
      }),
      { maxItems: maxToolCalls },
    ),
  ),
})
const Chunk = Type.Object({
  choices: optional(
    Type.Array(
      Type.Object({
        index: optional(Type.Integer({ minimum: 0 })),
        delta: optional(ChoiceDelta),
        finish_reason: optional(Type.String({ maxLength: 64 })),
      }),
    ),
  ),
  usage: optional(UsageSchema),
  system_fingerprint: Type.Optional(Type.Unknown()),
})
const checkChunk = conforms(Chunk)
const checkUsage = conforms(Type.Object({ usage: UsageSchema }))

const readEvent = ({ name, data }: ServerEvent, readPart: typeof readData) =>
  name === 'error' && !isEnd(data) ? errorEvent : readPart(data)

function readData(data: string): StreamStep | FailedExchange {
  if (isEnd(data)) return { isEnd: true }
  const value = jsonObject(data)
  if (value && value.error !== undefined && value.error !== null) return errorEvent
  if (!value) return { event: 'contractBroken', detail: 'an event is not a JSON object' }
  const chunk = checkChunk(value)
  if (!chunk.ok) return { event: 'contractBroken', detail: chunk.fault }
  const { choices, system_fingerprint } = chunk.value
  const usage = chunk.value.usage && usageOf(chunk.value.usage)
  const reported = { usage, systemFingerprint: fingerprintOf(system_fingerprint) }
  const choice = choices?.find(({ index }) => (index ?? 0) === 0)
  return choice ? { ...reported, delta: deltaOf(choice.delta), finishReason: choice.finish_reason } : reported
}

/** Only a usage is of interest in what follows the finish reason. */
function readAfterwards({ data }: ServerEvent): StreamStep {
  if (isEnd(data)) return { isEnd: true }
  const last = checkUsage(jsonObject(data))
  return last.ok ? { usage: usageOf(last.value.usage) } : {}
}

const errorEvent: FailedExchange = { event: 'failed', detail: 'an error event' }

const isEnd = (data: string) => data.trim() === '[DONE]'

/** What we pass on of a part. A lone surrogate cannot be sent as UTF-8. */
function deltaOf(delta: Static<typeof ChoiceDelta> | null | undefined): Delta {
  const { content, refusal, tool_calls } = delta ?? {}
  return {
    ...reasoningOf(delta ?? {}),
    ...(typeof content === 'string' && { content: content.toWellFormed() }),
    ...(typeof refusal === 'string' && { refusal: refusal.toWellFormed() }),
    ...(tool_calls &&
      tool_calls.length > 0 && {
        tool_calls: tool_calls.map(({ index, id, function: called }, place) => ({
          index: index ?? place,
          ...(id && { id: id.toWellFormed(), type: 'function' as const }),
          function: {
            ...(called?.name && { name: called.name.toWellFormed() }),
            arguments: called?.arguments?.toWellFormed() ?? '',
          },
        })),
      }),
  }
}
