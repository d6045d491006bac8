import type { Logger } from 'pino'
import type { ErrorCode } from '../contract/errors.ts'

export interface Observation {
  readonly operationId: string
  readonly status: number
  readonly code: ErrorCode | null
  readonly durationMs: number
  /** Refused for want of time, before anything was looked at. */
  readonly isTurnedAway?: boolean
}

export interface FinishedRequest extends Observation {
  readonly requestId: string
  readonly method: string
  /** The pattern of the route, never the path that was asked for: a path can hold anything. */
  readonly route: string
}

/** One line and one observation per request. Values of the request itself never get here. */
export function createRequestLog(logger: Logger, observe: (observation: Observation) => void) {
  let turnedAway = 0

  function reportTurnedAway(): void {
    logger.warn({ requests: turnedAway }, 'overloaded: requests were turned away')
    turnedAway = 0
  }

  return {
    finished(request: FinishedRequest): void {
      observe(request)
      logger.info(request, 'request')
    },
    /** Counted one by one, but logged together: a line each would add to the overload. */
    turnedAway(request: FinishedRequest): void {
      observe({ ...request, isTurnedAway: true })
      turnedAway += 1
      if (turnedAway === 1) setTimeout(reportTurnedAway, reportEveryMs).unref()
    },
    failed(requestId: string, error: unknown): void {
      logger.error({ requestId, error: describe(error) }, 'request failed')
    },
    /** The private side of a refusal. */
    refused(requestId: string, code: ErrorCode, cause: unknown): void {
      logger.warn({ requestId, code, error: describe(cause) }, 'request refused')
    },
  }
}

const reportEveryMs = 1000

export type RequestLog = ReturnType<typeof createRequestLog>

/** Name, message and stack only: other fields of an error can hold parameters of a query or bytes of a body. */
function describe(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.trim())
  return {
    type: error.name,
    // A syntax error quotes the text that it could not read.
    message: error instanceof SyntaxError ? undefined : error.message,
    stack,
    cause: error.cause !== undefined && depth < maxCauses ? describe(error.cause, depth + 1) : undefined,
  }
}

const maxCauses = 3
