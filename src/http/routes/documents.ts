import { llmsText } from '../../contract/llms.ts'
import { openapiDocument } from '../../contract/openapi.ts'
import type { Operation } from '../../contract/operations.ts'
import type { ServiceFacts } from '../../contract/service-facts.ts'
import { createDocsPage } from '../docs-page.ts'
import { endpoint } from '../endpoint.ts'
import type { Route } from '../route.ts'
import { createStaticContent } from '../static-content.ts'

export interface DocumentRouteDeps {
  readonly operation: (id: string) => Operation
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
}

/** The contract as OpenAPI, as text for programs and as a page for people. */
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
