import type { ErrorCode } from '../../../src/contract/errors.ts'

export type { ErrorCode }

/** The gateway answered, and the answer is no. The code says why. */
export class Refused extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** When a limit ends, on this machine's clock; null when waiting does not help. */
  readonly retryAtMs: number | null
  readonly requestId: string | null

  constructor(code: ErrorCode, response: Response) {
    super(code)
    this.name = 'Refused'
    this.code = code
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

export const isRefused = (error: unknown, ...codes: ErrorCode[]): error is Refused =>
  error instanceof Refused && (codes.length === 0 || codes.includes(error.code))

/** The code in an error envelope. Whatever is not one, such as a proxy's page, counts as a failure of the service. */
export function codeOf(body: unknown): ErrorCode {
  const code = (body as { error?: { code?: unknown } } | undefined)?.error?.code
  return typeof code === 'string' ? (code as ErrorCode) : 'INTERNAL_ERROR'
}
