import type { BreakerSettings, BreakerState } from '../circuit-breaker.ts'
import type { Outcome } from '../outcome.ts'
import type { UpstreamSettings } from '../upstream.ts'
import type { CompletionAnswer, CompletionQuestion } from './completion.ts'

export interface ModelProvider {
  /** Aliases that callers may use, the default first; null when the provider is disabled. */
  readonly models: readonly string[] | null
  readonly maxPromptChars: number
  /** Bounds what one call costs the operator, whose price is fixed. */
  readonly maxOutputTokens: number
  readonly leavesProcess: boolean
  ask(question: Question): Promise<Outcome<ModelAnswer>>
  /** Answers a whole conversation, in parts if the question has a sink. */
  complete(question: CompletionQuestion): Promise<Outcome<CompletionAnswer>>
  readonly breakerState?: () => BreakerState
  close(): Promise<void>
}

export interface Question {
  readonly model: string
  readonly prompt: string
  /** Slots and failures are counted per project. */
  readonly projectId: string
  readonly requestId?: string | undefined
  /** Called just before the first byte can leave the process. */
  readonly onSending?: (() => void) | undefined
}

export interface ModelAnswer {
  readonly output: string
  readonly inputUnits: number
  readonly outputUnits: number
  readonly totalUnits: number
}

export interface LocalModelSettings {
  readonly adapter: 'local'
  readonly models: readonly string[]
  readonly maxPromptChars: number
  readonly maxOutputTokens: number
}

export interface OpenAiModelSettings extends UpstreamSettings {
  readonly adapter: 'openai'
  /** Alias to the provider's own model name. */
  readonly models: Readonly<Record<string, string>>
  readonly maxPromptChars: number
  readonly maxOutputTokens: number
  /** Of a whole stream; `timeoutMs` is its longest silence. */
  readonly streamTimeoutMs: number
  /** What becomes of a charge whose stream broke off after it had begun. */
  readonly onCutStream: 'review' | 'release'
  readonly breaker: BreakerSettings
}

export type ModelSettings = LocalModelSettings | OpenAiModelSettings | { readonly adapter: 'disabled' }
