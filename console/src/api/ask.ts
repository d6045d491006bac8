import type { ErrorCode } from '../../../src/contract/errors.ts'
import type { OperatorApiCode } from '../../../src/features/operators/contract/errors.ts'

export type Reply<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** The answer of the gateway, or an error that says whether it refused or was never reached. */
export async function ask<T>(send: () => Reply<T>): Promise<T> {
  const { data, error, response } = await send().catch((cause) => {
    throw new Unreachable(cause)
  })
  if (!response.ok) throw new Refused(codeOf(error), response, messageOf(error))
  return data as T
}

export type TokenKeeper = ReturnType<typeof createTokenKeeper>

/** The CSRF token of a session, in memory alone, and writes that carry it. */
export function createTokenKeeper() {
  let token = ''
  let read: () => Promise<unknown> = async () => {}
  let reading: Promise<unknown> | undefined

  /** One reader at a time: two would replace each other's token. */
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
    /** How a fresh token is had: the session says it, because reading it is reading who is signed in. */
    readWith(reader: () => Promise<unknown>): void {
      read = reader
    },
    renew,
    /** For the client: writes carry the token. */
    middleware: {
      onRequest({ request }: { request: Request }): void {
        if (request.method === 'POST' && token !== '') request.headers.set('X-CSRF-Token', token)
      },
    },
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

/** How long a page waits for a response. */
export const waitMs = 20_000

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

/** The code in an error envelope. Whatever is not one, such as a proxy's page, counts as a failure of the service. */
export function codeOf(body: unknown): OperatorApiCode {
  const code = (body as Envelope)?.error?.code
  return typeof code === 'string' ? (code as OperatorApiCode) : 'INTERNAL_ERROR'
}

function messageOf(body: unknown): string | null {
  const message = (body as Envelope)?.error?.message
  return typeof message === 'string' ? message : null
}
