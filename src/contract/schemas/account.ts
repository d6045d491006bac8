import { type Static, Type } from '../../base/schema.ts'
import { Choice, DateTime, failsWith, Nullable, named, request } from '../field.ts'
import { creditsOfFen, creditsPerYuan, currency, pricingVersion, recharge, yuanPerCredit } from '../prices.ts'
import { CsrfToken, CurrentAccount, CurrentProject, Session } from './identity.ts'
import { Key } from './keys.ts'

export const orderIdPattern = '^ord_[A-Za-z0-9]+$'

const amountRange = {
  minimum: recharge.minAmountFen,
  maximum: recharge.maxAmountFen,
  multipleOf: recharge.stepAmountFen,
}

export const CreateOrderRequest = request('CreateOrderRequest', {
  amountFen: Type.Integer({ ...amountRange, ...failsWith('RECHARGE_AMOUNT_INVALID') }),
})

const snapshot = {
  orderId: Type.String({ pattern: orderIdPattern }),
  amountFen: Type.Integer(amountRange),
  creditAmount: Type.Integer({
    minimum: creditsOfFen(recharge.minAmountFen),
    maximum: creditsOfFen(recharge.maxAmountFen),
  }),
  currency: Type.Literal(currency),
  creditsPerYuan: Type.Literal(creditsPerYuan),
  yuanPerCredit: Type.Literal(yuanPerCredit),
  pricingVersion: Type.Literal(pricingVersion),
  state: Choice(['pending', 'simulated_paid', 'credited']),
  paymentMode: Type.Literal('local-simulated'),
  createdAt: DateTime(),
  simulatedPaidAt: Nullable(DateTime()),
  creditedAt: Nullable(DateTime()),
}
const idempotentReplay = Type.Boolean({ description: 'True when a stored result is replayed.' })

export const Order = named('Order', snapshot)
export const CreatedOrder = named('CreatedOrder', { ...snapshot, idempotentReplay })
export const ConfirmedOrder = named('ConfirmedOrder', {
  ...snapshot,
  state: Type.Literal('credited'),
  creditLotId: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  creditedAmount: Type.Integer({ minimum: 1 }),
  creditKind: Type.Literal('simulated_prepaid'),
  idempotentReplay,
})

export type Order = Static<typeof Order>
export type CreatedOrder = Static<typeof CreatedOrder>
export type ConfirmedOrder = Static<typeof ConfirmedOrder>
export type CreateOrderRequest = Static<typeof CreateOrderRequest>

export const recentOrdersLimit = 20

export const Credits = named('Credits', {
  available: Type.Integer({ minimum: 0 }),
  reserved: Type.Integer({ minimum: 0 }),
})

export const Me = named('Me', {
  account: CurrentAccount,
  project: CurrentProject,
  credits: Credits,
  latestOrder: Type.Union([Order, Type.Null()]),
  recentOrders: Type.Array(Order, { maxItems: recentOrdersLimit }),
  apiKeys: Type.Array(Key),
  session: Session,
  csrfToken: CsrfToken,
})

export type Credits = Static<typeof Credits>
export type Me = Static<typeof Me>
