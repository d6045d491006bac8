import { consoleOperations } from '../contract/console/operations.ts'
import { openapiDocument } from './openapi.ts'

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
