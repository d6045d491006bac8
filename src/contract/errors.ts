import { accountErrors } from './error-codes/accounts.ts'
import { callErrors } from './error-codes/calls.ts'
import { requestErrors } from './error-codes/requests.ts'
import type { ErrorRow } from './error-codes/row.ts'

/**
 * Every error code: status, meaning and what to do next. Error messages, OpenAPI, llms.txt and the docs page are all generated
 * from these rows.
 */
export const errors = { ...requestErrors, ...accountErrors, ...callErrors } as const

export type ErrorCode = keyof typeof errors

export interface RefusalOptions {
  /** Replaces the meaning of the code. */
  readonly message?: string | undefined
  /** Follows the message. */
  readonly explain?: string
  readonly retryAfterSeconds?: number | undefined
  readonly limit?: LimitReached | undefined
  readonly cause?: unknown
}

/** What a call was refused for with 402. */
export interface LimitReached {
  readonly source: 'credits' | 'key_budget'
  /** Credits that are left; null if the key may not know. */
  readonly remaining: number | null
  /** When the budget starts anew; null if it does not. */
  readonly resetsAt: number | null
}

/** The message of FORBIDDEN for a requester that the key does not allow. */
export const addressRefused = 'The API key may not be used from this address.'

/** Thrown to refuse a request. The row of the code determines status and public text; each API has its own rows. */
export class Refusal<Code extends string = ErrorCode> extends Error {
  readonly code: Code
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly limit: LimitReached | undefined

  constructor(code: Code & ErrorCode, options?: RefusalOptions)
  constructor(code: Code, options: RefusalOptions & { readonly row: ErrorRow })
  constructor(code: Code, options: RefusalOptions & { readonly row?: ErrorRow } = {}) {
    const { status, meaning } = options.row ?? errors[code as ErrorCode & Code]
    const message = options.message ?? meaning
    super(options.explain ? `${message} ${options.explain}` : message, { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.status = status
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
  }
}

export const errorBody = (code: ErrorCode, message: string = errors[code].meaning) => ({ error: { code, message } })
