import { type Dispatcher, Pool } from 'undici'

export interface Network {
  readonly openPool: (origin: string, options: Pool.Options) => Dispatcher
}

export const systemNetwork: Network = {
  openPool: (origin, options) => new Pool(origin, options),
}

let network = systemNetwork

/** Replaces the network; for the simulation. */
export function useNetwork(replacement: Network): void {
  network = replacement
}

export const openPool: Network['openPool'] = (origin, options) => network.openPool(origin, options)
