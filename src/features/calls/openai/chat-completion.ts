import { timeOfSortableId } from '../../../base/ids.ts'
import {
  type CompletionResponse,
  type Delta,
  type ModelToolCall,
  type Reasoning,
  reasoningOf,
  wholeDelta,
} from '../../../providers/models/completion.ts'
import type { OperationResult } from '../../../relay/operations/operation.ts'

/** Usage in the words of the protocol. */
export interface TokenUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details?: { readonly cached_tokens: number }
  readonly completion_tokens_details?: { readonly reasoning_tokens: number }
}

/** The whole response, as it is stored and sent. */
export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly [
    {
      readonly index: 0
      readonly message: Reasoning & {
        readonly role: 'assistant'
        readonly content: string | null
        readonly refusal: string | null
        readonly tool_calls?: readonly ModelToolCall[]
      }
      readonly logprobs: null
      readonly finish_reason: string
    },
  ]
  readonly usage: TokenUsage
  readonly system_fingerprint?: string
}

/** Named after its charge, so that both can be found by the other. */
const identity = (chargeId: string) => ({
  id: `chatcmpl-${chargeId.replace(/^chg_/, '')}`,
  created: Math.floor((timeOfSortableId(chargeId) ?? 0) / 1000),
})

export function chatCompletion({ completion, usage }: OperationResult<'model.chat'>, chargeId: string): ChatCompletion {
  const { model, response } = completion!
  const { content, refusal, toolCalls, finishReason, systemFingerprint } = response
  const { id, created } = identity(chargeId)
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          ...{ role: 'assistant', content, refusal },
          ...reasoningOf(response),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage: tokenUsage(usage, response),
    ...(systemFingerprint !== undefined && { system_fingerprint: systemFingerprint }),
  }
}

const tokenUsage = (
  { inputUnits, outputUnits, totalUnits }: OperationResult<'model.chat'>['usage'],
  { cachedTokens, reasoningTokens }: CompletionResponse,
): TokenUsage => ({
  prompt_tokens: inputUnits,
  completion_tokens: outputUnits,
  total_tokens: totalUnits,
  ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
})

export const endOfStream = 'data: [DONE]\n\n'
export const keepAlive = ': waiting\n\n'

/** Writes the chunks of one response. */
export function createChunks({ chargeId, model, includesUsage }: ChunkOptions) {
  const { id, created } = identity(chargeId)
  // The same in every chunk, so it is serialized once.
  const head = `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)}`
  const tail = (finishReason: string | null) =>
    `,"logprobs":null,"finish_reason":${JSON.stringify(finishReason)}}]${includesUsage ? ',"usage":null' : ''}}\n\n`
  const unfinished = tail(null)
  let isFirst = true

  function chunk(delta: Delta, end: string, fingerprint: string | undefined): string {
    const shown = isFirst ? { role: 'assistant', content: '', ...delta } : delta
    isFirst = false
    return `${head}${systemOf(fingerprint)},"choices":[{"index":0,"delta":${JSON.stringify(shown)}${end}`
  }

  return {
    part: (delta: Delta, systemFingerprint?: string) => chunk(delta, unfinished, systemFingerprint),
    /** The last part, the usage if it was asked for, and the mark that everything is charged and stored. */
    end(last: Delta, { choices: [{ finish_reason }], usage, system_fingerprint }: ChatCompletion): string {
      const usageHead = `${head}${systemOf(system_fingerprint)}`
      const usageChunk = includesUsage ? `${usageHead},"choices":[],"usage":${JSON.stringify(usage)}}\n\n` : ''
      return `${chunk(last, tail(finish_reason), system_fingerprint)}${usageChunk}${endOfStream}`
    },
  }
}

const systemOf = (fingerprint: string | undefined) =>
  fingerprint === undefined ? '' : `,"system_fingerprint":${JSON.stringify(fingerprint)}`

export interface ChunkOptions {
  readonly chargeId: string
  readonly model: string
  readonly includesUsage: boolean
}

/** A stored response as a short stream. */
export function shortStream(
  completion: ChatCompletion,
  { chargeId, includesUsage }: Omit<ChunkOptions, 'model'>,
): string {
  const chunks = createChunks({ chargeId, model: completion.model, includesUsage })
  const { tool_calls: toolCalls = [], ...message } = completion.choices[0].message
  return chunks.part(wholeDelta({ ...message, toolCalls }), completion.system_fingerprint) + chunks.end({}, completion)
}
