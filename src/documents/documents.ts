import { mediaOperations } from '../features/media/operations.ts'
import { operatorApiErrors } from '../features/operators/contract/errors.ts'
import { operatorTags } from '../features/operators/contract/operation.ts'
import { operatorOperations } from '../features/operators/contract/operations.ts'
import { operatorCookieName } from '../features/operators/contract/operators.ts'
import { consoleOperations } from '../features/reports/operations.ts'
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

export interface MediaFacts {
  readonly origin: string
  readonly mediaProviders: readonly string[]
  readonly mediaCreditsPerSecond: number
}

/** The document of the media jobs, which are no part of the public operations. */
export const mediaDocument = ({ origin, mediaProviders, mediaCreditsPerSecond }: MediaFacts) =>
  openapiDocument({
    operations: mediaOperations(mediaProviders, mediaCreditsPerSecond),
    origin,
    about: {
      title: 'API Relay Gateway: media jobs',
      summary: 'Paid work that takes minutes: create a job, read it, fetch its clip.',
      description: [
        'The other operations are in `/openapi.json`; errors, limits and keys work as described there. A key needs the scope `media:run`.',
        `A clip costs ${mediaCreditsPerSecond} credits for each of its seconds. The price is reserved when the job is created. It is spent only when the job is \`completed\` and its content can be fetched; a job that is \`failed\` or \`cancelled\` costs nothing.`,
        'Read the job until its status is `completed`, `failed`, `cancelled` or `unknown`; these are final. `unknown` means that nobody can tell how the job ended: the credits stay reserved until an operator decides, and `resolution` then shows the decision.',
      ].join('\n\n'),
    },
  })

/** The document of the operator listener, never served by the public one. */
export const operatorDocument = (origin: string) =>
  openapiDocument({
    operations: operatorOperations,
    origin,
    tags: operatorTags,
    errors: operatorApiErrors,
    cookieName: operatorCookieName,
    headerTexts: {
      'X-CSRF-Token': 'The csrfToken of POST /api/sign-in or GET /api/me. Bound to the session.',
      'Set-Cookie': `The ${operatorCookieName} cookie: HttpOnly, SameSite=Strict. Signing out clears it.`,
    },
    about: {
      title: 'API Relay Gateway: operator',
      summary: 'What the operator console and its pages use.',
      description: [
        'Served by the operator listener alone. Everything below `/api` needs the session cookie of an operator, and every write the exact Origin and the CSRF token as well.',
        'The roles are `viewer`, `support`, `treasurer` and `admin`; each may do what the ones before it may. Everybody who is signed in may read.',
        'Every action names a reason and leaves one entry in the audit log, in the same transaction as its effect.',
        'Figures of `instance` and of providers are of the instance that answers; all others are of all instances.',
      ].join('\n\n'),
    },
  })
