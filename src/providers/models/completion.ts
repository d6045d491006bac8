import type { ErrorCode } from '../../contract/errors.ts'
import { isLongerThan } from '../../contract/validate.ts'
import { countUnits } from './units.ts'

/** What a chat completion asks for, in the words of the protocol. It was validated, and holds only what is forwarded. */
export interface CompletionBody {
  readonly messages: readonly CompletionMessage[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly tools?: unknown
  readonly tool_choice?: unknown
  readonly response_format?: unknown
}

export interface CompletionMessage {
  readonly role: string
  readonly content?: string | readonly { readonly type: 'text'; readonly text: string }[]
  readonly name?: string
  readonly tool_calls?: unknown
  readonly tool_call_id?: string
}

export interface CompletionQuestion {
  /** An alias. */
  readonly model: string
  readonly body: CompletionBody
  /** Slots and failures are counted per project. */
  readonly projectId: string
  readonly requestId?: string | undefined
  /** Called just before the first byte can leave the process. */
  readonly onSending?: (() => void) | undefined
  /** A completion without content, such as a tool call, breaks the contract. */
  readonly needsContent?: boolean
  /** Gets the response in parts; without it, the whole response is requested at once. */
  readonly sink?: CompletionSink | undefined
}

/** Why a question is refused before credits are reserved. */
export interface ModelRefusal {
  readonly code: ErrorCode
  /** The parameter at fault, in the words of the chat completions protocol. */
  readonly param: string
}

/** Takes the parts of a response while they arrive. It never throws and never waits. */
export interface CompletionSink {
  /** Called for each part but the last. */
  readonly onChunk: (delta: Delta) => void
  /** Called with the last part, just before the outcome. It must not be passed on before the charge is settled. */
  readonly onLast: (delta: Delta) => void
  /** Ends the call because the gateway stops. */
  readonly signal: AbortSignal
}

export interface Delta {
  readonly content?: string
  readonly refusal?: string
  readonly tool_calls?: readonly ToolCallDelta[]
}

interface ToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly type?: 'function'
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

export interface ModelToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface CompletionResponse {
  readonly content: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly ModelToolCall[]
  readonly finishReason: string
  readonly inputUnits: number
  readonly outputUnits: number
  readonly totalUnits: number
}

/** A completion with the usage as the provider reported it. */
export interface ReportedCompletion
  extends Pick<CompletionResponse, 'content' | 'refusal' | 'toolCalls' | 'finishReason'> {
  readonly usage: Usage | null
}

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens?: number | null
}

/** Everything in a request that counts as prompt. */
export function promptOf({ messages, tools, tool_choice, response_format }: CompletionBody): string {
  const parts = messages.flatMap(({ content, name, tool_calls }) => [
    ...(typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text)),
    ...(name === undefined ? [] : [name]),
    ...jsonOf(tool_calls),
  ])
  return [...parts, ...jsonOf(tools), ...jsonOf(tool_choice), ...jsonOf(response_format)].join('')
}

const jsonOf = (value: unknown): string[] => (value === undefined ? [] : [JSON.stringify(value)])

export const refuseLongPrompt = (body: CompletionBody, maxPromptChars: number): ModelRefusal | null =>
  isLongerThan(promptOf(body), maxPromptChars) ? { code: 'PROMPT_TOO_LARGE', param: 'messages' } : null

/** Counts what the provider did not. Null if its numbers are too large. */
export function withCountedUsage(
  { usage, ...response }: ReportedCompletion,
  body: CompletionBody,
): CompletionResponse | null {
  const inputUnits = usage?.prompt_tokens ?? countUnits(promptOf(body))
  const outputUnits = usage?.completion_tokens ?? countUnits(outputOf(response))
  const totalUnits = usage?.total_tokens ?? inputUnits + outputUnits
  return Number.isSafeInteger(totalUnits) ? { ...response, inputUnits, outputUnits, totalUnits } : null
}

export const outputOf = ({ content, refusal, toolCalls }: Omit<ReportedCompletion, 'finishReason' | 'usage'>): string =>
  [content ?? '', refusal ?? '', ...toolCalls.flatMap(({ function: { name, arguments: args } }) => [name, args])].join(
    '',
  )

/** The whole response as one part, for a caller that reads it as a stream. */
export const wholeDelta = ({
  content,
  refusal,
  toolCalls,
}: Omit<ReportedCompletion, 'finishReason' | 'usage'>): Delta => ({
  ...(content !== null && { content }),
  ...(refusal !== null && { refusal }),
  ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call, index) => ({ index, ...call })) }),
})
