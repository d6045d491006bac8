import type { components } from './contract.gen.d.ts'

type Schemas = components['schemas']

export type Me = Schemas['Me']
export type Order = Schemas['Order']
export type Key = Schemas['UsedKey']
export type CreatedKey = Schemas['CreatedKey']
export type Overview = Schemas['Overview']
export type Charge = Schemas['Charge']
export type Receipt = Schemas['Receipt']
export type LedgerEntry = Schemas['LedgerEntry']
export type Review = Schemas['Review']
export type DailyUsage = Schemas['DailyUsage']
export type Pricing = Schemas['Pricing']
export type PricedOperation = Schemas['PricedOperation']
export type Catalog = Schemas['Catalog']
export type MediaJob = Schemas['MediaJob']
export type GatewayEvent = Schemas['EventPage']['items'][number]
export type EventType = GatewayEvent['type']
export type AlertSettings = Schemas['AlertSettings']
export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type SignIn = Schemas['SignIn']
export type OperationId = PricedOperation['operation']
/** Those of the price list, and media jobs. */
export type ChargedOperation = Charge['operation']
export type Scope = PricedOperation['scope']
export type ChargeState = Charge['state']

/** A page of a list, newest first. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
}
