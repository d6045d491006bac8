import type { Operation } from '../../contract/operation.ts'
import { llmsText } from '../../documents/llms.ts'
import { openapiDocument } from '../../documents/openapi.ts'
import type { ServiceFacts } from '../../documents/service-facts.ts'
import { endpoint } from '../endpoint.ts'
import type { Route } from '../route.ts'
import { createDocsPage } from '../static/docs-page.ts'
import { createStaticContent } from '../static/static-content.ts'

export interface DocumentRouteDeps {
  readonly operation: (id: string) => Operation
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
}

/** The contract as OpenAPI, as llms.txt and as a web page. */
export function documentRoutes({ operation, operations, facts }: DocumentRouteDeps): Route[] {
  const openapi = createStaticContent({
    body: JSON.stringify(openapiDocument({ operations, origin: facts.origin })),
    contentType: 'application/json; charset=utf-8',
  })
  const llms = createStaticContent({
    body: llmsText({ operations, facts }),
    contentType: 'text/plain; charset=utf-8',
  })
  const docs = createDocsPage({ operations, facts })
  return [
    endpoint(operation('docs.openapi'), openapi.answer),
    endpoint(operation('docs.llms'), llms.answer),
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
