import type { TraceHeaders } from '../http-call.ts'
import { failureOf } from '../outcome-table.ts'
import type { Credential } from '../upstream.ts'
import { createLocalModel } from './local.ts'
import type { ModelProvider, ModelSettings } from './model-provider.ts'
import { createOpenAiModel } from './openai.ts'

export function createModelProvider(
  settings: ModelSettings,
  credential: Credential,
  traceHeaders?: TraceHeaders,
): ModelProvider {
  switch (settings.adapter) {
    case 'local':
      return createLocalModel(settings)
    case 'openai':
      return createOpenAiModel(settings, credential, traceHeaders)
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
