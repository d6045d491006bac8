import type { Mode } from '../../contract/schemas/products.ts'
import type { TraceHeaders } from '../http-call.ts'
import { failureOf } from '../outcome.ts'
import type { ProviderWatch } from '../provider-watch.ts'
import type { Credential } from '../upstream.ts'
import { createHttpShop } from './http.ts'
import { createLocalShop } from './local.ts'
import type { ShopProvider, ShopSettings } from './shop-provider.ts'

/** In the configured order; a disabled shop is null. */
export function createShopProviders(
  mode: Mode,
  settings: Readonly<Record<string, ShopSettings | null>>,
  credential: Credential,
  traceHeaders?: TraceHeaders,
): ReadonlyMap<string, ShopProvider | null> {
  const names = Object.keys(settings)
  const create = (name: string, shopIndex: number): ShopProvider | null => {
    const shop = settings[name]
    if (shop?.disabled) return null
    if (mode === 'local-mock') return createLocalShop(name, shopIndex)
    return shop ? createHttpShop(name, shop, credential, traceHeaders) : null
  }
  return new Map(names.map((name, shopIndex) => [name, create(name, shopIndex)]))
}

/** A shop whose calls are counted, and refused while an operator has it out of service. */
export const watchedShop = (provider: ShopProvider, watch: ProviderWatch): ShopProvider => ({
  ...provider,
  isOut: () => watch.isOut,
  search: (query, ...call) =>
    watch.isOut ? Promise.resolve(failureOf('shop', 'disabled')) : watch.run(() => provider.search(query, ...call)),
  links: (productIds, ...call) =>
    watch.isOut ? Promise.resolve(failureOf('shop', 'disabled')) : watch.run(() => provider.links(productIds, ...call)),
})
