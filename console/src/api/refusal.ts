import type { OperatorApiCode } from '../../../src/contract/error-codes/operators.ts'
import type { ErrorCode } from '../../../src/contract/errors.ts'

export type { ErrorCode }

/** The gateway answered, and the answer is no. The code says why. */
export class Refused extends Error {
  readonly code: OperatorApiCode
  readonly status: number
  /** What the gateway says in English, which may be more than the code does. */
  readonly detail: string | null
  /** When a limit ends, on this machine's clock; null when waiting does not help. */
  readonly retryAtMs: number | null
  readonly requestId: string | null

  constructor(code: OperatorApiCode, response: Response, detail: string | null = null) {
    super(code)
    this.name = 'Refused'
    this.code = code
    this.detail = detail
    this.status = response.status
    const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAtMs = Number.isFinite(waitSeconds) ? Date.now() + waitSeconds * 1000 : null
    this.requestId = response.headers.get('x-request-id')
  }
}

/** No answer came: whether the request had an effect is not known. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('unreachable', { cause })
    this.name = 'Unreachable'
  }
}

export const isRefused = (error: unknown, ...codes: OperatorApiCode[]): error is Refused =>
  error instanceof Refused && (codes.length === 0 || codes.includes(error.code))

type Envelope = { error?: { code?: unknown; message?: unknown } } | undefined

/** The code of an error body. Anything else, such as a proxy's page, counts as a failure of the service. */
export function codeOf(body: unknown): OperatorApiCode {
  const code = (body as Envelope)?.error?.code
  return typeof code === 'string' ? (code as OperatorApiCode) : 'INTERNAL_ERROR'
}

export function messageOf(body: unknown): string | null {
  const message = (body as Envelope)?.error?.message
  return typeof message === 'string' ? message : null
}
