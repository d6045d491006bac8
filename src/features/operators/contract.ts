import { Type } from '../../base/schema.ts'
import { operatorApiErrors } from '../../contract/error-codes/operators.ts'
import { documentResponse, type ResponseRow } from '../../contract/operation.ts'
import { openapiDocument } from '../../documents/openapi.ts'
import { operatorCookieName } from '../../operator-kit/guard.ts'
import { type OperatorOperation, openErrors, operatorTags } from '../../operator-kit/operation.ts'
import { operatorManagementOperations, sessionOperations } from './access/contract.ts'
import { approvalOperations } from './approvals/contract.ts'
import { auditOperations } from './audit/contract.ts'
import { overviewOperations } from './overview/contract.ts'
import { providerOperations } from './providers/contract.ts'
import { settingOperations } from './settings/contract.ts'

/** What this feature adds to the operator's API. */
export const apiOperations = [
  ...sessionOperations,
  ...overviewOperations,
  ...approvalOperations,
  ...providerOperations,
  ...auditOperations,
  ...settingOperations,
  ...operatorManagementOperations,
]

/** What the operator listener serves without a sign-in. */
export const monitoringOperations: readonly OperatorOperation[] = [
  open('operator.healthz', '/healthz', 'Check that the process is alive', [text('It is alive.', 'alive\n')]),
  open('operator.readyz', '/readyz', 'Check that this instance should get traffic', [
    text('It is ready.', 'ready\n'),
    { ...text('It is not; one reason per line.', 'draining\n'), status: 503 },
  ]),
  open('operator.metrics', '/metrics', 'Read the metrics of this instance in the format of Prometheus', [
    text('The metrics.', 'gateway_reviews_open 0\n'),
  ]),
  open('operator.openapi', '/openapi.json', 'Read this document', [documentResponse]),
]

/** Needs no sign-in. */
function open(id: string, path: string, summary: string, responses: ResponseRow[]): OperatorOperation {
  return {
    id,
    tag: 'Monitoring',
    method: 'GET',
    path,
    access: 'public',
    permission: null,
    takesIdempotencyKey: false,
    summary,
    responses,
    errors: openErrors('public'),
  }
}

function text(description: string, example: string): ResponseRow {
  return { status: 200, description, contentType: 'text/plain', schema: Type.String({ minLength: 1 }), example }
}

/** The document of the operator listener, never served by the public one. */
export const operatorDocument = (operations: readonly OperatorOperation[], origin: string) =>
  openapiDocument({
    operations,
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
        'Figures of `instance` and of providers are those of the responding instance; all others cover all instances.',
      ].join('\n\n'),
    },
  })
