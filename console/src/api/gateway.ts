import type { ConsoleOperation } from '../../../src/app/features.ts'
import type { accountOperations, orderOperations } from '../../../src/contract/operations/account.ts'
import type { identityOperations } from '../../../src/contract/operations/identity.ts'
import type { keyOperations } from '../../../src/contract/operations/keys.ts'
import type { pricingOperations } from '../../../src/contract/operations/pricing.ts'
import { place } from '../place.ts'
import { createClient } from './client.ts'
import { fetchOrTakeEarly } from './early-reads.ts'

type Operations =
  | (typeof identityOperations)[number]
  | (typeof pricingOperations)[number]
  | (typeof accountOperations)[number]
  | (typeof orderOperations)[number]
  | (typeof keyOperations)[number]
  | ConsoleOperation

/** The API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const gateway = createClient<Operations, '/v1'>({ baseUrl: place.api, fetch: fetchOrTakeEarly })

export const { token } = gateway
export const { askToWrite } = token
