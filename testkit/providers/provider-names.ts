import type { ProviderNames } from '../../src/contract/choices.ts'

/** The provider identifiers of an unconfigured gateway. */
export const providerNames: ProviderNames = {
  models: ['model_provider_a', 'model_provider_b', 'model_provider_c'],
  shops: ['shop_provider_a', 'shop_provider_b', 'shop_provider_c'],
}
