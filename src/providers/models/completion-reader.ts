import { type Static, Type } from 'typebox'
import { isTooDeep, maxJsonDepth } from '../../contract/validate.ts'
import { conforms } from '../conforms.ts'
import { type FailedExchange, type HttpResult, maxResponseBytes, parse } from '../json-call.ts'
import type { BodyReader } from '../stream-call.ts'
import {
  type AnsweredCall,
  type CompletionSink,
  type Delta,
  optional,
  type ToldAnswer,
  toldAnswer,
  type Usage,
  UsageSchema,
  wholeDelta,
} from './completion.ts'
import { EventStreamParser, type ServerEvent, StreamBreach } from './event-stream.ts'

/** Of all texts of an answer, in bytes. */
const maxCollectedBytes = 1_048_576
/** The longest tokens of common vocabularies are runs of 128 spaces, so no answer within its limit of tokens is longer. */
const maxBytesPerToken = 128
const maxToolCalls = 128

const text = () => optional(Type.String())
const ChoiceDelta = Type.Object({
  content: text(),
  refusal: text(),
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
})
const checkChunk = conforms(Chunk)
const checkUsage = conforms(Type.Object({ usage: UsageSchema }))

export interface CompletionReader extends BodyReader<ToldAnswer> {
  /** Whether a part of the answer has arrived. */
  readonly hasBegun: () => boolean
}

/**
 * Reads an answer while it arrives, and passes its parts on. The first event with a finish reason ends the answer: after it only
 * the usage is of interest, and nothing can spoil the result any more.
 */
export function createCompletionReader(sink: CompletionSink, maxOutputTokens: number): CompletionReader {
  const collected = createCollector(Math.min(maxCollectedBytes, maxOutputTokens * maxBytesPerToken))
  let parser: EventStreamParser | null = null
  let whole: { bytes: Buffer[]; size: number; isFramed: boolean } | null = null
  let hasBegun = false
  let finishReason: string | null = null
  let last: Delta = {}
  let usage: Usage | null = null
  let isDone = false

  function readEvents(bytes: Buffer): 'more' | 'closing' | FailedExchange {
    try {
      for (const event of parser!.parse(bytes)) {
        if (isDone) break
        const fault = finishReason === null ? readEvent(event) : readAfterwards(event)
        if (fault) return fault
      }
    } catch (error) {
      if (!(error instanceof StreamBreach)) throw error
      if (finishReason === null) return { event: 'contractBroken', detail: error.message }
      isDone = true
    }
    return finishReason === null ? 'more' : 'closing'
  }

  function readEvent({ name, data }: ServerEvent): FailedExchange | null {
    if (isEnd(data)) return cut('ended without a finish reason')
    const value = jsonObject(data)
    if (name === 'error' || (value && value.error !== undefined && value.error !== null))
      return { event: 'failed', detail: 'an error event' }
    if (!value) return { event: 'contractBroken', detail: 'an event is not a JSON object' }
    const chunk = checkChunk(value)
    if (!chunk.ok) return { event: 'contractBroken', detail: chunk.fault }
    usage = chunk.value.usage ?? usage
    const choice = chunk.value.choices?.find(({ index }) => (index ?? 0) === 0)
    if (!choice) return null
    const delta = deltaOf(choice.delta)
    if (!collected.add(delta)) return { event: 'oversized', detail: 'the answer is too long' }
    if (choice.finish_reason) {
      finishReason = choice.finish_reason.toWellFormed()
      last = delta
    } else {
      hasBegun = true
      sink.onChunk(delta)
    }
    return null
  }

  function readAfterwards({ data }: ServerEvent): null {
    if (isEnd(data)) isDone = true
    else {
      const told = checkUsage(jsonObject(data))
      if (told.ok) usage = told.value.usage
    }
    return null
  }

  function readWhole(bytes: Buffer): 'more' | FailedExchange {
    whole!.size += bytes.length
    if (whole!.size > maxResponseBytes) return { event: 'oversized' }
    whole!.bytes.push(bytes)
    return 'more'
  }

  function endWhole({ bytes, isFramed }: NonNullable<typeof whole>): HttpResult<ToldAnswer> {
    const parsed = parse({ bytes: Buffer.concat(bytes), isFramed })
    const told = parsed.event === 'answered' ? toldAnswer(parsed.value) : parsed
    if (told.event === 'answered') sink.onLast(wholeDelta(told.value))
    return told
  }

  function end(): HttpResult<ToldAnswer> {
    if (whole) return endWhole(whole)
    if (finishReason === null) return cut('ended without a finish reason')
    sink.onLast(last)
    return { event: 'answered', value: { ...collected.answer(), finishReason, usage } }
  }

  return {
    hasBegun: () => hasBegun,
    begin(contentType, isFramed) {
      if (/^text\/event-stream *(;|$)/i.test(contentType)) parser = new EventStreamParser()
      else whole = { bytes: [], size: 0, isFramed }
    },
    read(bytes) {
      if (whole) return readWhole(bytes)
      const next = readEvents(bytes)
      return next === 'closing' && (isDone || usage !== null) ? end() : next
    },
    end,
  }
}

const cut = (detail: string): FailedExchange => ({ event: 'cutBody', detail })

const isEnd = (data: string) => data.trim() === '[DONE]'

function jsonObject(data: string): Record<string, unknown> | null {
  if (hasManyBrackets(data) && isTooDeep(Buffer.from(data))) return null
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Cheaper than a look at every byte, and almost never true. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > maxJsonDepth) return true
    }
  }
  return false
}

/** What we pass on of a part. A lone surrogate cannot be sent as UTF-8. */
function deltaOf(told: Static<typeof ChoiceDelta> | null | undefined): Delta {
  const { content, refusal, tool_calls } = told ?? {}
  return {
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

/** Puts the parts together again, for the store. */
function createCollector(maxBytes: number) {
  const calls = new Map<number, { id: string; name: string; arguments: string }>()
  let content: string | null = null
  let refusal: string | null = null
  let bytes = 0

  function counted(text: string | undefined): string {
    bytes += text === undefined ? 0 : Buffer.byteLength(text)
    return text ?? ''
  }

  return {
    /** False once the answer is too long. */
    add(delta: Delta): boolean {
      if (delta.content !== undefined) content = (content ?? '') + counted(delta.content)
      if (delta.refusal !== undefined) refusal = (refusal ?? '') + counted(delta.refusal)
      for (const { index, id = '', function: called } of delta.tool_calls ?? []) {
        const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
        calls.set(index, call)
        const name = counted(called?.name)
        call.id ||= id
        call.name ||= name
        call.arguments += counted(called?.arguments)
      }
      return bytes <= maxBytes
    },
    answer: () => ({
      content,
      refusal,
      toolCalls: [...calls]
        .sort(([a], [b]) => a - b)
        .map(
          ([, { id, ...called }]): AnsweredCall => ({
            id,
            type: 'function',
            function: called,
          }),
        ),
    }),
  }
}
