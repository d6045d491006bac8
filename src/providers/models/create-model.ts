import { failureOf } from '../outcome.ts'
import type { CallHooks, Credential } from '../upstream.ts'
import { createHttpModel } from './http-model.ts'
import { createLocalModel } from './local.ts'
import type { HttpAdapter, ModelProvider, ModelSettings } from './model-provider.ts'
import { openAiProtocol } from './openai.ts'
import type { ModelProtocol } from './protocol.ts'

/** By the adapter of their settings. */
export const protocols: Readonly<Record<HttpAdapter, ModelProtocol>> = {
  openai: openAiProtocol,
}

export function createModel(settings: ModelSettings, credential: Credential, hooks?: CallHooks): ModelProvider {
  switch (settings.adapter) {
    case 'local':
      return createLocalModel(settings)
    case 'disabled':
      return disabledModel
    default:
      return createHttpModel(settings, protocols[settings.adapter], credential, hooks)
  }
}

const disabledModel: ModelProvider = {
  models: null,
  leavesProcess: false,
  refuse: () => null,
  complete: async () => failureOf('model', 'disabled'),
  close: async () => {},
}
