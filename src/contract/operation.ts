import { type TSchema, Type } from '../base/schema.ts'
import type { ErrorCode } from './errors.ts'
import type { BillableOperation, Scope } from './prices.ts'

/** The sections of the documents, in order. */
export const tags = {
  Identity: 'Registering with a verified phone, logging in and out.',
  Pricing: 'The exchange rate, the recharge limits and the price of each billable operation.',
  Account: 'The signed-in account, its project, credits, orders and keys.',
  Keys: 'API keys for the business operations. The plaintext of a key is shown once.',
  Recharge: 'Buying prepaid credits. Payment is simulated, for local acceptance only.',
  Payments: 'Paying for credits, and what became of each payment.',
  Models: 'Asking a model a question.',
  Shopping: 'Searching the shops.',
  Pick: 'Searching, filtering, comparing, ranking and reviewing items, and links to them.',
  Agent: 'One tool call on behalf of an agent.',
  Media: 'Paid work that takes minutes: create a job, read it, fetch its clip.',
  Documentation: 'This contract in three formats.',
  Overview: 'The state of a project at a glance.',
  Usage: 'Every billable call of the project and what became of its price.',
  Ledger: 'Every movement of credits, with the balance after it.',
  Resources: 'Orders, keys and the providers that a call may name.',
  Alerts: 'Which events of the project are sent by email or SMS.',
  Webhooks: 'URLs that the events of the project are sent to, and what was sent.',
  Events: 'What happened to the project, the newest first.',
  'Sign-ins': 'Where the account is signed in.',
  'Account security': 'The recovery email, the password, and how to get back in without it.',
} as const

export type Tag = keyof typeof tags

/** Who may call an operation. Determines the checks before its body is read. */
export type Access =
  | 'public'
  /** A browser write without login: needs the exact Origin. */
  | 'origin'
  | 'session'
  /** Needs the session cookie, the exact Origin and the CSRF token. */
  | 'session-write'
  /** Needs an API key with the operation's scope. */
  | 'key'

/** The operator's API has codes and tags of its own. */
export interface Operation<Code extends string = ErrorCode, T extends string = Tag> {
  readonly id: string
  readonly tag: T
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly takesIdempotencyKey: boolean
  /** One is made if it is absent. */
  readonly isIdempotencyKeyOptional?: true
  /** The scope of a key operation that is not in the price list. */
  readonly scope?: Scope
  readonly billing?: { readonly operation: BillableOperation; readonly scope: Scope; readonly credits: number }
  readonly request?: TSchema
  readonly pathParameters?: Readonly<Record<string, PathParameter<Code>>>
  /** All optional. An invalid, unknown or repeated one is REQUEST_TARGET_INVALID. If absent, the query is ignored. */
  readonly queryParameters?: Readonly<Record<string, TSchema>>
  readonly responses: readonly ResponseRow[]
  readonly errors: readonly Code[]
  /** Made from the schema if it is absent, as those of responses and path parameters are. */
  readonly requestExample?: unknown
}

export interface ResponseRow<Schema extends TSchema = TSchema> {
  readonly status: number
  readonly description: string
  readonly contentType: 'application/json' | 'text/plain' | 'text/html' | 'text/csv' | 'video/mp4' | 'application/jose'
  readonly schema: Schema
  readonly example?: unknown
  /** The same as a stream of server-sent events, each of this shape, if the caller asks for it. */
  readonly events?: { readonly schema: TSchema; readonly example: string }
  readonly headers?: readonly ResponseHeader[]
}

export const response = <S extends TSchema>(
  status: number,
  description: string,
  schema: S,
  example?: unknown,
  ...headers: ResponseHeader[]
): ResponseRow<S> => ({
  status,
  description,
  contentType: 'application/json',
  schema,
  ...(example !== undefined && { example }),
  ...(headers.length > 0 && { headers }),
})

export const documentResponse = response(
  200,
  'This document.',
  Type.Object({ openapi: Type.String({ pattern: '^3\\.1\\.' }) }),
  { openapi: '3.1.1' },
  'ETag',
)

export type ResponseHeader =
  | 'Set-Cookie'
  | 'Idempotent-Replayed'
  | 'X-Charge-Id'
  | 'ETag'
  | MediaHeader
  | CompletionHeader

export type MediaHeader = 'Location' | 'Retry-After' | 'Accept-Ranges' | 'Content-Range' | 'Content-Disposition'

export type CompletionHeader = 'Idempotency-Key' | 'X-Credits-Charged' | 'X-Credits-Reserved'

interface PathParameter<Code extends string = ErrorCode> {
  readonly pattern: string
  /** Published instead of a pattern that not every language reads. */
  readonly words?: string
  /** Returned for a value that breaks the pattern or names nothing. */
  readonly code: Code
  readonly example?: string
}
