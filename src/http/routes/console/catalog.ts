import type { Catalog } from '../../../contract/console/resources.ts'
import type { Mode } from '../../../contract/schemas/products.ts'
import type { MediaSettings } from '../../../providers/media/media-provider.ts'
import type { ModelSettings } from '../../../providers/models/model-provider.ts'
import type { ShopSettings } from '../../../providers/shopping/shop-provider.ts'

/** The named parts of the configuration fit as they are. */
export interface CatalogSettings {
  readonly models: { readonly default: string; readonly providers: Readonly<Record<string, ModelSettings>> }
  readonly media: {
    readonly default: string
    readonly creditsPerSecond: number
    readonly providers: Readonly<Record<string, MediaSettings>>
  }
  readonly shopping: { readonly mode: Mode; readonly providers: Readonly<Record<string, ShopSettings | null>> }
}

/** What callers may know of the providers: no address, no credential, no name that an upstream uses. */
export function catalogOf({ models, media, shopping }: CatalogSettings): Catalog {
  return {
    defaultModelProvider: models.default,
    modelProviders: Object.entries(models.providers).map(([provider, settings]) => modelProvider(provider, settings)),
    mediaCreditsPerSecond: media.creditsPerSecond,
    defaultMediaProvider: media.default,
    mediaProviders: Object.entries(media.providers).map(([provider, { adapter }]) => ({
      provider,
      enabled: adapter !== 'disabled',
      adapter: adapter === 'disabled' ? null : adapter === 'local' ? 'local' : 'remote',
    })),
    shoppingMode: shopping.mode,
    shops: Object.entries(shopping.providers).map(([provider, settings]) => shop(provider, shopping.mode, settings)),
  }
}

function modelProvider(provider: string, settings: ModelSettings): Catalog['modelProviders'][number] {
  if (settings.adapter === 'disabled') {
    return { provider, enabled: false, adapter: null, models: [], defaultModel: null, maxPromptChars: null }
  }
  const models = settings.adapter === 'local' ? [...settings.models] : Object.keys(settings.models)
  return {
    provider,
    enabled: true,
    adapter: settings.adapter === 'local' ? 'local' : 'remote',
    models,
    defaultModel: models[0] ?? null,
    maxPromptChars: settings.maxPromptChars,
  }
}

/** A shop that the file leaves out is served by the fixtures, and disabled where real shops are asked. */
function shop(provider: string, mode: Mode, settings: ShopSettings | null): Catalog['shops'][number] {
  const enabled = !settings?.disabled && (mode === 'local-mock' || settings !== null)
  return { provider, enabled, adapter: enabled ? (mode === 'local-mock' ? 'local' : 'remote') : null }
}
