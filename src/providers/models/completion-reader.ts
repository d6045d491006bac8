import { jsonBody } from '../http/client.ts'
import type { BodyReader, FailedExchange, HttpResult } from '../http/exchange.ts'
import {
  type CompletionSink,
  type Delta,
  type ModelToolCall,
  type Reasoning,
  type ReportedCompletion,
  type Usage,
  wholeDelta,
} from './completion.ts'
import { EventStreamParser, type ServerEvent, StreamBreach } from './event-stream.ts'
import type { EventReader, ModelProtocol, StreamStep } from './protocol.ts'

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
  const stream = new StreamReader(protocol.reader(), sink, maxOutputTokens)
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

/** Reads the events of one stream. */
class StreamReader implements Omit<CompletionReader, 'begin'> {
  readonly #parser = new EventStreamParser()
  readonly #events: EventReader
  readonly #sink: CompletionSink
  readonly #collected: ReturnType<typeof createCollector>
  #hasBegun = false
  #finishReason: string | null = null
  #last: Delta = {}
  #usage: Usage | null = null
  #systemFingerprint: string | undefined
  #isDone = false
  #fault: FailedExchange | null = null

  constructor(events: EventReader, sink: CompletionSink, maxOutputTokens: number) {
    this.#events = events
    this.#sink = sink
    this.#collected = createCollector(Math.min(maxCollectedBytes, maxOutputTokens * maxBytesPerToken))
  }

  readonly hasBegun = () => this.#hasBegun

  read(bytes: Buffer): 'more' | 'closing' | HttpResult<ReportedCompletion> {
    const next = this.#readEvents(bytes)
    return next === 'closing' && (this.#isDone || this.#usage !== null) ? this.end() : next
  }

  end(): HttpResult<ReportedCompletion> {
    if (this.#finishReason === null) return cut
    this.#sink.onLast(this.#last)
    const reported = {
      finishReason: this.#finishReason,
      usage: this.#usage,
      ...(this.#systemFingerprint !== undefined && { systemFingerprint: this.#systemFingerprint }),
    }
    return { event: 'answered', value: { ...this.#collected.response(), ...reported } }
  }

  #readEvents(bytes: Buffer): 'more' | 'closing' | FailedExchange {
    this.#fault = null
    try {
      this.#parser.parse(bytes, this.#takeEvent)
      if (this.#fault) return this.#fault
    } catch (error) {
      if (!(error instanceof StreamBreach)) throw error
      if (this.#finishReason === null) return { event: 'contractBroken', detail: error.message }
      this.#isDone = true
    }
    return this.#finishReason === null ? 'more' : 'closing'
  }

  readonly #takeEvent = (event: ServerEvent): boolean => {
    if (!this.#isDone) this.#fault = this.#readEvent(event)
    return !this.#isDone && this.#fault === null
  }

  #readEvent(event: ServerEvent): FailedExchange | null {
    const isFinished = this.#finishReason !== null
    const step = this.#events.read(event, isFinished)
    if ('event' in step) return isFinished ? null : step
    this.#usage = step.usage ?? this.#usage
    this.#systemFingerprint ??= step.systemFingerprint
    if (step.isEnd) this.#isDone = true
    return isFinished ? null : this.#take(step)
  }

  #take({ delta, finishReason, isEnd }: StreamStep): FailedExchange | null {
    if (delta && !this.#collected.add(delta)) {
      if (!this.#hasBegun) return tooLong
      // What was passed on is paid for, so the output ends here.
      this.#finishReason = 'length'
      this.#isDone = true
    } else if (finishReason) {
      this.#finishReason = finishReason.toWellFormed()
      this.#last = delta ?? {}
    } else if (isEnd) return cut
    else if (delta) {
      this.#hasBegun = true
      this.#sink.onChunk(delta, this.#systemFingerprint)
    }
    return null
  }
}

const tooLong: FailedExchange = { event: 'oversized', detail: 'the output is too long' }
const cut: FailedExchange = { event: 'cutBody', detail: 'ended without a finish reason' }

/** Puts the parts together again, for the store. */
function createCollector(maxBytes: number) {
  const calls = new Map<number, { id: string; name: string; arguments: string }>()
  let content: string | null = null
  let refusal: string | null = null
  const reasoning: { -readonly [K in keyof Reasoning]: Reasoning[K] } = {}
  let bytes = 0

  return {
    /** False, without adding it, if the response would be too long. */
    add(delta: Delta): boolean {
      bytes += bytesOf(delta)
      if (bytes > maxBytes) return false
      if (delta.content !== undefined) content = (content ?? '') + delta.content
      if (delta.reasoning_content !== undefined)
        reasoning.reasoning_content = (reasoning.reasoning_content ?? '') + delta.reasoning_content
      if (delta.reasoning !== undefined) reasoning.reasoning = (reasoning.reasoning ?? '') + delta.reasoning
      if (delta.refusal !== undefined) refusal = (refusal ?? '') + delta.refusal
      for (const { index, id = '', function: called } of delta.tool_calls ?? []) {
        const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
        calls.set(index, call)
        call.id ||= id
        call.name ||= called?.name ?? ''
        call.arguments += called?.arguments ?? ''
      }
      return true
    },
    response: () => ({
      ...reasoning,
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

function bytesOf(delta: Delta): number {
  let bytes = byteLength(delta.content) + byteLength(delta.refusal)
  bytes += byteLength(delta.reasoning_content) + byteLength(delta.reasoning)
  for (const { id, function: called } of delta.tool_calls ?? [])
    bytes += byteLength(id) + byteLength(called?.name) + byteLength(called?.arguments)
  return bytes
}

const byteLength = (text: string | undefined) => (text ? Buffer.byteLength(text) : 0)
