import { jsonBody } from '../http/client.ts'
import type { BodyReader, FailedExchange, HttpResult } from '../http/exchange.ts'
import {
  type CompletionSink,
  type Delta,
  type ModelToolCall,
  type ReportedCompletion,
  type Usage,
  wholeDelta,
} from './completion.ts'
import { EventStreamParser, type ServerEvent, StreamBreach } from './event-stream.ts'
import type { ModelProtocol } from './protocol.ts'

/** Of all texts of a completion, in bytes. */
const maxCollectedBytes = 1_048_576
/** The longest tokens of common vocabularies are runs of 128 spaces, so no output within its limit of tokens is longer. */
const maxBytesPerToken = 128

export interface CompletionReader extends BodyReader<ReportedCompletion> {
  /** Whether a part of the completion has arrived. */
  readonly hasBegun: () => boolean
}

/**
 * Reads a completion while it arrives, and passes its parts on. The first event with a finish reason ends it. A provider that
 * ignores `stream` and responds with JSON is understood too.
 */
export function createCompletionReader(
  protocol: Pick<ModelProtocol, 'reader' | 'whole'>,
  sink: CompletionSink,
  maxOutputTokens: number,
): CompletionReader {
  const stream = createStreamReader(protocol, sink, maxOutputTokens)
  const json = jsonBody()
  let isStream = false

  function endWhole(): HttpResult<ReportedCompletion> {
    const parsed = json.end()
    const result = parsed.event === 'answered' ? protocol.whole(parsed.value) : parsed
    if (result.event === 'answered') sink.onLast(wholeDelta(result.value))
    return result
  }

  return {
    hasBegun: stream.hasBegun,
    begin(head) {
      isStream = /^text\/event-stream *(;|$)/i.test(head.header('content-type') ?? '')
      return json.begin(head)
    },
    read: (bytes) => (isStream ? stream.read(bytes) : (json.read(bytes) as 'more' | FailedExchange)),
    end: () => (isStream ? stream.end() : endWhole()),
  }
}

function createStreamReader(
  protocol: Pick<ModelProtocol, 'reader'>,
  sink: CompletionSink,
  maxOutputTokens: number,
): Omit<CompletionReader, 'begin'> {
  const collected = createCollector(Math.min(maxCollectedBytes, maxOutputTokens * maxBytesPerToken))
  const parser = new EventStreamParser()
  const events = protocol.reader()
  let hasBegun = false
  let finishReason: string | null = null
  let last: Delta = {}
  let usage: Usage | null = null
  let isDone = false

  function readEvent(event: ServerEvent): FailedExchange | null {
    const isFinished = finishReason !== null
    const step = events.read(event, isFinished)
    if ('event' in step) return isFinished ? null : step
    usage = step.usage ?? usage
    if (step.isEnd) isDone = true
    if (isFinished) return null
    if (step.delta && !collected.add(step.delta)) return { event: 'oversized', detail: 'the output is too long' }
    if (step.finishReason) {
      finishReason = step.finishReason.toWellFormed()
      last = step.delta ?? {}
    } else if (step.isEnd) return cut
    else if (step.delta) {
      hasBegun = true
      sink.onChunk(step.delta)
    }
    return null
  }

  function readEvents(bytes: Buffer): 'more' | 'closing' | FailedExchange {
    try {
      for (const event of parser.parse(bytes)) {
        if (isDone) break
        const fault = readEvent(event)
        if (fault) return fault
      }
    } catch (error) {
      if (!(error instanceof StreamBreach)) throw error
      if (finishReason === null) return { event: 'contractBroken', detail: error.message }
      isDone = true
    }
    return finishReason === null ? 'more' : 'closing'
  }

  function end(): HttpResult<ReportedCompletion> {
    if (finishReason === null) return cut
    sink.onLast(last)
    return { event: 'answered', value: { ...collected.response(), finishReason, usage } }
  }

  return {
    hasBegun: () => hasBegun,
    read(bytes) {
      const next = readEvents(bytes)
      return next === 'closing' && (isDone || usage !== null) ? end() : next
    },
    end,
  }
}

const cut: FailedExchange = { event: 'cutBody', detail: 'ended without a finish reason' }

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
    /** False once the response is too long. */
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
    response: () => ({
      content,
      refusal,
      toolCalls: [...calls]
        .sort(([a], [b]) => a - b)
        .map(
          ([, { id, ...called }]): ModelToolCall => ({
            id,
            type: 'function',
            function: called,
          }),
        ),
    }),
  }
}
