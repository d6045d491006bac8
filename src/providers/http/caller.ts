import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { CallSlots, ReaderSlots } from '../call-slots.ts'
import { eventOfStatus } from '../outcome.ts'
import { type HttpHeaders, jsonBody, openHttpClient } from './client.ts'
import { type BodyReader, type FailedExchange, type HttpResult, maxIgnoredBytes } from './exchange.ts'

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

/** What a request says about the trace that it belongs to; undefined if tracing is off. */
export type TraceHeaders = () => HttpHeaders

export interface HttpCallerOptions {
  readonly baseUrl: string
  readonly maxConcurrent: number
  readonly timeoutMs: number
  readonly traceHeaders?: TraceHeaders | undefined
}

/** Calls to one provider. The active projects share its slots; nothing queues. */
export function createHttpCaller({ baseUrl, maxConcurrent, timeoutMs, traceHeaders }: HttpCallerOptions) {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const maxReaders = Math.ceil(maxConcurrent / 4)
  const client = openHttpClient(origin, { connections: maxConcurrent, connectMs: timeoutMs })
  const readerClient = openHttpClient(origin, { connections: maxReaders, connectMs: timeoutMs })
  const slots = new CallSlots({ maxConcurrent, contentionMs: Math.min(timeoutMs, maxContentionMs) })
  const readers = new ReaderSlots(maxReaders)

  const headersOf = ({ requestId, body, headers }: JsonRequest, accept: string) => ({
    ...(body && { 'content-type': 'application/json' }),
    accept,
    ...(requestId && { 'x-request-id': requestId }),
    ...headers,
    ...traceHeaders?.(),
  })

  return {
    hasSlotFor: (projectId: string) => slots.hasSlotFor(projectId),
    /** Never rejects. `answered` carries the parsed JSON of a 2xx response. */
    async exchangeJson(request: JsonRequest): Promise<HttpResult> {
      const { projectId, method, onSending } = request
      if (!slots.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      const body = request.body ? JSON.stringify(request.body) : undefined
      slots.acquire(projectId)
      return client.exchange(
        { method, path: prefix + request.path, headers: headersOf(request, 'application/json'), body },
        { reader: jsonBody(), totalMs: timeoutMs, onSending },
        () => slots.free(projectId),
      )
    },
    /** Never rejects. The reader gets the body of a 2xx response; the caller's `timeoutMs` is its longest silence. */
    async exchangeStream<T>(request: StreamRequest<T>): Promise<HttpResult<T>> {
      const { projectId, reader, totalMs, closingMs, signal, onSending } = request
      if (!slots.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      const body = JSON.stringify(request.body)
      const headers = headersOf({ ...request, method: 'POST' }, 'text/event-stream')
      slots.acquire(projectId)
      return client.exchange(
        { method: 'POST', path: prefix + request.path, headers, body },
        { reader, totalMs, silenceMs: timeoutMs, closingMs, signal, onSending },
        () => slots.free(projectId),
      )
    },
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
    /** Closes all connections. Calls under way become uncertain, or unreachable if nothing was sent. */
    async close(): Promise<void> {
      await Promise.all([client.close(), readerClient.close()])
    },
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
