import { monotonicMs as clockMs } from '../base/clock.ts'
import { minuteMs } from '../base/time.ts'

/** A provider answered 401 or 403: its credential is wrong, has expired, or may not do this. */
export interface Denial {
  readonly status: number
  readonly requestId?: string | undefined
}

export type OnDenied = (denial: Denial) => void

interface WarnLog {
  warn(fields: object, message: string): void
}

/** Warns about each provider that denies access, at most once a minute: with a dead credential every call and poll is denied. */
export function createDenialLog(logger: WarnLog, monotonicMs: () => number = clockMs) {
  return (provider: string): OnDenied => {
    let calls = 0
    let loggedAt = Number.NEGATIVE_INFINITY
    return ({ status, requestId }) => {
      calls += 1
      const at = monotonicMs()
      if (at - loggedAt < minuteMs) return
      logger.warn({ provider, status, calls, ...(requestId && { requestId }) }, 'a provider denies access')
      loggedAt = at
      calls = 0
    }
  }
}

export type DenialLog = ReturnType<typeof createDenialLog>

export const isDenied = (result: { readonly status?: number | undefined }): result is { readonly status: 401 | 403 } =>
  result.status === 401 || result.status === 403
