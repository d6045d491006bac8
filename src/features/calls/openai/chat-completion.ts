import { timeOfSortableId } from '../../../base/ids.ts'
import type { Delta, ModelToolCall } from '../../../providers/models/completion.ts'
import { wholeDelta } from '../../../providers/models/completion.ts'
import type { OperationResult } from '../../../relay/operations/operation.ts'

/** Usage in the words of the protocol. */
export interface TokenUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
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
      readonly message: {
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
}

/** Named after its charge, so that both can be found by the other. */
const identity = (chargeId: string) => ({
  id: `chatcmpl-${chargeId.replace(/^chg_/, '')}`,
  created: Math.floor((timeOfSortableId(chargeId) ?? 0) / 1000),
})

export function chatCompletion({ completion, usage }: OperationResult<'model.chat'>, chargeId: string): ChatCompletion {
  const { model, response } = completion!
  const { content, refusal, toolCalls, finishReason } = response
  const { id, created } = identity(chargeId)
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage: {
      prompt_tokens: usage.inputUnits,
      completion_tokens: usage.outputUnits,
      total_tokens: usage.totalUnits,
    },
  }
}

export const endOfStream = 'data: [DONE]\n\n'
export const keepAlive = ': waiting\n\n'

/** Writes the chunks of one response. */
export function createChunks({ chargeId, model, includesUsage }: ChunkOptions) {
  const { id, created } = identity(chargeId)
  // The same in every chunk, so it is serialized once.
  const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const noUsage = includesUsage ? ',"usage":null' : ''
  let isFirst = true

  function chunk(delta: Delta, finishReason: string | null): string {
    const shown = isFirst ? { role: 'assistant', content: '', ...delta } : delta
    isFirst = false
    const choice = JSON.stringify({ index: 0, delta: shown, logprobs: null, finish_reason: finishReason })
    return `data: ${head},"choices":[${choice}]${noUsage}}\n\n`
  }

  return {
    part: (delta: Delta) => chunk(delta, null),
    /** The last part, the usage if it was asked for, and the mark that everything is charged and stored. */
    end(last: Delta, { choices: [{ finish_reason }], usage }: ChatCompletion): string {
      const usageChunk = includesUsage ? `data: ${head},"choices":[],"usage":${JSON.stringify(usage)}}\n\n` : ''
      return `${chunk(last, finish_reason)}${usageChunk}${endOfStream}`
    },
  }
}

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
  const { content, refusal, tool_calls = [] } = completion.choices[0].message
  return chunks.part(wholeDelta({ content, refusal, toolCalls: tool_calls })) + chunks.end({}, completion)
}
