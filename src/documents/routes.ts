import type { Operation } from '../contract/operation.ts'
import { type PaymentMode, pricingDocument } from '../contract/prices.ts'
import { endpoint, operationsById } from '../http/endpoint.ts'
import type { Route } from '../http/route.ts'
import { createStaticContent } from '../http/static/static-content.ts'
import { createDocsPage } from './docs-page.ts'
import type { ServiceFacts } from './facts.ts'
import { createHome } from './home/home.ts'
import { llmsText } from './llms.ts'
import { openapiDocument } from './openapi.ts'
import { renderedOnce } from './rendered-once.ts'

/** The contract as OpenAPI, as llms.txt and as a web page. */
export function documentRoutes(operations: readonly Operation[], facts: ServiceFacts): Route[] {
  const operation = operationsById(operations)
  const { openapi, llms, docs, home } = renderedOnce(operations, facts, () => {
    const home = createHome({ operations, facts })
    return {
      home,
      openapi: createStaticContent({
        body: JSON.stringify(openapiDocument({ operations, origin: facts.origin })),
        contentType: 'application/json; charset=utf-8',
      }),
      llms: createStaticContent({ body: llmsText({ operations, facts }), contentType: 'text/plain; charset=utf-8' }),
      docs: createDocsPage({ operations, facts, otherFiles: home.assets }),
    }
  })
  return [
    ...home.routes,
    endpoint(operation('docs.openapi'), openapi.respond),
    endpoint(operation('docs.llms'), llms.respond),
    endpoint(operation('docs.page'), docs.page),
    ...docs.languages.map(
      (language): Route => ({
        operationId: 'docs.page',
        method: 'GET',
        path: `/docs/${language}`,
        handle: (call) => docs.pageIn(language, call),
      }),
    ),
    {
      operationId: 'docs.asset',
      method: 'GET',
      path: '/docs/assets/{name}',
      handle: (call) => docs.asset(call, call.params.name ?? ''),
    },
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
