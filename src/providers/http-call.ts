import { setMaxListeners } from 'node:events'
import { type Dispatcher, Pool } from 'undici'
import { afterPendingInput } from '../after-pending-input.ts'
import { eventOfStatus, type UpstreamEvent } from './outcome-table.ts'
import { Places } from './places.ts'

/** A connection pool to one provider that sends each request at most once and says for certain if it never left. */
export interface HttpCaller {
  /** Whether one more call of the project would find a place. */
  hasPlaceFor(projectId: string): boolean
  /** Never rejects. `answered` holds the parsed JSON of a 2xx. */
  postJson(request: JsonRequest): Promise<CallEnd>
  /** Ends all connections; calls under way end as uncertain or, if nothing was sent, as unreachable. */
  close(): Promise<void>
}

export interface JsonRequest {
  readonly projectId: string
  readonly path: string
  readonly body: object
  readonly authorization: string | undefined
}

export type CallEnd =
  | { readonly event: 'answered'; readonly value: unknown }
  | { readonly event: UpstreamEvent; readonly detail?: string }

export const maxResponseBytes = 1_048_576
/** The body of a refusal is read so far to keep the connection; one that is longer or slower costs the connection. */
const maxIgnoredBytes = 65_536
const maxIgnoredMs = 1000
const maxConnectMs = 10_000
const maxContentionMs = 60_000
/** Node fires a longer timer at once. */
const maxTimerMs = 2_147_483_647

export function createHttpCaller(options: { baseUrl: string; maxConcurrent: number; timeoutMs: number }): HttpCaller {
  const { origin, pathname } = new URL(options.baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const timeoutMs = Math.min(options.timeoutMs, maxTimerMs)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const pool = new Pool(origin, {
    // undici leaves a socket that is still connecting to its time-out; this ends it with the pool.
    connect: { signal: closing.signal },
    connections: options.maxConcurrent,
    // One request on a connection and no HTTP/2: undici sends again what a pipeline or a refused stream held.
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(timeoutMs, maxConnectMs),
    // The deadline of the whole call stands in for these; they start anew at each step and let a slow drip go on.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  // As long as a call may hold its place, within reason.
  const contentionMs = Math.min(timeoutMs, maxContentionMs)
  const places = new Places({ maxConcurrent: options.maxConcurrent, contentionMs })
  return {
    hasPlaceFor: (projectId) => places.hasOneFor(projectId),
    async postJson({ projectId, path, body, authorization }) {
      if (!places.hasOneFor(projectId)) return { event: 'capacityExhausted' }
      const text = JSON.stringify(body)
      places.take(projectId)
      const raw = await new Promise<RawEnd>((resolve) => {
        const call = createCall({ timeoutMs, onEnd: resolve, onFinished: () => places.giveBack(projectId) })
        pool.dispatch(
          {
            path: prefix + path,
            method: 'POST',
            body: text,
            headers: {
              'content-type': 'application/json',
              accept: 'application/json',
              'accept-encoding': 'identity',
              ...(authorization && { authorization }),
            },
          },
          call,
        )
      })
      return raw.event === 'received' ? parse(raw) : raw
    },
    async close() {
      await pool.destroy()
      closing.abort()
    },
  }
}

type RawEnd = { event: 'received'; bytes: Buffer; isFramed: boolean } | Exclude<CallEnd, { event: 'answered' }>

interface CallOptions {
  readonly timeoutMs: number
  /** Called once, when it is known how the call ended. */
  readonly onEnd: (end: RawEnd) => void
  /** Called once, when undici is done with the request and its place is free. */
  readonly onFinished: () => void
}

/**
 * Follows one request. undici calls onRequestStart in the same tick as, and just before, the first write:
 * an error before it proves that nothing was sent, any error after it counts as sent.
 */
function createCall({ timeoutMs, onEnd, onFinished }: CallOptions): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let hasEnded = false
  let isFinished = false
  let isAccepted = false
  let isFramed = false
  let size = 0
  const chunks: Buffer[] = []

  const end = (result: RawEnd) => {
    if (hasEnded) return
    hasEnded = true
    onEnd(result)
  }
  const giveUp = (result: RawEnd) => {
    end(result)
    controller?.abort(new Error('gave up'))
  }
  const expire = () => {
    // At once: a call that is late before it was sent must not be sent any more.
    if (!controller) return giveUp({ event: 'unreachable', detail: 'no connection in time' })
    if (hasEnded) return giveUp({ event: 'timedOut' })
    afterPendingInput(() => {
      if (!isFinished) giveUp({ event: 'timedOut' })
    })
  }
  let deadline = setTimeout(expire, timeoutMs)
  const finish = (result: RawEnd) => {
    isFinished = true
    clearTimeout(deadline)
    end(result)
    onFinished()
  }

  return {
    onRequestStart(started) {
      // Given up while connecting, or about to be sent a second time: nothing is written after an abort.
      if (hasEnded || controller) return started.abort(new Error('not to be sent'))
      controller = started
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return
      isAccepted = status < 300
      isFramed = status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      if (isAccepted) return
      end({ event: eventOfStatus(status), detail: `status ${status}` })
      clearTimeout(deadline)
      deadline = setTimeout(expire, maxIgnoredMs)
    },
    onResponseData(_, chunk) {
      size += chunk.length
      if (size > (isAccepted ? maxResponseBytes : maxIgnoredBytes)) return giveUp({ event: 'oversized' })
      if (isAccepted) chunks.push(chunk)
    },
    onResponseEnd: () => finish({ event: 'received', bytes: Buffer.concat(chunks), isFramed }),
    onResponseError: (_, error) => finish(endOfError(error, { isSent: controller !== undefined, isAccepted })),
  }
}

function endOfError(error: Error, { isSent, isAccepted }: { isSent: boolean; isAccepted: boolean }): RawEnd {
  const { code = error.name } = error as NodeJS.ErrnoException
  if (!isSent) return { event: code === 'UND_ERR_INVALID_ARG' ? 'adapterFailed' : 'unreachable', detail: code }
  if (isAccepted) return { event: 'cutBody', detail: code }
  return { event: /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/.test(code) ? 'garbled' : 'reset', detail: code }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse({ bytes, isFramed }: { bytes: Buffer; isFramed: boolean }): CallEnd {
  try {
    return { event: 'answered', value: JSON.parse(utf8.decode(bytes)) }
  } catch {
    // Without a length, undici takes a lost connection for the end of the body: half a JSON text may be a cut one.
    return isFramed
      ? { event: 'contractBroken', detail: 'not JSON' }
      : { event: 'cutBody', detail: 'no length, not JSON' }
  }
}
