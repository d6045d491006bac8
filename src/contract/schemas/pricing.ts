import { Type } from 'typebox'
import { named } from '../field.ts'
import {
  billableOperations,
  chargePolicy,
  creditsPerYuan,
  currency,
  pricingVersion,
  recharge,
  scopes,
  yuanPerCredit,
} from '../prices.ts'

export const Pricing = named('Pricing', {
  currency: Type.Literal(currency),
  amountUnit: Type.Literal('fen'),
  minAmountFen: Type.Literal(recharge.minAmountFen),
  maxAmountFen: Type.Literal(recharge.maxAmountFen),
  stepAmountFen: Type.Literal(recharge.stepAmountFen),
  creditsPerYuan: Type.Literal(creditsPerYuan),
  yuanPerCredit: Type.Literal(yuanPerCredit),
  pricingVersion: Type.Literal(pricingVersion),
  paymentMode: Type.Enum(['disabled', 'local-simulated']),
  productionPayment: Type.Literal('NOT_RUN'),
  operations: Type.Array(
    named('PricedOperation', {
      operation: Type.Enum([...billableOperations]),
      path: Type.String({ pattern: '^/v1/' }),
      scope: Type.Enum([...scopes]),
      credits: Type.Enum([1, 2, 3, 5]),
      cnyFen: Type.Enum([10, 20, 30, 50]),
      cnyYuan: Type.Enum(['0.10', '0.20', '0.30', '0.50']),
    }),
    { minItems: billableOperations.length, maxItems: billableOperations.length },
  ),
  chargePolicy: named(
    'ChargePolicy',
    Object.fromEntries(Object.keys(chargePolicy).map((rule) => [rule, Type.String({ minLength: 1 })])),
  ),
})

export const Plans = named('Plans', {
  deprecated: Type.Literal(true),
  canonical: Type.Enum(['/v1/pricing', '/gateway/api/pricing']),
  pricing: Pricing,
})
