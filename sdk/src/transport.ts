import { CallAborted, ConnectionError, errorOf, GatewayError } from './errors.ts'

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
  /** Whether the SDK made the key: then it may use another one, if the gateway asks for that. */
  readonly isOwnKey?: boolean | undefined
}

export interface Received {
  readonly response: Response
  /** Null for a stream. */
  readonly body: unknown
  /** The one that was used last. */
  readonly idempotencyKey: string | undefined
}

export type Send = (outgoing: Outgoing, options: CallOptions, body: 'json' | 'stream') => Promise<Received>

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
    const { idempotencyKey } = outgoing
    try {
      const response = await send(`${base}${outgoing.path}`, {
        method: outgoing.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(outgoing.body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(outgoing.body !== undefined && { body: outgoing.body }),
      })
      if (isStream && response.ok) return { response, body: null, idempotencyKey }
      // A body that is cut is no response.
      const text = await response.text()
      return { response, body: text === '' ? null : JSON.parse(text), idempotencyKey }
    } catch (cause) {
      if (signal?.aborted) throw new CallAborted(signal, { idempotencyKey })
      const message = timeout.signal.aborted
        ? 'The gateway did not answer in time.'
        : 'The connection to the gateway broke.'
      throw new ConnectionError({ code: 'CONNECTION_FAILED', message, status: 0, idempotencyKey, cause })
    } finally {
      clearTimeout(timer)
    }
  }

  return async (outgoing, options, body) => {
    const most = options.maxRetries ?? maxRetries
    let sent = outgoing
    for (let count = 0; ; count += 1) {
      let failure: unknown
      try {
        const received = await attempt(sent, options, body === 'stream')
        if (received.response.ok) return received
        failure = failureOf(received)
      } catch (error) {
        failure = error
      }
      if (!(failure instanceof GatewayError) || count >= most) throw failure
      const next = nextAttempt(outgoing, sent, failure, count + 2)
      if (!next) throw failure
      await pause(pauseMs(failure, count), options.signal, sent)
      sent = next
    }
  }
}

function failureOf({ response: { status, headers }, body, idempotencyKey }: Received): GatewayError {
  const { code = 'UNKNOWN', message = `The gateway answered ${status}.` } =
    (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
  const requestId = headers.get('x-request-id') ?? undefined
  const chargeId = headers.get('x-charge-id') ?? undefined
  return errorOf({ code, message, status, requestId, chargeId, idempotencyKey, headers })
}

/**
 * What to send next; null if the caller must decide. Usually the same request with the same key. If the gateway says that the key
 * is used up, its charge was released: then a key derived from it, but never in place of a key of the caller.
 */
function nextAttempt(first: Outgoing, last: Outgoing, failure: GatewayError, number: number): Outgoing | null {
  if (failure instanceof CallAborted) return null
  const { status, headers } = failure
  if (status === 0) return last
  const hint = headers?.get('retry-hint')
  if (hint == null) return withoutHint.has(status) ? last : null
  const should = headers?.get('x-should-retry')
  if (hint === 'same-key' && should !== 'false') return last
  if (hint !== 'new-key' || should !== 'true' || !first.isOwnKey) return null
  return { ...last, idempotencyKey: `${first.idempotencyKey}-${number}` }
}

/** Grows with every attempt, half of it by chance; Retry-After is a lower bound. */
function pauseMs({ headers }: GatewayError, count: number): number {
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** count)
  const asked = Number(headers?.get('retry-after') ?? 0) * 1000
  return Math.max(Number.isFinite(asked) ? asked : 0, full / 2) + (Math.random() * full) / 2
}

/** Rejects with `CallAborted` if the signal aborts it. */
export function pause(
  ms: number,
  signal?: AbortSignal,
  facts: { readonly idempotencyKey?: string | undefined; readonly chargeId?: string | undefined } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new CallAborted(signal, facts))
    const stop = () => {
      clearTimeout(timer)
      reject(new CallAborted(signal!, facts))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
