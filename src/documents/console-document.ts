import { documentResponse, type Operation } from '../contract/operation.ts'
import { view } from '../contract/operations/access.ts'
import { endpoint } from '../http/endpoint.ts'
import type { Route } from '../http/route.ts'
import { createStaticContent } from '../http/static/static-content.ts'
import { openapiDocument } from './openapi.ts'
import { renderedOnce } from './rendered-once.ts'

const documentOperation = view({
  id: 'console.openapi',
  tag: 'Documentation',
  path: '/console/openapi.json',
  access: 'public',
  summary: 'Read this document',
  response: documentResponse,
})

/** The document of the console's own operations; the public ones are in /openapi.json. */
export const consoleDocument = (operations: readonly Operation[], origin: string) =>
  openapiDocument({
    operations: [...operations, documentOperation],
    origin,
    about: {
      title: 'API Relay Gateway: console',
      summary: 'What the web console uses beyond the public operations.',
      description: [
        'These operations serve the web console of the same release and may change with it; the public contract is `/openapi.json`.',
        'They need the session cookie of the console, except to recover an account. Everything is of the signed-in project; what belongs to another one is answered as if it did not exist.',
        'Lists are pages, newest first: send `nextAfter` back as `after` until it is null. An unknown, repeated or wrong query parameter is answered 400 `REQUEST_TARGET_INVALID`. Days are calendar days in Asia/Shanghai.',
      ].join('\n\n'),
    },
  })

export function consoleDocumentRoute(operations: readonly Operation[], origin: string): Route {
  const document = renderedOnce(operations, origin, () =>
    createStaticContent({
      body: () => JSON.stringify(consoleDocument(operations, origin)),
      contentType: 'application/json; charset=utf-8',
    }),
  )
  return endpoint(documentOperation, document.respond)
}
