import type { Logger } from 'pino'
import { after } from '../base/timers.ts'
import type { OperatorApiCode } from '../contract/error-codes/operators.ts'
import type { ChargedTo } from './route.ts'

export interface Observation {
  readonly operationId: string
  readonly status: number
  readonly code: OperatorApiCode | null
  readonly durationMs: number
  /** Refused before any other check, because the gateway was overloaded. */
  readonly isShed?: boolean
}

export interface FinishedRequest extends Observation, Partial<ChargedTo> {
  readonly requestId: string
  readonly method: string
  /** The route pattern, never the requested path, which may contain private data. */
  readonly route: string
  /** A stored response: the charge has the request id of the first call. */
  readonly isReplay?: true
}

/** Logs and counts each request. Never receives values sent by the client. */
export function createRequestLog(logger: Logger, observe: (observation: Observation) => void) {
  let shedCount = 0

  function reportShed(): void {
    logger.warn({ requests: shedCount }, 'overloaded: requests were shed')
    shedCount = 0
  }

  return {
    finished(request: FinishedRequest): void {
      observe(request)
      logger.info(request, 'request')
    },
    /** Logged once per second: a line per request would add to the overload. */
    shed(request: FinishedRequest): void {
      observe({ ...request, isShed: true })
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
