import { createRequire } from 'node:module'
import type { Dispatcher, Pool } from 'undici'

export interface Network {
  readonly openPool: (origin: string, options: Pool.Options) => Dispatcher
}

const require = createRequire(import.meta.url)

export const systemNetwork: Network = {
  openPool(origin, options) {
    // Loaded with the first client, because a gateway or command without one starts faster.
    const undici: typeof import('undici') = require('undici')
    return new undici.Pool(origin, options)
  },
}

let network = systemNetwork

/** Replaces the network; for the simulation. */
export function useNetwork(replacement: Network): void {
  network = replacement
}

export const openPool: Network['openPool'] = (origin, options) => network.openPool(origin, options)
