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
  /** By name; the provider's `passes` says which of them are forwarded. */
  readonly passed?: Readonly<Record<string, unknown>>
}

/** What a model thought, under the name that its provider gives it. */
export interface Reasoning {
  readonly reasoning_content?: string
  readonly reasoning?: string
}

export interface CompletionMessage extends Reasoning {
  readonly role: string
  readonly content?: string | readonly { readonly type: 'text'; readonly text: string }[]
  readonly refusal?: string
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
  /** Replaces the meaning of the code, for clients of that protocol. */
  readonly message?: string
}

/** Takes the parts of a response while they arrive. It never throws and never waits. */
export interface CompletionSink {
  /** Called for each part but the last, with the fingerprint of the system if the provider has reported one. */
  readonly onChunk: (delta: Delta, systemFingerprint?: string) => void
  /** Called with the last part, just before the outcome. It must not be passed on before the charge is settled. */
  readonly onLast: (delta: Delta) => void
  /** Ends the call because the gateway stops. */
  readonly signal: AbortSignal
}

export interface Delta extends Reasoning {
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

export interface CompletionResponse extends Reasoning, Reported {
  readonly content: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly ModelToolCall[]
  readonly finishReason: string
  readonly inputUnits: number
  readonly outputUnits: number
  readonly totalUnits: number
}

/** Of what the provider reported, what is only passed on. */
interface Reported {
  readonly systemFingerprint?: string
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
}

/** A completion with the usage as the provider reported it. */
export interface ReportedCompletion
  extends Pick<CompletionResponse, 'content' | 'refusal' | 'toolCalls' | 'finishReason' | 'systemFingerprint'>,
    Reasoning {
  readonly usage: Usage | null
}

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens?: number | null
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
}

/** Everything in a request that counts as prompt. */
export function promptOf({ messages, tools, tool_choice, response_format }: CompletionBody): string {
  const parts = messages.flatMap(
    ({ content, refusal = '', name, tool_calls, reasoning_content = '', reasoning = '' }) => [
      ...(typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text)),
      ...(name === undefined ? [] : [name]),
      ...jsonOf(tool_calls),
      refusal,
      reasoning_content,
      reasoning,
    ],
  )
  return [...parts, ...[tools, tool_choice, response_format].flatMap(jsonOf)].join('')
}

const jsonOf = (value: unknown): string[] => (value === undefined ? [] : [JSON.stringify(value)])

export function refuseLongPrompt(body: CompletionBody, maxPromptChars: number): ModelRefusal | null {
  const prompt = promptOf(body) + jsonOf(body.passed).join('')
  if (!isLongerThan(prompt, maxPromptChars)) return null
  const message = `The prompt has ${Array.from(prompt).length} characters; this model takes at most ${maxPromptChars}.`
  return { code: 'PROMPT_TOO_LARGE', param: 'messages', message }
}

/** Counts what the provider did not. Null if its numbers are too large. */
export function withCountedUsage(
  { usage, ...response }: ReportedCompletion,
  body: CompletionBody,
): CompletionResponse | null {
  const inputUnits = usage?.prompt_tokens ?? countUnits(promptOf(body))
  const outputUnits = usage?.completion_tokens ?? countUnits(outputOf(response))
  const totalUnits = usage?.total_tokens ?? inputUnits + outputUnits
  if (!Number.isSafeInteger(totalUnits)) return null
  const { cachedTokens, reasoningTokens } = usage ?? {}
  return {
    ...response,
    ...{ inputUnits, outputUnits, totalUnits },
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

type Output = Omit<ReportedCompletion, 'finishReason' | 'usage'>

export const outputOf = ({ content, refusal, toolCalls, reasoning_content, reasoning }: Output): string =>
  [
    ...[reasoning_content ?? '', reasoning ?? '', content ?? '', refusal ?? ''],
    ...toolCalls.flatMap(({ function: { name, arguments: args } }) => [name, args]),
  ].join('')

/** The reasoning of a message or a part. A lone surrogate cannot be sent as UTF-8. */
export const reasoningOf = ({ reasoning_content, reasoning }: ReasoningReceived): Reasoning => ({
  ...(typeof reasoning_content === 'string' && { reasoning_content: reasoning_content.toWellFormed() }),
  ...(typeof reasoning === 'string' && { reasoning: reasoning.toWellFormed() }),
})

type ReasoningReceived = { readonly [K in keyof Reasoning]?: unknown }

/** The whole response as one part, for a caller that reads it as a stream. */
export const wholeDelta = ({ content, refusal, toolCalls, ...more }: Output): Delta => ({
  ...reasoningOf(more),
  ...(content !== null && { content }),
  ...(refusal !== null && { refusal }),
  ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call, index) => ({ index, ...call })) }),
})
