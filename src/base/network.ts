import { Client, type Dispatcher, Pool } from 'undici'

/** How connections to other servers are opened. */
export interface Network {
  readonly openPool: (origin: string, options: Pool.Options) => Dispatcher
  readonly openClient: (origin: string, options: Client.Options) => Dispatcher
}

export const systemNetwork: Network = {
  openPool: (origin, options) => new Pool(origin, options),
  openClient: (origin, options) => new Client(origin, options),
}

let network = systemNetwork

/** Replaces the network; for the simulation. */
export function useNetwork(replacement: Network): void {
  network = replacement
}

export const openPool: Network['openPool'] = (origin, options) => network.openPool(origin, options)
export const openClient: Network['openClient'] = (origin, options) => network.openClient(origin, options)
