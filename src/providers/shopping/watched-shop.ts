import { failureOf } from '../outcome-table.ts'
import type { ProviderWatch } from '../provider-watch.ts'
import type { ShopProvider } from './shop-provider.ts'

/** A shop whose calls are counted, and refused while an operator has it out of service. */
export const watchedShop = (provider: ShopProvider, watch: ProviderWatch): ShopProvider => ({
  ...provider,
  isOut: () => watch.isOut,
  search: (query, ...call) =>
    watch.isOut ? Promise.resolve(failureOf('shop', 'disabled')) : watch.run(() => provider.search(query, ...call)),
  links: (productIds, ...call) =>
    watch.isOut ? Promise.resolve(failureOf('shop', 'disabled')) : watch.run(() => provider.links(productIds, ...call)),
})
