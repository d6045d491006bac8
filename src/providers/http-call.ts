import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import type { Dispatcher, Pool } from 'undici'
import { openPool } from '../base/network.ts'
import { CallSlots, ReaderSlots } from './call-slots.ts'
import {
  createCall,
  type FailedExchange,
  type HttpResult,
  maxIgnoredBytes,
  parse,
  type RawResult,
} from './json-call.ts'
import { eventOfStatus } from './outcome.ts'
import { type BodyReader, createStreamCall } from './stream-call.ts'

export interface JsonRequest {
  readonly projectId: string
  /** Ours, for the provider's records. */
  readonly requestId?: string | undefined
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Null sends none. */
  readonly body: object | null
  readonly authorization: string | undefined
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
  readonly authorization: string | undefined
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

const maxConnectMs = 10_000
const maxContentionMs = 60_000
/** Node fires longer timers at once. */
const maxTimerMs = 2_147_483_647

/** What a request says about the trace that it belongs to; undefined if tracing is off. */
export type TraceHeaders = () => Readonly<Record<string, string>>

export interface HttpCallerOptions {
  readonly baseUrl: string
  readonly maxConcurrent: number
  readonly timeoutMs: number
  readonly traceHeaders?: TraceHeaders | undefined
}

/** A connection pool to one provider. Sends each request at most once, and knows for certain when nothing was sent. */
export function createHttpCaller(options: HttpCallerOptions) {
  const { origin, pathname } = new URL(options.baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const timeoutMs = Math.min(options.timeoutMs, maxTimerMs)
  const maxReaders = Math.ceil(options.maxConcurrent / 4)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const poolOptions: Pool.Options = {
    // Without this, a socket that is still connecting would outlive the pool until its timeout.
    connect: { signal: closing.signal },
    // No pipelining and no HTTP/2, because undici resends requests of a broken pipeline or a refused stream.
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(timeoutMs, maxConnectMs),
    // Off: they restart with every chunk, so a slow trickle would never end. The call has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const pool = openPool(origin, { ...poolOptions, connections: options.maxConcurrent })
  const readerPool = openPool(origin, { ...poolOptions, connections: maxReaders })
  const contentionMs = Math.min(timeoutMs, maxContentionMs)
  const slots = new CallSlots({ maxConcurrent: options.maxConcurrent, contentionMs })
  const readers = new ReaderSlots(maxReaders)

  function dispatch<R>(
    { projectId, requestId, path, method, body, authorization }: JsonRequest,
    accept: string,
    createHandler: (ends: { onEnd: (end: R) => void; onFinished: () => void }) => Dispatcher.DispatchHandler,
  ): Promise<R> {
    const text = body && JSON.stringify(body)
    slots.acquire(projectId)
    return new Promise<R>((resolve) => {
      const handler = createHandler({ onEnd: resolve, onFinished: () => slots.free(projectId) })
      const headers = {
        ...(text && { 'content-type': 'application/json' }),
        accept,
        ...(requestId && { 'x-request-id': requestId }),
        'accept-encoding': 'identity',
        ...(authorization && { authorization }),
        ...options.traceHeaders?.(),
      }
      pool.dispatch({ path: prefix + path, method, body: text, headers }, handler)
    })
  }

  return {
    hasSlotFor: (projectId: string) => slots.hasSlotFor(projectId),
    /** Never rejects. `answered` carries the parsed JSON of a 2xx response. */
    async exchangeJson(request: JsonRequest): Promise<HttpResult> {
      const { projectId, onSending } = request
      if (!slots.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      const raw = await dispatch<RawResult>(request, 'application/json', (ends) =>
        createCall({ timeoutMs, onSending, ...ends }),
      )
      return raw.event === 'received' ? parse(raw) : raw
    },
    /** Never rejects. The reader gets the body of a 2xx response; the caller's `timeoutMs` is its longest silence. */
    async exchangeStream<T>(request: StreamRequest<T>): Promise<HttpResult<T>> {
      const { projectId, reader, closingMs, signal, onSending } = request
      if (!slots.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      const totalMs = Math.min(request.totalMs, maxTimerMs)
      return dispatch<HttpResult<T>>({ ...request, method: 'POST' }, 'text/event-stream', (ends) =>
        createStreamCall({ silenceMs: timeoutMs, totalMs, closingMs, reader, signal, onSending, ...ends }),
      )
    },
    /** Never rejects. The slot is free again once the body has ended. */
    async download({ projectId, path, authorization, signal, range }: DownloadRequest): Promise<DownloadResult> {
      const own = range ? readers : slots
      const connections = range ? readerPool : pool
      if (!own.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      own.acquire(projectId)
      const free = () => own.free(projectId)
      try {
        const { statusCode, headers, body } = await connections.request({
          path: prefix + path,
          method: 'GET',
          headers: {
            'accept-encoding': 'identity',
            ...(range && { range: `bytes=${range.start}-${range.end}` }),
            ...(authorization && { authorization }),
          },
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal,
        })
        const isPart = range !== undefined && statusCode === 206
        if (statusCode !== 200 && !isPart) {
          await body.dump({ limit: maxIgnoredBytes }).catch(() => {})
          free()
          const event = statusCode < 300 ? 'contractBroken' : eventOfStatus(statusCode)
          return { event, status: statusCode, detail: `status ${statusCode}` }
        }
        // The reader sees the error too; without a listener it would end the process.
        body.on('error', () => {}).once('close', free)
        const length = isPart ? lengthOfWhole(headers, range) : declaredLength(headers)
        if (isPart && length === null) {
          body.destroy()
          return { event: 'contractBroken', status: statusCode, detail: 'another range than the one asked for' }
        }
        return { event: 'answered', contentType: String(headers['content-type'] ?? ''), length, isPart, body }
      } catch (error) {
        free()
        return { event: 'reset', detail: (error as NodeJS.ErrnoException).code ?? (error as Error).name }
      }
    },
    /** Closes all connections. Calls under way become uncertain, or unreachable if nothing was sent. */
    async close(): Promise<void> {
      await Promise.all([pool.destroy(), readerPool.destroy()])
      closing.abort()
    },
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

function declaredLength(headers: Headers): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(length) ? length : null
}

/** The length of the whole, from the Content-Range of a 206; null if that is not the range that was asked for. */
function lengthOfWhole(headers: Headers, { start, end }: ByteRange): number | null {
  const [, first, last, whole] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(String(headers['content-range'])) ?? []
  const isAsked = Number(first) === start && Number(last) === end
  return isAsked && (declaredLength(headers) ?? end + 1 - start) === end + 1 - start ? Number(whole) : null
}
