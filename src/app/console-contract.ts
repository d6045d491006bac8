import { Type } from 'typebox'
import { answer, type Operation } from '../contract/operation.ts'
import { errorsOf } from '../contract/operations/access.ts'
import { openapiDocument } from '../documents/openapi.ts'
import { accountSecurityOperations, signInOperations } from '../features/accounts/contract.ts'
import { alertOperations } from '../features/alerts/contract.ts'
import { eventOperations } from '../features/events/contract.ts'
import { namedKeyOperations } from '../features/keys/operations.ts'
import { consoleMediaOperations } from '../features/media/operations.ts'
import { orderListOperations } from '../features/orders/contract.ts'
import { reportOperations } from '../features/reports/operations.ts'
import { webhookOperations } from '../features/webhooks/operations.ts'

/** What the web console needs beyond the public operations. The document and the routes are made from this list. */
export const consoleOperations: Operation[] = [
  ...reportOperations,
  ...orderListOperations,
  ...namedKeyOperations,
  ...consoleMediaOperations,
  ...eventOperations,
  ...signInOperations,
  ...alertOperations,
  ...webhookOperations,
  ...accountSecurityOperations,
  {
    id: 'console.openapi',
    tag: 'Documentation',
    method: 'GET',
    path: '/console/openapi.json',
    access: 'public',
    takesIdempotencyKey: false,
    summary: 'Read this document',
    responses: [
      {
        ...answer(200, 'This document.', Type.Object({ openapi: Type.String({ pattern: '^3\\.1\\.' }) }), {
          openapi: '3.1.1',
        }),
        headers: ['ETag'],
      },
    ],
    errors: errorsOf('public'),
  },
]

/** The document of the console's own operations; those that anybody may rely on are in /openapi.json. */
export const consoleDocument = (origin: string) =>
  openapiDocument({
    operations: consoleOperations,
    origin,
    about: {
      title: 'API Relay Gateway: console',
      summary: 'What the web console uses beyond the public operations.',
      description: [
        'These operations serve the web console of the same release and may change with it; the public contract is `/openapi.json`.',
        'They need the session cookie of the console, except to recover an account. Everything is of the signed-in project; what belongs to another one is answered as if it did not exist.',
        'Lists are pages, newest first: send `nextCursor` back as `cursor` until it is null. An unknown, repeated or wrong query parameter is answered 400 `REQUEST_TARGET_INVALID`. Days are calendar days in Asia/Shanghai.',
      ].join('\n\n'),
    },
  })
