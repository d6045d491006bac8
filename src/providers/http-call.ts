import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { afterPendingInput } from '../base/after-pending-input.ts'
import { after } from '../base/timers.ts'
import { isTooDeep } from '../contract/validate.ts'
import { CallSlots, ReaderSlots } from './call-slots.ts'
import { eventOfStatus, type UpstreamEvent } from './outcome.ts'

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

export type HttpResult = { readonly event: 'answered'; readonly value: unknown } | FailedExchange

export interface FailedExchange {
  readonly event: UpstreamEvent
  readonly detail?: string
  /** Of the response, if there was one. */
  readonly status?: number
}

export const maxResponseBytes = 1_048_576
/** An error response is read this far so that its connection can be reused; beyond that the connection is closed. */
const maxIgnoredBytes = 65_536
const maxIgnoredMs = 1000
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
  const pool = new Pool(origin, { ...poolOptions, connections: options.maxConcurrent })
  const readerPool = new Pool(origin, { ...poolOptions, connections: maxReaders })
  const contentionMs = Math.min(timeoutMs, maxContentionMs)
  const slots = new CallSlots({ maxConcurrent: options.maxConcurrent, contentionMs })
  const readers = new ReaderSlots(maxReaders)
  return {
    hasSlotFor: (projectId: string) => slots.hasSlotFor(projectId),
    /** Never rejects. `answered` carries the parsed JSON of a 2xx response. */
    async exchangeJson(request: JsonRequest): Promise<HttpResult> {
      const { projectId, requestId, path, method, body, authorization, onSending } = request
      if (!slots.hasSlotFor(projectId)) return { event: 'capacityExhausted' }
      const text = body && JSON.stringify(body)
      slots.acquire(projectId)
      const raw = await new Promise<RawResult>((resolve) => {
        const call = createCall({ timeoutMs, onSending, onEnd: resolve, onFinished: () => slots.free(projectId) })
        pool.dispatch(
          {
            path: prefix + path,
            method,
            body: text,
            headers: {
              ...(text && { 'content-type': 'application/json' }),
              accept: 'application/json',
              ...(requestId && { 'x-request-id': requestId }),
              'accept-encoding': 'identity',
              ...(authorization && { authorization }),
              ...options.traceHeaders?.(),
            },
          },
          call,
        )
      })
      return raw.event === 'received' ? parse(raw) : raw
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
        // Whoever reads it sees the error as well; unheard it would end the process.
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

type RawResult = { event: 'received'; bytes: Buffer; isFramed: boolean } | FailedExchange

interface CallOptions {
  readonly timeoutMs: number
  readonly onSending: (() => void) | undefined
  /** Called once, as soon as the result is known. */
  readonly onEnd: (end: RawResult) => void
  /** Called once, when undici is done with the request and its slot is free. */
  readonly onFinished: () => void
}

/**
 * The undici handler of one request. undici calls onRequestStart just before the first write, in the same tick:
 * an error before it proves that nothing was sent; an error after it counts as sent.
 */
function createCall({ timeoutMs, onSending, onEnd, onFinished }: CallOptions): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let hasEnded = false
  let isFinished = false
  let isAccepted = false
  let isFramed = false
  let size = 0
  const chunks: Buffer[] = []

  const end = (result: RawResult) => {
    if (hasEnded) return
    hasEnded = true
    onEnd(result)
  }
  const giveUp = (result: RawResult) => {
    end(result)
    controller?.abort(new Error('gave up'))
  }
  const expire = () => {
    // At once: a call that is already late must not be sent.
    if (!controller) return giveUp({ event: 'unreachable', detail: 'no connection in time' })
    if (hasEnded) return giveUp({ event: 'timedOut' })
    afterPendingInput(() => {
      if (!isFinished) giveUp({ event: 'timedOut' })
    })
  }
  let deadline = after(timeoutMs, expire)
  const finish = (result: RawResult) => {
    isFinished = true
    deadline.cancel()
    end(result)
    onFinished()
  }

  return {
    onRequestStart(started) {
      // Timed out while connecting, or about to be resent: after an abort nothing is written.
      if (hasEnded || controller) return started.abort(new Error('must not be sent'))
      controller = started
      onSending?.()
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return
      isAccepted = status < 300
      isFramed = status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      if (isAccepted) return
      end({ event: eventOfStatus(status), detail: `status ${status}`, status })
      deadline.cancel()
      deadline = after(maxIgnoredMs, expire)
    },
    onResponseData(_, chunk) {
      size += chunk.length
      if (size > (isAccepted ? maxResponseBytes : maxIgnoredBytes)) return giveUp({ event: 'oversized' })
      if (isAccepted) chunks.push(chunk)
    },
    onResponseEnd: () => finish({ event: 'received', bytes: Buffer.concat(chunks), isFramed }),
    onResponseError: (_, error) => finish(resultOfError(error, { isSent: controller !== undefined, isAccepted })),
  }
}

function resultOfError(error: Error, { isSent, isAccepted }: { isSent: boolean; isAccepted: boolean }): RawResult {
  const { code = error.name } = error as NodeJS.ErrnoException
  if (!isSent) return { event: code === 'UND_ERR_INVALID_ARG' ? 'adapterFailed' : 'unreachable', detail: code }
  if (isAccepted) return { event: 'cutBody', detail: code }
  return { event: /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/.test(code) ? 'garbled' : 'reset', detail: code }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse({ bytes, isFramed }: { bytes: Buffer; isFramed: boolean }): HttpResult {
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
