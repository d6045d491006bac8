import type { TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { accountOperations } from './operations/account.ts'
import { businessOperations } from './operations/business.ts'
import { documentOperations } from './operations/documents.ts'
import { identityOperations } from './operations/identity.ts'
import { keyOperations } from './operations/keys.ts'
import { orderOperations } from './operations/orders.ts'
import { pricingOperations } from './operations/pricing.ts'
import type { BillableOperation, Scope } from './prices.ts'
import type { ProviderNames } from './schemas/business.ts'
import type { Tag } from './tags.ts'

/** Who may call an operation, and with it the order of checks before its body is read. */
export type Access =
  | 'public'
  /** A browser write without login: exact Origin. */
  | 'origin'
  /** The session cookie alone. */
  | 'session'
  /** The session cookie, exact Origin and the CSRF token. */
  | 'session-write'
  /** A business key with the operation's scope. */
  | 'key'

export interface Operation {
  readonly id: string
  readonly tag: Tag
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly takesIdempotencyKey: boolean
  readonly billing?: { readonly operation: BillableOperation; readonly scope: Scope; readonly credits: number }
  readonly request?: TSchema
  readonly pathParameters?: Readonly<Record<string, PathParameter>>
  /** All optional; a wrong, unknown or repeated one is REQUEST_TARGET_INVALID. Without this the query is ignored. */
  readonly queryParameters?: Readonly<Record<string, TSchema>>
  readonly responses: readonly ResponseRow[]
  readonly errors: readonly ErrorCode[]
  readonly requestExample?: unknown
}

export interface PathParameter {
  readonly pattern: string
  /** What a value outside the pattern, or one that names nothing, is answered with. */
  readonly code: ErrorCode
  readonly example: string
}

export interface ResponseRow {
  readonly status: number
  readonly description: string
  readonly contentType: 'application/json' | 'text/plain' | 'text/html' | 'text/csv'
  readonly schema: TSchema
  readonly example: unknown
  readonly headers?: readonly ResponseHeader[]
}

export type ResponseHeader = 'Set-Cookie' | 'Idempotent-Replayed' | 'ETag'

/** The 24 public operations. Routes, OpenAPI, llms.txt, the docs page and the contract tests are made from this list. */
export function publicOperations(names: ProviderNames): Operation[] {
  return [
    ...identityOperations,
    ...pricingOperations,
    ...accountOperations,
    ...keyOperations,
    ...orderOperations,
    ...businessOperations(names),
    ...documentOperations,
  ]
}
