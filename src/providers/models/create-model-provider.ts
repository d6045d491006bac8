import type { TraceHeaders } from '../http-call.ts'
import { failureOf } from '../outcome.ts'
import type { ProviderWatch } from '../provider-watch.ts'
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

/** A model whose calls are counted, and refused while an operator has it out of service. */
export const watchedModel = (provider: ModelProvider, watch: ProviderWatch): ModelProvider => ({
  ...provider,
  ask: (question) =>
    watch.isOut ? Promise.resolve(failureOf('model', 'disabled')) : watch.run(() => provider.ask(question)),
})
