import { ConnectionError, errorOf, GatewayError } from './errors.ts'

export interface GatewayOptions {
  readonly apiKey: string
  /** Such as `https://gateway.example.com`. */
  readonly baseURL: string
  /** Further attempts after the first; 2 by default. */
  readonly maxRetries?: number | undefined
  /** Time for one attempt; a minute by default. */
  readonly timeoutMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
}

export interface CallOptions {
  /** One for each new call; generated if you send none. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly maxRetries?: number | undefined
  readonly timeoutMs?: number | undefined
}

export interface Outgoing {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Serialized when the method is called, so that every attempt sends the same bytes. */
  readonly body?: string | undefined
  readonly idempotencyKey?: string | undefined
}

export interface Received {
  readonly response: Response
  readonly body: unknown
}

export type Send = <B extends 'json' | 'stream'>(
  outgoing: Outgoing,
  options: CallOptions,
  body: B,
) => Promise<B extends 'json' ? Received : Response>

const firstPauseMs = 500
const longestPauseMs = 8000
const withoutHint = new Set([408, 429, 500, 502, 503, 504])

/** Sends a request until it gets a response, as often as the gateway's hints and `maxRetries` allow. */
export function createSend({ apiKey, baseURL, maxRetries = 2, timeoutMs = 60_000, fetch: own }: GatewayOptions): Send {
  const base = baseURL.replace(/\/+$/, '')
  const send = own ?? globalThis.fetch.bind(globalThis)

  async function attempt(outgoing: Outgoing, options: CallOptions, isStream: boolean): Promise<Received> {
    const timeout = new AbortController()
    const timer = setTimeout(
      () => timeout.abort(new Error('The gateway did not answer in time.')),
      options.timeoutMs ?? timeoutMs,
    )
    const { signal } = options
    try {
      const response = await send(`${base}${outgoing.path}`, {
        method: outgoing.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(outgoing.body !== undefined && { 'content-type': 'application/json' }),
          ...(outgoing.idempotencyKey !== undefined && { 'idempotency-key': outgoing.idempotencyKey }),
        },
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(outgoing.body !== undefined && { body: outgoing.body }),
      })
      if (isStream && response.ok) return { response, body: null }
      // A body that is cut is no response.
      const text = await response.text()
      return { response, body: text === '' ? null : JSON.parse(text) }
    } catch (cause) {
      signal?.throwIfAborted()
      const message = timeout.signal.aborted
        ? 'The gateway did not answer in time.'
        : 'The connection to the gateway broke.'
      throw new ConnectionError({ code: 'CONNECTION_FAILED', message, status: 0, cause })
    } finally {
      clearTimeout(timer)
    }
  }

  return (async (outgoing: Outgoing, options: CallOptions, body: 'json' | 'stream') => {
    const most = options.maxRetries ?? maxRetries
    for (let count = 0; ; count += 1) {
      let failure: unknown
      try {
        const received = await attempt(outgoing, options, body === 'stream')
        if (received.response.ok) return body === 'stream' ? received.response : received
        failure = failureOf(received)
      } catch (error) {
        failure = error
      }
      if (!(failure instanceof GatewayError) || count >= most || !mayRepeat(failure)) throw failure
      await pause(pauseMs(failure, count), options.signal)
    }
  }) as Send
}

function failureOf({ response: { status, headers }, body }: Received): GatewayError {
  const { code = 'UNKNOWN', message = `The gateway answered ${status}.` } =
    (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
  const requestId = headers.get('x-request-id') ?? undefined
  const chargeId = headers.get('x-charge-id') ?? undefined
  return errorOf({ code, message, status, requestId, chargeId, headers })
}

/** The same request with the same key; anything else is for the caller to decide. */
function mayRepeat({ status, headers }: GatewayError): boolean {
  if (status === 0) return true
  const hint = headers?.get('retry-hint')
  if (hint == null) return withoutHint.has(status)
  return hint === 'same-key' && headers?.get('x-should-retry') !== 'false'
}

/** Grows with every attempt, half of it by chance; Retry-After is a lower bound. */
function pauseMs({ headers }: GatewayError, count: number): number {
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** count)
  const asked = Number(headers?.get('retry-after') ?? 0) * 1000
  return Math.max(Number.isFinite(asked) ? asked : 0, full / 2) + (Math.random() * full) / 2
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
