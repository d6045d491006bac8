import type { Operation } from '../../contract/operation.ts'
import { type PaymentMode, pricingDocument } from '../../contract/prices.ts'
import { endpoint } from '../endpoint.ts'
import type { Route } from '../route.ts'

export interface PricingRouteDeps {
  readonly operation: (id: string) => Operation
  readonly paymentMode: PaymentMode
}

/** The price list, and the deprecated path that points to it. */
export function pricingRoutes({ operation, paymentMode }: PricingRouteDeps): Route[] {
  const pricing = pricingDocument(paymentMode)
  const routes = [
    endpoint(operation('pricing.get'), () => ({ status: 200, body: pricing })),
    endpoint(operation('plans.get'), ({ isPreview }) => ({
      status: 200,
      body: { deprecated: true, canonical: isPreview ? '/gateway/api/pricing' : '/v1/pricing', pricing },
    })),
  ]
  return routes.map((route) => ({ ...route, mayCompress: true }))
}
