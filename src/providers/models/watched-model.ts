import { failureOf } from '../outcome-table.ts'
import type { ProviderWatch } from '../provider-watch.ts'
import type { ModelProvider } from './model-provider.ts'

/** A model whose calls are counted, and refused while an operator has it out of service. */
export const watchedModel = (provider: ModelProvider, watch: ProviderWatch): ModelProvider => ({
  ...provider,
  ask: (question) =>
    watch.isOut ? Promise.resolve(failureOf('model', 'disabled')) : watch.run(() => provider.ask(question)),
})
