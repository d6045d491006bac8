import { type Static, Type } from 'typebox'
import { Count, conforms } from '../conforms.ts'
import type { HttpResult } from '../json-call.ts'
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
  readonly projectId: string
  readonly requestId?: string | undefined
  readonly onSending?: (() => void) | undefined
  /** Gets the answer in parts; without it the answer is asked for as a whole. */
  readonly sink?: CompletionSink | undefined
}

/** Takes the parts of an answer while they arrive. It never throws and never waits. */
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

export interface AnsweredCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** The whole answer. */
export interface CompletionAnswer {
  readonly content: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly AnsweredCall[]
  readonly finishReason: string
  readonly inputUnits: number
  readonly outputUnits: number
  readonly totalUnits: number
}

/** The same, with the usage as the provider told it. */
export interface ToldAnswer extends Pick<CompletionAnswer, 'content' | 'refusal' | 'toolCalls' | 'finishReason'> {
  readonly usage: Usage | null
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

/** The limit of output that is sent upstream: under the caller's own name for it, and never above the provider's. */
export function boundOutput(body: CompletionBody, maxOutputTokens: number): CompletionBody {
  return body.max_completion_tokens === undefined
    ? { ...body, max_tokens: Math.min(body.max_tokens ?? maxOutputTokens, maxOutputTokens) }
    : { ...body, max_completion_tokens: Math.min(body.max_completion_tokens, maxOutputTokens) }
}

export const UsageSchema = Type.Object({
  prompt_tokens: Count(),
  completion_tokens: Count(),
  total_tokens: Type.Optional(Type.Union([Count(), Type.Null()])),
})
export type Usage = Static<typeof UsageSchema>

export const optional = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Completion = Type.Object({
  choices: Type.Array(
    Type.Object({
      message: Type.Object({
        content: optional(Type.String()),
        refusal: optional(Type.String()),
        tool_calls: optional(
          Type.Array(
            Type.Object({
              id: Type.String({ minLength: 1, maxLength: 512 }),
              function: Type.Object({ name: Type.String(), arguments: Type.String() }),
            }),
            { maxItems: 128 },
          ),
        ),
      }),
      finish_reason: optional(Type.String({ maxLength: 64 })),
    }),
    { minItems: 1 },
  ),
  usage: optional(UsageSchema),
})
const check = conforms(Completion)

/** Checks a whole `chat.completion`. */
export function toldAnswer(response: unknown): HttpResult<ToldAnswer> {
  const completion = check(response)
  if (!completion.ok) return { event: 'contractBroken', detail: completion.fault }
  const { choices, usage } = completion.value
  const { message, finish_reason } = choices[0]!
  const toolCalls = (message.tool_calls ?? []).map(
    ({ id, function: called }): AnsweredCall => ({
      id: id.toWellFormed(),
      type: 'function',
      function: { name: called.name.toWellFormed(), arguments: called.arguments.toWellFormed() },
    }),
  )
  const value = {
    // A lone surrogate cannot be stored or sent as UTF-8.
    content: message.content?.toWellFormed() ?? null,
    refusal: message.refusal?.toWellFormed() ?? null,
    toolCalls,
    // Some clients fail without it.
    finishReason: finish_reason?.toWellFormed() || (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usage ?? null,
  }
  return { event: 'answered', value }
}

/** Counts what the provider did not. Null if its numbers are too large. */
export function countedAnswer({ usage, ...answer }: ToldAnswer, body: CompletionBody): CompletionAnswer | null {
  const inputUnits = usage?.prompt_tokens ?? countUnits(promptOf(body))
  const outputUnits = usage?.completion_tokens ?? countUnits(outputOf(answer))
  const totalUnits = usage?.total_tokens ?? inputUnits + outputUnits
  return Number.isSafeInteger(totalUnits) ? { ...answer, inputUnits, outputUnits, totalUnits } : null
}

export const outputOf = ({ content, refusal, toolCalls }: Omit<ToldAnswer, 'finishReason' | 'usage'>): string =>
  [content ?? '', refusal ?? '', ...toolCalls.flatMap(({ function: { name, arguments: args } }) => [name, args])].join(
    '',
  )

/** The whole answer as one part, for a caller that reads it as a stream. */
export const wholeDelta = ({ content, refusal, toolCalls }: Omit<ToldAnswer, 'finishReason' | 'usage'>): Delta => ({
  ...(content !== null && { content }),
  ...(refusal !== null && { refusal }),
  ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call, index) => ({ index, ...call })) }),
})
