import { type Logger, pino } from 'pino'
import { after } from '../base/timers.ts'
import type { OperatorApiCode } from '../contract/error-codes/operators.ts'
import type { ChargedTo, KnownKey } from './route.ts'

export interface Observation {
  readonly operationId: string
  readonly status: number
  readonly code: OperatorApiCode | null
  readonly durationMs: number
  /** For a response that is made while it is sent: how long its client waited for the beginning. */
  readonly begunMs?: number
  /** Refused before any other check, because the gateway was overloaded. */
  readonly isShed?: boolean
  /** A stored response: the charge has the request id of the first call. */
  readonly isReplay?: true
  /** A provider judged what the caller sent. */
  readonly isRejection?: true
}

export interface FinishedRequest extends Observation, Partial<ChargedTo> {
  readonly requestId: string
  readonly method: string
  /** The route pattern, never the requested path, which may contain private data. */
  readonly route: string
}

/** Gets each request after its response, with the API key if one was sent that exists. */
export type ObserveRequest = (request: FinishedRequest, key: KnownKey | null) => void

/** Logs and counts each request. Never receives values sent by the client. */
export function createRequestLog(logger: Logger, observe: ObserveRequest) {
  let shedCount = 0
  const write = createLineWriter(logger)

  function reportShed(): void {
    logger.warn({ requests: shedCount }, 'overloaded: requests were shed')
    shedCount = 0
  }

  return {
    finished(request: FinishedRequest, key: KnownKey | null = null): void {
      observe(request, key)
      write(request)
    },
    /** Logged once per second: a line per request would add to the overload. */
    shed(request: FinishedRequest): void {
      observe({ ...request, isShed: true }, null)
      shedCount += 1
      if (shedCount === 1) after(reportEveryMs, reportShed).unref()
    },
    failed(requestId: string, error: unknown): void {
      logger.error({ requestId, error: describe(error) }, 'request failed')
    },
    /** Logs the private cause of a refusal. */
    refused(requestId: string, code: OperatorApiCode, cause: unknown): void {
      logger.warn({ requestId, code, error: describe(cause) }, 'request refused')
    },
  }
}

const reportEveryMs = 1000

/** Writes the line of a request, byte for byte as `logger.info` would, in a quarter of the time: there is one for every call. */
function createLineWriter(logger: Logger): (request: FinishedRequest) => void {
  const parts = logger as unknown as Readonly<Record<symbol, unknown>>
  const stream = parts[pino.symbols.streamSym] as { readonly write: (line: string) => void } | undefined
  const time = parts[pino.symbols.timeSym] as (() => string) | undefined
  const bindings = parts[pino.symbols.chindingsSym] as string | undefined
  if (!stream || !time || bindings === undefined) return (request) => logger.info(request, 'request')
  return (request) => {
    if (!logger.isLevelEnabled('info')) return
    const { requestId, method, route, operationId, status, code, isReplay, projectId, chargeId, durationMs } = request
    stream.write(
      `{"level":30${time()}${bindings},"requestId":"${requestId}","method":${JSON.stringify(method)},"route":${JSON.stringify(route)},` +
        `"operationId":"${operationId}","status":${status},"code":${code === null ? 'null' : `"${code}"`}` +
        `${isReplay ? ',"isReplay":true' : ''}` +
        `${chargeId === undefined ? '' : `,"projectId":"${projectId}","chargeId":"${chargeId}"`}` +
        `,"durationMs":${durationMs},"msg":"request"}\n`,
    )
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>

/** Name, message and stack only: other fields may contain query parameters or body bytes. */
function describe(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.trim())
  return {
    type: error.name,
    // A syntax error quotes the text it could not parse.
    message: error instanceof SyntaxError ? undefined : error.message,
    stack,
    cause: error.cause !== undefined && depth < maxCauses ? describe(error.cause, depth + 1) : undefined,
  }
}

const maxCauses = 3
