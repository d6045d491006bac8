import { Type } from '../../base/schema.ts'
import { Choice, named } from '../field.ts'
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
  paymentMode: Choice(['disabled', 'local-simulated']),
  productionPayment: Type.Literal('NOT_RUN'),
  operations: Type.Array(
    named('PricedOperation', {
      operation: Choice(billableOperations),
      path: Type.String({ pattern: '^/v1/' }),
      scope: Choice(scopes),
      credits: Type.Enum([1, 2, 3, 5], { type: 'integer' }),
      cnyFen: Type.Enum([10, 20, 30, 50], { type: 'integer' }),
      cnyYuan: Choice(['0.10', '0.20', '0.30', '0.50']),
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
  canonical: Choice(['/v1/pricing', '/gateway/api/pricing']),
  pricing: Pricing,
})
