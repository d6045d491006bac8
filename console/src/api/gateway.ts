import type { accountOperations, orderOperations } from '../../../src/contract/operations/account.ts'
import type { identityOperations } from '../../../src/contract/operations/identity.ts'
import type { keyOperations } from '../../../src/contract/operations/keys.ts'
import type { pricingOperations } from '../../../src/contract/operations/pricing.ts'
import type { accountSecurityOperations, signInOperations } from '../../../src/features/accounts/contract.ts'
import type { alertOperations } from '../../../src/features/alerts/contract.ts'
import type { eventOperations } from '../../../src/features/events/contract.ts'
import type { namedKeyOperations } from '../../../src/features/keys/contract.ts'
import type { consoleMediaOperations } from '../../../src/features/media/console-operations.ts'
import type { orderListOperations } from '../../../src/features/orders/contract.ts'
import type { reportOperations } from '../../../src/features/reports/operations.ts'
import type { webhookOperations } from '../../../src/features/webhooks/operations.ts'
import { place } from '../place.ts'
import { createClient } from './client.ts'
import { fetchOrTakeEarly } from './early-reads.ts'

type Operations =
  | (typeof identityOperations)[number]
  | (typeof pricingOperations)[number]
  | (typeof accountOperations)[number]
  | (typeof orderOperations)[number]
  | (typeof keyOperations)[number]
  | (typeof accountSecurityOperations)[number]
  | (typeof signInOperations)[number]
  | (typeof alertOperations)[number]
  | (typeof eventOperations)[number]
  | (typeof namedKeyOperations)[number]
  | (typeof consoleMediaOperations)[number]
  | (typeof orderListOperations)[number]
  | (typeof reportOperations)[number]
  | (typeof webhookOperations)[number]

/** The API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const gateway = createClient<Operations, '/v1'>({ baseUrl: place.api, fetch: fetchOrTakeEarly })

export const { token } = gateway
export const { askToWrite } = token
