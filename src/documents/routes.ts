import type { Operation } from '../contract/operation.ts'
import { type PaymentMode, pricingDocument } from '../contract/prices.ts'
import { endpoint, operationsById } from '../http/endpoint.ts'
import type { Route } from '../http/route.ts'
import { createStaticContent } from '../http/static/static-content.ts'
import type { ServiceFacts } from './facts.ts'
import { llmsText } from './llms.ts'
import { openapiDocument } from './openapi.ts'
import { createPages, sdkRoute } from './pages.ts'
import { renderedOnce } from './rendered-once.ts'

/** The contract as OpenAPI, as llms.txt and as a web page. */
export function documentRoutes(operations: readonly Operation[], facts: ServiceFacts): Route[] {
  const operation = operationsById(operations)
  const { openapi, llms, pages } = renderedOnce(operations, facts, () => ({
    openapi: createStaticContent({
      body: () => JSON.stringify(openapiDocument({ operations, origin: facts.origin })),
      contentType: 'application/json; charset=utf-8',
    }),
    llms: createStaticContent({
      body: () => llmsText({ operations, facts }),
      contentType: 'text/plain; charset=utf-8',
    }),
    pages: createPages({ operations, facts }),
  }))
  return [
    endpoint(operation('docs.openapi'), openapi.respond),
    endpoint(operation('docs.llms'), llms.respond),
    endpoint(operation('docs.page'), pages.reference),
    ...pages.routes,
    sdkRoute,
  ]
}

/** The price list, and the deprecated path that points to it. */
export function pricingRoutes(operations: readonly Operation[], paymentMode: PaymentMode): Route[] {
  const operation = operationsById(operations)
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
