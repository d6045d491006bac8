import { BlockList } from 'node:net'
import { addNetwork } from '../base/addresses.ts'

/** IP addresses and CIDR ranges, separated by commas. */
export function parseNetworks(text: string, onInvalid: (entry: string) => void): BlockList {
  const networks = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (!addNetwork(networks, entry)) onInvalid(entry)
  }
  return networks
}
