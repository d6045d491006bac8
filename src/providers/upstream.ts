import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { CallSlots, ReaderSlots } from './call-slots.ts'
import { isDenied, type OnDenied } from './denials.ts'
import { type HttpClient, type HttpHeaders, jsonBody, openHttpClient, withRefusals } from './http/client.ts'
import {
  type BodyReader,
  type FailedExchange,
  type HttpExchangeOptions,
  type HttpResult,
  maxIgnoredBytes,
} from './http/exchange.ts'
import { confirmed, eventOfStatus, type FailedOutcome, failureOf, type Outcome, type ProviderKind } from './outcome.ts'

export interface UpstreamSettings {
  readonly baseUrl: string
  readonly apiKeyEnv?: string
  readonly timeoutMs: number
  readonly maxConcurrent: number
}

/** Reads a credential at each call, so that it is never kept in memory. */
export type Credential = (variable: string) => string | undefined

/** What is done around every call of a provider. */
export interface CallHooks {
  readonly traceHeaders?: TraceHeaders | undefined
  readonly onDenied?: OnDenied | undefined
}

export interface UpstreamOptions extends CallHooks {
  readonly kind: ProviderKind
  readonly settings: UpstreamSettings
  readonly credential: Credential
  /** The headers that carry the credential. */
  readonly authorize?: (secret: string) => HttpHeaders
}

export type Upstream = ReturnType<typeof createUpstream>

export const bearer = (secret: string): HttpHeaders => ({ authorization: `Bearer ${secret}` })

export function createUpstream(options: UpstreamOptions) {
  const { kind, settings, credential, traceHeaders, onDenied, authorize = bearer } = options
  const http = createHttpCaller({ ...settings, traceHeaders, readsRefusals: kind === 'model' })
  /** Null: the credential is missing. A value that no header can carry counts as missing, so that it never shows up in an error. */
  const authorization = (): HttpHeaders | null => {
    if (settings.apiKeyEnv === undefined) return {}
    const secret = credential(settings.apiKeyEnv)?.trim()
    return secret && /^[\x21-\x7e]+$/.test(secret) ? authorize(secret) : null
  }
  /** Adds the credential to a request, and reports when it was denied. */
  const authorized = async <R extends AuthorizedRequest, T extends object>(
    request: R,
    send: (request: R) => Promise<T>,
  ) => {
    const headers = authorization()
    if (headers === null) return { event: 'credentialMissing' } as const
    const result = await send({ ...request, headers: { ...request.headers, ...headers } })
    if (isDenied(result)) onDenied?.({ status: result.status, requestId: request.requestId })
    return result
  }
  /** For requests that move no money. Never rejects. */
  const exchangeJson = (request: JsonRequest): Promise<HttpResult> => authorized(request, http.exchangeJson)
  return {
    exchangeJson,
    /** Why a call would fail before anything is sent, or null. */
    obstacle(projectId: string): FailedOutcome | null {
      if (authorization() === null) return failureOf(kind, 'credentialMissing')
      return http.hasSlotFor(projectId) ? null : failureOf(kind, 'capacityExhausted')
    },
    /** A POST whose response decides about a charge. Never rejects. */
    async exchange<T>(
      request: Omit<JsonRequest, 'method'>,
      interpret: (response: unknown) => HttpResult<T>,
    ): Promise<Outcome<T>> {
      const response = await exchangeJson({ ...request, method: 'POST' })
      if (response.event !== 'answered') return failedOutcome(kind, response)
      try {
        const result = interpret(response.value)
        return result.event === 'answered' ? confirmed(result.value) : failureOf(kind, result.event, result.detail)
      } catch (error) {
        return failureOf(kind, 'adapterFailedAfterSending', error instanceof Error ? error.name : undefined)
      }
    },
    /** A POST whose response is read while it arrives. Never rejects. */
    exchangeStream: <T>(request: StreamRequest<T>): Promise<HttpResult<T>> =>
      authorized(request, http.exchangeStream<T>),
    download: (request: DownloadRequest): Promise<DownloadResult> => authorized(request, http.download),
    close: http.close,
  }
}

export function failedOutcome(kind: ProviderKind, { event, detail, refusedWith }: FailedExchange): FailedOutcome {
  const outcome = failureOf(kind, event, detail)
  return refusedWith !== undefined && outcome.kind === 'refused' ? { ...outcome, refusedWith } : outcome
}

interface AuthorizedRequest {
  readonly headers?: HttpHeaders | undefined
  readonly requestId?: string | undefined
}

export interface JsonRequest {
  readonly projectId: string
  /** Ours, for the provider's records. */
  readonly requestId?: string | undefined
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Null sends none. */
  readonly body: object | null
  /** With the credential. */
  readonly headers?: HttpHeaders | undefined
  /** Called just before the first byte can leave. */
  readonly onSending?: (() => void) | undefined
}

export interface StreamRequest<T> extends Omit<JsonRequest, 'method' | 'body'> {
  readonly body: object
  readonly reader: BodyReader<T>
  readonly totalMs: number
  readonly closingMs: number
  readonly signal: AbortSignal
}

export interface DownloadRequest {
  readonly projectId: string
  readonly path: string
  readonly headers?: HttpHeaders | undefined
  readonly signal: AbortSignal
  /** What a reader asks for. Readers have slots of their own, so that they hold up no calls. */
  readonly range?: ByteRange | undefined
}

/** Both are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export type DownloadResult =
  | {
      readonly event: 'answered'
      readonly contentType: string
      /** Of the whole; null if the provider does not declare it. */
      readonly length: number | null
      /** True if the body is the range that was asked for, false if it is the whole. */
      readonly isPart: boolean
      readonly body: Readable
    }
  | FailedExchange

const maxContentionMs = 60_000
/** How long the body of a 400 may take. */
const refusalMs = 1000

/** What a request says about the trace that it belongs to; undefined if tracing is off. */
export type TraceHeaders = () => HttpHeaders

export interface HttpCallerOptions {
  readonly baseUrl: string
  readonly maxConcurrent: number
  readonly timeoutMs: number
  readonly traceHeaders?: TraceHeaders | undefined
  /** Whether the code in a 400 is read. */
  readonly readsRefusals?: boolean
}

/** Calls to one provider. The active projects share its slots; nothing queues. */
export function createHttpCaller(options: HttpCallerOptions) {
  const { baseUrl, maxConcurrent, timeoutMs, traceHeaders, readsRefusals = false } = options
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const client = openHttpClient(origin, { connections: maxConcurrent, connectMs: timeoutMs })
  const slots = new CallSlots({ maxConcurrent, contentionMs: Math.min(timeoutMs, maxContentionMs) })
  const explained = <T>(reader: BodyReader<T>) => (readsRefusals ? withRefusals(reader) : reader)
  const downloads = createDownloads({ client, slots, origin, prefix, maxConcurrent, timeoutMs })

  async function exchange<T>(request: JsonRequest, accept: string, options: HttpExchangeOptions<T>) {
    const { projectId, method, requestId, body } = request
    if (!slots.hasSlotFor(projectId)) return { event: 'capacityExhausted' } as const
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      accept,
      ...(requestId && { 'x-request-id': requestId }),
      ...request.headers,
      ...traceHeaders?.(),
    }
    const text = body ? JSON.stringify(body) : undefined
    slots.acquire(projectId)
    return client.exchange({ method, path: prefix + request.path, headers, body: text }, options, () =>
      slots.free(projectId),
    )
  }

  return {
    hasSlotFor: (projectId: string) => slots.hasSlotFor(projectId),
    /** Never rejects. `answered` carries the parsed JSON of a 2xx response. */
    exchangeJson: (request: JsonRequest): Promise<HttpResult> =>
      exchange(request, 'application/json', {
        reader: explained(jsonBody()),
        totalMs: timeoutMs,
        closingMs: refusalMs,
        onSending: request.onSending,
      }),
    /** Never rejects. The reader gets the body of a 2xx response; the caller's `timeoutMs` is its longest silence. */
    exchangeStream<T>(request: StreamRequest<T>): Promise<HttpResult<T>> {
      const { reader, totalMs, closingMs, signal, onSending } = request
      const timing = { totalMs, silenceMs: timeoutMs, closingMs }
      const options = { reader: explained(reader), ...timing, signal, onSending }
      return exchange({ ...request, method: 'POST' }, 'text/event-stream', options)
    },
    download: downloads.download,
    /** Closes all connections. Calls in progress become uncertain, or unreachable if nothing was sent. */
    async close(): Promise<void> {
      await Promise.all([client.close(), downloads.close()])
    },
  }
}

interface DownloadDeps extends Omit<HttpCallerOptions, 'baseUrl' | 'traceHeaders'> {
  readonly client: HttpClient
  readonly slots: CallSlots
  readonly origin: string
  readonly prefix: string
}

/** Readers of a range have slots and connections of their own, so that they hold up no calls. */
function createDownloads({ client, slots, origin, prefix, maxConcurrent, timeoutMs }: DownloadDeps) {
  const maxReaders = Math.ceil(maxConcurrent / 4)
  const readerClient = openHttpClient(origin, { connections: maxReaders, connectMs: timeoutMs })
  const readers = new ReaderSlots(maxReaders)
  return {
    /** Never rejects. The slot is free again once the body has ended. */
    async download({ projectId, path, headers, signal, range }: DownloadRequest): Promise<DownloadResult> {
      const own = range ? readers : slots
      if (!own.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      own.acquire(projectId)
      const request = {
        path: prefix + path,
        headers: { ...(range && { range: `bytes=${range.start}-${range.end}` }), ...headers },
      }
      const opening = (range ? readerClient : client).open(request, { silenceMs: timeoutMs, signal })
      return downloadResult(opening, range, () => own.free(projectId))
    },
    close: readerClient.close,
  }
}

async function downloadResult(
  opening: Promise<Dispatcher.ResponseData>,
  range: ByteRange | undefined,
  free: () => void,
): Promise<DownloadResult> {
  try {
    const { statusCode: status, headers, body } = await opening
    const isPart = range !== undefined && status === 206
    if (status !== 200 && !isPart) {
      await body.dump({ limit: maxIgnoredBytes }).catch(() => {})
      free()
      return { event: status < 300 ? 'contractBroken' : eventOfStatus(status), status, detail: `status ${status}` }
    }
    // The reader sees the error too; without a listener it would end the process.
    body.on('error', () => {}).once('close', free)
    const length = isPart ? lengthOfWhole(headers, range) : declaredLength(headers)
    if (isPart && length === null) {
      body.destroy()
      return { event: 'contractBroken', status, detail: 'another range than the one asked for' }
    }
    return { event: 'answered', contentType: String(headers['content-type'] ?? ''), length, isPart, body }
  } catch (error) {
    free()
    return { event: 'reset', detail: (error as NodeJS.ErrnoException).code ?? (error as Error).name }
  }
}

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>

function declaredLength(headers: ReceivedHeaders): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(length) ? length : null
}

/** The length of the whole, from the Content-Range of a 206; null if that is not the range that was asked for. */
function lengthOfWhole(headers: ReceivedHeaders, { start, end }: ByteRange): number | null {
  const [, first, last, whole] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(String(headers['content-range'])) ?? []
  const isAsked = Number(first) === start && Number(last) === end
  return isAsked && (declaredLength(headers) ?? end + 1 - start) === end + 1 - start ? Number(whole) : null
}
