import type { Static } from 'typebox'
import type { ShownEvent } from '../../../src/contract/events.ts'
import type { Pricing as PricingSchema } from '../../../src/contract/schemas/pricing.ts'
import type { SignInList } from '../../../src/features/identity/accounts/contract.ts'
import type { SecondFactor } from '../../../src/features/identity/accounts/second-factor/contract.ts'
import type { PasskeyList } from '../../../src/features/identity/accounts/second-factor/passkey-contract.ts'
import type { Charge } from '../../../src/features/records/reports/contract.ts'

export type { EventType } from '../../../src/contract/events.ts'
export type { ChargedOperation } from '../../../src/contract/prices.ts'
export type { Me } from '../../../src/contract/schemas/account.ts'
export type { Challenge } from '../../../src/contract/schemas/identity.ts'
export type { CreatedKey } from '../../../src/contract/schemas/keys.ts'
export type { ListedOrder as Order, Payment } from '../../../src/features/billing/payments/contract.ts'
export type { MediaJob } from '../../../src/features/calls/media/contract.ts'
export type { UsedKey as Key } from '../../../src/features/identity/keys/contract.ts'
export type { AlertSettings } from '../../../src/features/notifications/alerts/contract.ts'
export type { Webhook, WebhookDelivery } from '../../../src/features/notifications/webhooks/contract.ts'
export type {
  Charge,
  ChargeDetails,
  DailyParts,
  DailyUsage,
  LedgerEntry,
  Review,
} from '../../../src/features/records/reports/contract.ts'
export type { Catalog, Overview } from '../../../src/features/records/reports/overview-contract.ts'
export type { FoundThing } from '../../../src/features/records/reports/search/contract.ts'
export type { MonthStatement } from '../../../src/features/records/transparency/receipts/contract.ts'

export type Pricing = Static<typeof PricingSchema>
export type PricedOperation = Pricing['operations'][number]
export type OperationId = PricedOperation['operation']
export type Scope = PricedOperation['scope']
export type GatewayEvent = ShownEvent
export type SignIn = SignInList['items'][number]
export type SecondFactorState = SecondFactor
export type PasskeyItem = PasskeyList['items'][number]
export type ChargeState = Charge['state']

export interface Page<T> {
  items: T[]
  nextAfter: string | null
}
