import type { Mode } from '../../contract/schemas/products.ts'
import type { BreakerState } from '../../providers/circuit-breaker.ts'
import type { DenialLog } from '../../providers/denials.ts'
import { createModel } from '../../providers/models/create-model.ts'
import type { ModelSettings } from '../../providers/models/model-provider.ts'
import { byOutcome, createProviderWatch, type ProviderWatch, watchProvider } from '../../providers/provider-watch.ts'
import { createHttpShop } from '../../providers/shopping/http.ts'
import { createLocalShop } from '../../providers/shopping/local.ts'
import type { ShopProvider, ShopSettings } from '../../providers/shopping/shop-provider.ts'
import type { CallHooks, Credential, TraceHeaders } from '../../providers/upstream.ts'
import { createAgent, createChat } from './chat.ts'
import type { BusinessOperations, SnapshotReader } from './operation.ts'
import { createLinks, createPick } from './pick.ts'
import { createSearchCache, createShopSearch } from './search.ts'

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
  readonly denials?: DenialLog | undefined
  readonly snapshots: SnapshotReader
  readonly clock: () => number
}

export interface Operations {
  readonly operations: BusinessOperations
  /** Every provider with its switch and its recent outcomes. */
  readonly providers: readonly WatchedProvider[]
  /** For the model providers that have a circuit breaker. */
  breakerStates(): Record<string, BreakerState>
  /** Closes every connection; calls in progress become uncertain. */
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
  const { shopping, snapshots, clock } = options
  const models = watchedModels(options)
  const shops = watchedShops(options)
  const found = { mode: shopping.mode, providers: new Map(shops.map(({ name, provider }) => [name, provider])) }
  const newCache = () => createSearchCache({ ...shopping, clock })
  const pickOptions = { mode: shopping.mode, snapshots }
  const pick = {
    ...createPick(pickOptions),
    'pick.search': createShopSearch<'pick.search'>(found, newCache()),
  }
  const modelProviders = new Map(models.map(({ name, provider }) => [name, provider]))
  return {
    operations: {
      ...pick,
      'agent.run': createAgent(pick),
      'model.chat': createChat({ default: options.models.default, providers: modelProviders }),
      'shopping.search': createShopSearch<'shopping.search'>(found, newCache()),
      'pick.links': createLinks(found, pickOptions),
    },
    providers: [...models, ...shops].map(({ provider: _, ...watched }) => watched),
    breakerStates: () =>
      Object.fromEntries(
        models.flatMap(({ name, provider }) => (provider.breakerState ? [[name, provider.breakerState()]] : [])),
      ),
    async close() {
      await Promise.all([...models, ...shops].map(({ provider }) => provider?.close()))
    },
  }
}

const hooksOf = ({ traceHeaders, denials }: OperationsOptions, provider: string): CallHooks => ({
  traceHeaders,
  onDenied: denials?.(provider),
})

const watchedModels = (options: OperationsOptions) =>
  Object.entries(options.models.providers).map(([name, settings]) => {
    const provider = createModel(settings, options.credential, hooksOf(options, `model/${name}`))
    const watch = createProviderWatch()
    return {
      kind: 'model' as const,
      name,
      adapter: settings.adapter,
      maxConcurrent: 'maxConcurrent' in settings ? settings.maxConcurrent : null,
      breakerState: () => provider.breakerState?.() ?? null,
      watch,
      provider: watchProvider(provider, watch, { complete: byOutcome('model') }),
    }
  })

const watchedShops = (options: OperationsOptions) =>
  Object.entries(options.shopping.providers).map(([name, settings], shopIndex) => {
    const provider = createShop(name, shopIndex, options)
    const watch = createProviderWatch()
    return {
      kind: 'shop' as const,
      name,
      adapter: provider === null ? 'disabled' : options.shopping.mode,
      maxConcurrent: provider?.leavesProcess ? (settings?.maxConcurrent ?? null) : null,
      breakerState: () => null,
      watch,
      provider: provider && {
        ...watchProvider(provider, watch, { search: byOutcome('shop'), links: byOutcome('shop') }),
        isOut: () => watch.isOut,
      },
    }
  })

function createShop(name: string, shopIndex: number, options: OperationsOptions): ShopProvider | null {
  const { mode, providers } = options.shopping
  const shop = providers[name]
  if (shop?.disabled) return null
  if (mode === 'local-mock') return createLocalShop(name, shopIndex)
  return shop ? createHttpShop(name, shop, options.credential, hooksOf(options, `shop/${name}`)) : null
}
