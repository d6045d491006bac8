import { accountErrors } from './error-codes/accounts.ts'
import { callErrors } from './error-codes/calls.ts'
import { requestErrors } from './error-codes/requests.ts'

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

/** Thrown to refuse a request. The code determines status and public text. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly limit: LimitReached | undefined

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    const message = options.message ?? errors[code].meaning
    super(options.explain ? `${message} ${options.explain}` : message, { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
  }
}

export const errorBody = (code: ErrorCode, message: string = errors[code].meaning) => ({ error: { code, message } })
