import type { OperatorApiCode } from '../../../src/contract/error-codes/operators.ts'
import type { ErrorCode } from '../../../src/contract/errors.ts'

export type Reply<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** The gateway's response; throws `Refused` or `Unreachable`. */
export async function ask<T>(send: () => Reply<T>): Promise<T> {
  const { data, error, response } = await send().catch((cause) => {
    throw new Unreachable(cause)
  })
  if (!response.ok) throw new Refused(codeOf(error), response, messageOf(error))
  return data as T
}

export type TokenKeeper = ReturnType<typeof createTokenKeeper>

/** The CSRF token of a session, in memory only, and writes that carry it. */
export function createTokenKeeper() {
  let token = ''
  let read: () => Promise<unknown> = async () => {}
  let reading: Promise<unknown> | undefined

  /** One reader at a time, because each read replaces the token. */
  function renew(): Promise<unknown> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    keep(next: string): void {
      token = next
    },
    /** How to get a fresh token: reading the session returns one. */
    readWith(reader: () => Promise<unknown>): void {
      read = reader
    },
    renew,
    /** For the client: writes carry the token. */
    header: () => token !== '' && { 'X-CSRF-Token': token },
    /** A write of the session. When another tab has replaced the token, it is read again and the write sent once more. */
    async askToWrite<T>(send: () => Reply<T>): Promise<T> {
      await reading?.catch(() => {})
      try {
        return await ask(send)
      } catch (error) {
        if (!isRefused(error, 'CSRF_INVALID')) throw error
        await renew()
        return ask(send)
      }
    },
  }
}

export const waitMs = 20_000

export type { ErrorCode }

export type LimitSource = 'credits' | 'key_budget'

export function limitSourceOf(response: Response): LimitSource | null {
  const source = response.headers.get('limit-source')
  return source === 'credits' || source === 'key_budget' ? source : null
}

/** The gateway refused; the code says why. */
export class Refused extends Error {
  readonly code: OperatorApiCode
  readonly status: number
  /** The gateway's English text, which may say more than the code. */
  readonly detail: string | null
  /** When a limit ends, by the local clock; null if waiting does not help. */
  readonly retryAtMs: number | null
  readonly requestId: string | null
  /** On 402: what does not cover the price. */
  readonly limitSource: LimitSource | null

  constructor(code: OperatorApiCode, response: Response, detail: string | null = null) {
    super(code)
    this.name = 'Refused'
    this.code = code
    this.detail = detail
    this.status = response.status
    const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAtMs = Number.isFinite(waitSeconds) ? Date.now() + waitSeconds * 1000 : null
    this.requestId = response.headers.get('x-request-id')
    this.limitSource = limitSourceOf(response)
  }
}

/** No response arrived; the request may or may not have had an effect. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('unreachable', { cause })
    this.name = 'Unreachable'
  }
}

/** Whether a write may or may not have had its effect. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Refused && error.status >= 500)

export const isRefused = (error: unknown, ...codes: OperatorApiCode[]): error is Refused =>
  error instanceof Refused && (codes.length === 0 || codes.includes(error.code))

type Envelope = { error?: { code?: unknown; message?: unknown } } | undefined

/** The code of an error envelope. Anything else, such as a proxy's page, counts as an internal error. */
export function codeOf(body: unknown): OperatorApiCode {
  const code = (body as Envelope)?.error?.code
  return typeof code === 'string' ? (code as OperatorApiCode) : 'INTERNAL_ERROR'
}

function messageOf(body: unknown): string | null {
  const message = (body as Envelope)?.error?.message
  return typeof message === 'string' ? message : null
}
