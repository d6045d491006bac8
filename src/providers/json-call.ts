import type { Dispatcher } from 'undici'
import { afterPendingInput } from '../base/after-pending-input.ts'
import { after } from '../base/timers.ts'
import { isTooDeep } from '../contract/validate.ts'
import { eventOfStatus, type UpstreamEvent } from './outcome.ts'

export type HttpResult<T = unknown> = { readonly event: 'answered'; readonly value: T } | FailedExchange

export interface FailedExchange {
  readonly event: UpstreamEvent
  readonly detail?: string
  /** Of the response, if there was one. */
  readonly status?: number
}

export const maxResponseBytes = 1_048_576
/** An error response is read this far so that its connection can be reused; beyond that the connection is closed. */
export const maxIgnoredBytes = 65_536
export const maxIgnoredMs = 1000

export type RawResult = { event: 'received'; bytes: Buffer; isFramed: boolean } | FailedExchange

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
export function createCall({ timeoutMs, onSending, onEnd, onFinished }: CallOptions): Dispatcher.DispatchHandler {
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

export function resultOfError(
  error: Error,
  { isSent, isAccepted }: { isSent: boolean; isAccepted: boolean },
): FailedExchange {
  const { code = error.name } = error as NodeJS.ErrnoException
  if (!isSent) return { event: code === 'UND_ERR_INVALID_ARG' ? 'adapterFailed' : 'unreachable', detail: code }
  if (isAccepted) return { event: 'cutBody', detail: code }
  return { event: /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/.test(code) ? 'garbled' : 'reset', detail: code }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parse({ bytes, isFramed }: { bytes: Buffer; isFramed: boolean }): HttpResult {
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
