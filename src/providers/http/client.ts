import { lookup } from 'node:dns'
import { setMaxListeners } from 'node:events'
import { isIPv6, type LookupFunction } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import { openPool } from '../../base/network.ts'
import { isTooDeep } from '../../contract/validate.ts'
import {
  type BodyReader,
  HttpExchange,
  type HttpExchangeOptions,
  type HttpResult,
  type ResponseHead,
} from './exchange.ts'
import { shareLookups } from './shared-lookup.ts'

export interface HttpClientOptions {
  readonly connections: number
  readonly connectMs?: number
  /** Connects to these addresses instead of looking the name up, so that it cannot get another address after a check. */
  readonly addresses?: readonly string[]
  /** Replaces the usual certificate authorities; in tests. */
  readonly ca?: string | undefined
}

export type HttpHeaders = Readonly<Record<string, string>>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  readonly headers: HttpHeaders
  readonly body?: string | undefined
}

export interface SendRequest extends HttpRequest {
  readonly timeoutMs: number
  readonly maxBytes?: number | undefined
}

export type HttpClient = ReturnType<typeof openHttpClient>

const maxConnectMs = 10_000
const maxResponseBytes = 1_048_576

/**
 * The client of all outgoing HTTP, for one origin. It sends each request at most once, because a second copy may cost, pay or deliver
 * a second time; whether to repeat is the caller's decision. So it retries nothing and follows no redirect, and uses neither
 * pipelining nor HTTP/2: undici resends the requests of a broken pipeline and of a refused stream.
 */
export function openHttpClient(origin: string, options: HttpClientOptions) {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const pool: Dispatcher = openPool(origin, poolOptions(options, closing.signal))

  /** Never rejects. `onFinished` is called when the connection is free again, which may be after the result. */
  const exchange = <T>(
    { method, path, headers, body }: HttpRequest,
    options: HttpExchangeOptions<T>,
    onFinished: () => void = () => {},
  ): Promise<HttpResult<T>> =>
    new Promise((onEnd) => {
      const sent = { ...headers, 'accept-encoding': 'identity' }
      pool.dispatch(
        { method, path, headers: sent, body: body ?? null },
        new HttpExchange(options, { onEnd, onFinished }),
      )
    })

  return {
    exchange,
    /** Never rejects. The whole response, with any status. */
    send: ({
      timeoutMs,
      maxBytes = maxResponseBytes,
      ...request
    }: SendRequest): Promise<HttpResult<ReceivedResponse>> =>
      exchange(request, { reader: wholeResponse(maxBytes), totalMs: timeoutMs }),
    /** For a body that its reader may hold up, such as a download. Rejects without a response. */
    open: (
      { path, headers }: Pick<HttpRequest, 'path' | 'headers'>,
      { silenceMs, signal }: { readonly silenceMs: number; readonly signal: AbortSignal },
    ): Promise<Dispatcher.ResponseData> =>
      pool.request({
        method: 'GET',
        path,
        headers: { ...headers, 'accept-encoding': 'identity' },
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
        signal,
      }),
    /** Closes all connections. Exchanges in progress fail. */
    async close(): Promise<void> {
      await pool.destroy()
      closing.abort()
    },
  }
}

const poolOptions = (
  { connections, connectMs = maxConnectMs, addresses, ca }: HttpClientOptions,
  closing: AbortSignal,
): Pool.Options => ({
  connections,
  connect: {
    // Without this, a socket that is still connecting would outlive the pool until its timeout.
    signal: closing,
    ...(addresses ? { lookup: lookupIn(addresses), maxCachedSessions: 0 } : { lookup: lookupOnce }),
    ...(ca !== undefined && { ca }),
  },
  pipelining: 1,
  allowH2: false,
  connectTimeout: Math.min(connectMs, maxConnectMs),
  // Off: they restart with every chunk, so a slow trickle would never end. Every exchange has a deadline.
  headersTimeout: 0,
  bodyTimeout: 0,
})

const lookupOnce = shareLookups(lookup as LookupFunction)

const lookupIn = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_, options, callback) => (options.all ? callback(null, all) : callback(null, all[0]!.address, all[0]!.family))
}

/** Collects a body. `add` returns false once it is longer than `maxBytes`. */
function boundedBody(maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk: Buffer): boolean {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      return size <= maxBytes
    },
    bytes: () => Buffer.concat(chunks),
  }
}

/** The parsed JSON of a 2xx response. */
export function jsonBody(): BodyReader<unknown> {
  const body = boundedBody(maxResponseBytes)
  let isFramed = false
  return {
    begin(head) {
      isFramed = head.isFramed
      return 'more'
    },
    read: (chunk) => (body.add(chunk) ? 'more' : { event: 'oversized' }),
    end: () => parse(body.bytes(), isFramed),
  }
}

const refused = 400
const maxRefusalBytes = 65_536

/** Reads the code in a 400 as well. The status decides all the same, whatever its body is and however it ends. */
export function withRefusals<T>(reader: BodyReader<T>): BodyReader<T> {
  const body = boundedBody(maxRefusalBytes)
  let isRefused = false
  const end = (): HttpResult<T> =>
    isRefused
      ? {
          event: 'requestRejected',
          detail: `status ${refused}`,
          status: refused,
          refusedWith: refusalCode(body.bytes()),
        }
      : reader.end()
  return {
    explains: refused,
    begin(head) {
      isRefused = head.status === refused
      return isRefused ? 'closing' : reader.begin(head)
    },
    read(chunk) {
      if (!isRefused) return reader.read(chunk)
      return body.add(chunk) ? 'closing' : end()
    },
    end,
  }
}

/** Only what looks like a code, never text: it goes to log and caller. */
function refusalCode(bytes: Buffer): string | null {
  const parsed = isTooDeep(bytes) ? undefined : parse(bytes, true)
  const value = parsed?.event === 'answered' ? (parsed.value as { error?: { code?: unknown } } | null) : null
  const code = value?.error?.code
  return typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : null
}

export interface ReceivedResponse extends Pick<ResponseHead, 'status' | 'header'> {
  readonly body: Buffer
}

/** A response with any status, whatever its body is. */
function wholeResponse(maxBytes: number): BodyReader<ReceivedResponse> {
  const body = boundedBody(maxBytes)
  let head: ResponseHead
  return {
    anyStatus: true,
    begin(began) {
      head = began
      return 'more'
    },
    read: (chunk) => (body.add(chunk) ? 'more' : { event: 'oversized', detail: 'the response is too long' }),
    end: () => ({ event: 'answered', value: { status: head.status, header: head.header, body: body.bytes() } }),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer, isFramed: boolean): HttpResult {
  if (isTooDeep(bytes)) return { event: 'contractBroken', detail: 'nested too deeply' }
  try {
    return { event: 'answered', value: JSON.parse(utf8.decode(bytes)) }
  } catch {
    // Without a length, undici cannot tell a lost connection from the end of the body: the JSON may have been cut.
    return isFramed
      ? { event: 'contractBroken', detail: 'not JSON' }
      : { event: 'cutBody', detail: 'no length, not JSON' }
  }
}
