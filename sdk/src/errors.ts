import type { Charge, MediaJob } from './contract.ts'

interface ErrorFacts {
  /** A code of the gateway's catalogue, such as `INSUFFICIENT_PAID_CREDITS`. */
  readonly code: string
  readonly message: string
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** Include it when you contact the operator. */
  readonly requestId?: string | undefined
  readonly chargeId?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly headers?: Headers | undefined
  readonly cause?: unknown
}

/** Every error of a call. */
export class GatewayError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | undefined
  readonly chargeId: string | undefined
  /** The Idempotency-Key of the last attempt, also if it was generated; undefined for calls without one. */
  readonly idempotencyKey: string | undefined
  readonly headers: Headers | undefined

  constructor({ code, message, status, requestId, chargeId, idempotencyKey, headers, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.requestId = requestId
    this.chargeId = chargeId
    this.idempotencyKey = idempotencyKey
    this.headers = headers
  }
}

/** The call would cost more than is left. */
class LimitReached extends GatewayError {
  /** Credits that are left; undefined if the key may not know. */
  get remaining(): number | undefined {
    const text = this.headers?.get('limit-remaining')
    return text == null ? undefined : Number(text)
  }
  /** When the budget starts anew; undefined if it does not. */
  get resetsAt(): string | undefined {
    return this.headers?.get('limit-resets-at') ?? undefined
  }
}

/** The project has too few credits. */
export class OutOfCredits extends LimitReached {}
/** The budget of the key is used up. */
export class BudgetReached extends LimitReached {}
export class RateLimited extends GatewayError {
  /** Seconds to wait. */
  get retryAfter(): number {
    return Number(this.headers?.get('retry-after') ?? 1)
  }
}
/** The Idempotency-Key was used for another request, or something has already ended. */
export class Conflict extends GatewayError {}
export class Unauthorized extends GatewayError {}
export class Forbidden extends GatewayError {}
/** The request must be changed before it can succeed. */
export class InvalidRequest extends GatewayError {}
/** The provider failed, or is not available. */
export class ProviderError extends GatewayError {}
/** There was no complete response. The call may have been carried out; repeating its Idempotency-Key is safe. */
export class ConnectionError extends GatewayError {}
/**
 * Your signal aborted the call; `cause` is its reason. The gateway may carry the call out and charge it: repeating it with
 * `idempotencyKey` returns that result. Its `name` is AbortError, as for every other function that takes a signal.
 */
export class CallAborted extends GatewayError {
  constructor(signal: AbortSignal, { idempotencyKey, chargeId }: Pick<ErrorFacts, 'idempotencyKey' | 'chargeId'> = {}) {
    const advice = 'It may still be charged: repeat it with the idempotencyKey of this error to get its result.'
    const message = idempotencyKey === undefined ? 'The call was aborted.' : `The call was aborted. ${advice}`
    super({ code: 'ABORT_ERR', message, status: 0, idempotencyKey, chargeId, cause: signal.reason })
    this.name = 'AbortError'
  }
}
/** The webhook does not come from the gateway, or is too old. */
export class WebhookVerificationError extends GatewayError {}

/** A media job that ended without a clip; nothing was charged. */
export class JobFailed extends GatewayError {
  readonly job: MediaJob

  constructor(job: MediaJob) {
    const { code, message } = job.error ?? { code: 'JOB_FAILED', message: `The job was ${job.status}.` }
    super({ code, message, status: 200, chargeId: job.chargeId })
    this.job = job
  }
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  readonly intervalMs?: number | undefined
}

/** The outcome is not known yet: the credits stay reserved until an operator decides. Do not repeat the call. */
export class ReviewPending extends GatewayError {
  override readonly chargeId: string
  readonly #decided: (options: WaitOptions) => Promise<Charge>

  constructor(facts: ErrorFacts & { chargeId: string }, decided: (options: WaitOptions) => Promise<Charge>) {
    super(facts)
    this.chargeId = facts.chargeId
    this.#decided = decided
  }

  /** Waits for the decision; resolves with the charge once its `resolution` is set. */
  decided(options: WaitOptions = {}): Promise<Charge> {
    return this.#decided(options)
  }
}

/** The error for a response of the gateway. */
export function errorOf(facts: ErrorFacts): GatewayError {
  return new (classOf(facts))(facts)
}

function classOf({ status, headers }: ErrorFacts): new (facts: ErrorFacts) => GatewayError {
  if (status === 402) return headers?.get('limit-source') === 'key_budget' ? BudgetReached : OutOfCredits
  const byStatus = {
    401: Unauthorized,
    403: Forbidden,
    409: Conflict,
    429: RateLimited,
    502: ProviderError,
    503: ProviderError,
  }
  const found = byStatus[status as keyof typeof byStatus]
  return found ?? (status >= 400 && status < 500 ? InvalidRequest : GatewayError)
}
