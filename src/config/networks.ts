import { BlockList } from 'node:net'
import { addNetwork } from '../base/addresses.ts'

/** IP addresses and CIDR ranges, separated by commas. Throws what `makeFault` builds for the first invalid entry. */
export function parseNetworks(text: string, makeFault: (entry: string) => Error): BlockList {
  const networks = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (!addNetwork(networks, entry)) throw makeFault(entry)
  }
  return networks
}
