import type { Mode } from '../../contract/schemas/products.ts'
import type { BreakerState } from '../../providers/circuit-breaker.ts'
import type { TraceHeaders } from '../../providers/http-call.ts'
import { createLocalModel } from '../../providers/models/local.ts'
import type { ModelProvider, ModelSettings } from '../../providers/models/model-provider.ts'
import { createOpenAiModel } from '../../providers/models/openai.ts'
import { failureOf } from '../../providers/outcome.ts'
import { createProviderWatch, type ProviderWatch } from '../../providers/provider-watch.ts'
import { createHttpShop } from '../../providers/shopping/http.ts'
import { createLocalShop } from '../../providers/shopping/local.ts'
import type { ShopProvider, ShopSettings } from '../../providers/shopping/shop-provider.ts'
import type { Credential } from '../../providers/upstream.ts'
import { createAgent, createChat } from './chat.ts'
import type { BusinessOperations, SnapshotReader } from './operation.ts'
import { createLinks, createPick } from './pick.ts'
import { createSearch, createSearchCache } from './search.ts'

/** `models` and `shopping` are parts of the configuration as they are. */
export interface OperationsOptions {
  readonly models: { readonly default: string; readonly providers: Readonly<Record<string, ModelSettings>> }
  readonly shopping: {
    readonly mode: Mode
    readonly cacheSeconds: number
    readonly cachePerProject?: number
    readonly providers: Readonly<Record<string, ShopSettings | null>>
  }
  readonly credential: Credential
  readonly traceHeaders?: TraceHeaders | undefined
  readonly snapshots: SnapshotReader
  readonly clock: () => number
}

export interface Operations {
  readonly operations: BusinessOperations
  /** Every provider with its switch and its recent outcomes. */
  readonly providers: readonly WatchedProvider[]
  /** For the model providers that have a circuit breaker. */
  breakerStates(): Record<string, BreakerState>
  /** Closes every connection; calls under way become uncertain. */
  close(): Promise<void>
}

export interface WatchedProvider {
  readonly kind: 'model' | 'shop'
  readonly name: string
  readonly adapter: string
  readonly maxConcurrent: number | null
  readonly breakerState: () => BreakerState | null
  readonly watch: ProviderWatch
}

/** The billable operations over the configured providers. */
export function createOperations(options: OperationsOptions): Operations {
  const { shopping, credential, traceHeaders, snapshots, clock } = options
  const watched: WatchedProvider[] = []
  const models = new Map(
    Object.entries(options.models.providers).map(([name, settings]) => {
      const provider = createModel(settings, credential, traceHeaders)
      const watch = createProviderWatch()
      watched.push({
        kind: 'model',
        name,
        adapter: settings.adapter,
        maxConcurrent: 'maxConcurrent' in settings ? settings.maxConcurrent : null,
        breakerState: () => provider.breakerState?.() ?? null,
        watch,
      })
      const ask = watch.watched('model', provider.ask)
      return [name, { ...provider, ask, complete: watch.watched('model', provider.complete) }]
    }),
  )
  const shopProviders = Object.entries(shopping.providers).map(([name, settings], shopIndex) => {
    const provider = createShop(name, shopIndex, options)
    const watch = createProviderWatch()
    watched.push({
      kind: 'shop',
      name,
      adapter: provider === null ? 'disabled' : shopping.mode,
      maxConcurrent: provider?.leavesProcess ? (settings?.maxConcurrent ?? null) : null,
      breakerState: () => null,
      watch,
    })
    return [name, provider && watchedShop(provider, watch)] as const
  })
  const shops = { mode: shopping.mode, providers: new Map(shopProviders) }
  const newCache = () => createSearchCache({ ...shopping, clock })
  const pickOptions = { mode: shopping.mode, snapshots }
  const pick = {
    ...createPick(pickOptions),
    'pick.search': createSearch<'pick.search'>(shops, newCache()),
  }
  return {
    operations: {
      ...pick,
      'agent.run': createAgent(pick),
      'model.chat': createChat({ default: options.models.default, providers: models }),
      'shopping.search': createSearch<'shopping.search'>(shops, newCache()),
      'pick.links': createLinks(shops, pickOptions),
    },
    providers: watched,
    breakerStates: () =>
      Object.fromEntries(
        [...models].flatMap(([name, model]) => (model.breakerState ? [[name, model.breakerState()]] : [])),
      ),
    async close() {
      await Promise.all([...models.values(), ...shops.providers.values()].map((provider) => provider?.close()))
    },
  }
}

function createModel(settings: ModelSettings, credential: Credential, traceHeaders?: TraceHeaders): ModelProvider {
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
  maxOutputTokens: 0,
  leavesProcess: false,
  ask: async () => failureOf('model', 'disabled'),
  complete: async () => failureOf('model', 'disabled'),
  close: async () => {},
}

function createShop(name: string, shopIndex: number, options: OperationsOptions): ShopProvider | null {
  const { mode, providers } = options.shopping
  const shop = providers[name]
  if (shop?.disabled) return null
  if (mode === 'local-mock') return createLocalShop(name, shopIndex)
  return shop ? createHttpShop(name, shop, options.credential, options.traceHeaders) : null
}

const watchedShop = (provider: ShopProvider, watch: ProviderWatch): ShopProvider => ({
  ...provider,
  isOut: () => watch.isOut,
  search: watch.watched('shop', provider.search),
  links: watch.watched('shop', provider.links),
})
