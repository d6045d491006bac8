import type { BreakerSettings, BreakerState } from '../circuit-breaker.ts'
import type { Outcome } from '../outcome.ts'
import { failureOf } from '../outcome-table.ts'
import type { Credential, UpstreamSettings } from '../upstream.ts'
import { createLocalModel } from './local.ts'
import { createOpenAiModel } from './openai.ts'

export interface ModelProvider {
  /** Aliases that callers may name, the default first; null when the provider is disabled. */
  readonly models: readonly string[] | null
  readonly maxPromptChars: number
  readonly leavesProcess: boolean
  ask(question: Question): Promise<Outcome<ModelAnswer>>
  /** Only of a provider that has a circuit breaker. */
  readonly breakerState?: () => BreakerState
  close(): Promise<void>
}

export interface Question {
  readonly model: string
  readonly prompt: string
  /** Whose question it is: places and failures are counted for each project. */
  readonly projectId: string
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
}

export interface OpenAiModelSettings extends UpstreamSettings {
  readonly adapter: 'openai'
  /** Alias to upstream name. */
  readonly models: Readonly<Record<string, string>>
  readonly maxPromptChars: number
  readonly breaker: BreakerSettings
}

export type ModelSettings = LocalModelSettings | OpenAiModelSettings | { readonly adapter: 'disabled' }

export function createModelProvider(settings: ModelSettings, credential: Credential): ModelProvider {
  switch (settings.adapter) {
    case 'local':
      return createLocalModel(settings)
    case 'openai':
      return createOpenAiModel(settings, credential)
    case 'disabled':
      return disabledModel
  }
}

const disabledModel: ModelProvider = {
  models: null,
  maxPromptChars: Number.MAX_SAFE_INTEGER,
  leavesProcess: false,
  ask: async () => failureOf('model', 'disabled'),
  close: async () => {},
}
