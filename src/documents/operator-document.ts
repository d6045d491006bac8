import { operatorApiErrors } from '../contract/operator/errors.ts'
import { operatorOperations } from '../contract/operator/operations.ts'
import { operatorCookieName } from '../contract/operator/session.ts'
import { operatorTags } from '../contract/operator/tags.ts'
import { openapiDocument } from './openapi.ts'

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
