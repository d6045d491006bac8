import type { BreakerSettings, BreakerState } from '../circuit-breaker.ts'
import type { Outcome } from '../outcome.ts'
import type { UpstreamSettings } from '../upstream.ts'
import type { CompletionBody, CompletionQuestion, CompletionResponse, ModelRefusal } from './completion.ts'

export interface ModelProvider {
  /** Aliases that callers may use, the default first; null when the provider is disabled. */
  readonly models: readonly string[] | null
  readonly leavesProcess: boolean
  /** Why it cannot take a request. Asked before credits are reserved, so it must not depend on anything but the request. */
  refuse(body: CompletionBody): ModelRefusal | null
  /** Completes a conversation, in parts if the question has a sink. */
  complete(question: CompletionQuestion): Promise<Outcome<CompletionResponse>>
  readonly breakerState?: () => BreakerState
  close(): Promise<void>
}

export interface LocalModelSettings {
  readonly adapter: 'local'
  readonly models: readonly string[]
  readonly maxPromptChars: number
  readonly maxOutputTokens: number
}

/** The adapters over HTTP; `create-model.ts` has the protocol of each. */
export type HttpAdapter = 'openai'

export interface HttpModelSettings extends UpstreamSettings {
  readonly adapter: HttpAdapter
  /** Alias to the provider's own model name. */
  readonly models: Readonly<Record<string, string>>
  readonly maxPromptChars: number
  /** Bounds what one call costs the operator, whose price is fixed. */
  readonly maxOutputTokens: number
  /** The provider's name for the limit of output. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens' | 'both'
  /** Parameters of a request that are sent as they are. */
  readonly passes: readonly string[]
  /** Of a whole stream; `timeoutMs` is its longest silence. */
  readonly streamTimeoutMs: number
  /** What becomes of a charge whose stream broke off or failed after it had begun. */
  readonly onCutStream: 'review' | 'release'
  readonly breaker: BreakerSettings
}

export type ModelSettings = LocalModelSettings | HttpModelSettings | { readonly adapter: 'disabled' }
