import type { Dispatcher } from 'undici'
import { afterPendingInput } from '../base/after-pending-input.ts'
import { after, type Timer } from '../base/timers.ts'
import { type HttpResult, maxIgnoredBytes, maxIgnoredMs, resultOfError } from './json-call.ts'
import { eventOfStatus } from './outcome.ts'

/** Reads the body of a 2xx response while it arrives. */
export interface BodyReader<T> {
  /** Called once, before the first byte. */
  begin(contentType: string, isFramed: boolean): void
  /** `closing`: the result is known, but what arrives in the next moments may complete it. */
  read(bytes: Buffer): 'more' | 'closing' | HttpResult<T>
  /** The body has ended, or nothing more of it is waited for after `closing`. */
  end(): HttpResult<T>
}

interface StreamCallOptions<T> {
  /** The longest silence. */
  readonly silenceMs: number
  readonly totalMs: number
  /** How long a result that is known waits for what may complete it. */
  readonly closingMs: number
  readonly reader: BodyReader<T>
  /** Ends the call, as if the connection were lost. */
  readonly signal: AbortSignal
  readonly onSending: (() => void) | undefined
  /** Called once, as soon as the result is known. */
  readonly onEnd: (end: HttpResult<T>) => void
  /** Called once, when undici is done with the request and its slot is free. */
  readonly onFinished: () => void
}

/** Like `createCall`, for a body that is read while it arrives. */
export function createStreamCall<T>(options: StreamCallOptions<T>): Dispatcher.DispatchHandler {
  const { silenceMs, closingMs, reader, signal, onSending, onEnd, onFinished } = options
  let controller: Dispatcher.DispatchController | undefined
  let hasEnded = false
  let isFinished = false
  let isAccepted = false
  let isClosing = false
  let ignoredBytes = 0
  let silence: Timer = after(silenceMs, expireSilence)
  const total = after(options.totalMs, () => expire(() => true))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()

  function end(result: HttpResult<T>): void {
    if (hasEnded) return
    hasEnded = true
    onEnd(result)
  }

  function giveUp(result: HttpResult<T>): void {
    end(result)
    controller?.abort(new Error('gave up'))
  }

  function expireSilence(): void {
    const before = silence
    // If something arrived while the process was paused, the silence was ours.
    expire(() => silence === before)
  }

  function expire(isOver: () => boolean): void {
    // At once: a call that is already late must not be sent.
    if (!controller) giveUp({ event: 'unreachable', detail: 'no connection in time' })
    else if (hasEnded) giveUp({ event: 'timedOut' })
    else {
      afterPendingInput(() => {
        if (isFinished || hasEnded || !isOver()) return
        if (isClosing) known(reader.end())
        else giveUp({ event: 'timedOut' })
      })
    }
  }

  function abort(): void {
    if (!controller) giveUp({ event: 'unreachable', detail: 'stopped before it was sent' })
    else if (isClosing) known(reader.end())
    else giveUp({ event: isAccepted ? 'cutBody' : 'reset', detail: 'stopped' })
  }

  /** The result, with the connection kept for a moment: it can be reused if the rest is short. */
  function known(result: HttpResult<T>): void {
    end(result)
    wait(maxIgnoredMs)
  }

  function wait(ms: number): void {
    silence.cancel()
    silence = after(ms, expireSilence)
  }

  function finish(result: HttpResult<T>): void {
    isFinished = true
    silence.cancel()
    total.cancel()
    signal.removeEventListener('abort', abort)
    end(result)
    onFinished()
  }

  function read(chunk: Buffer): void {
    const next = reader.read(chunk)
    if (next === 'more') wait(silenceMs)
    else if (next === 'closing') {
      // Once: a stream that goes on and on must not hold up its own result.
      if (!isClosing) wait(closingMs)
      isClosing = true
    } else if (next.event === 'answered') known(next)
    else giveUp(next)
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
      if (isAccepted) {
        const isFramed =
          status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
        reader.begin(String(headers['content-type'] ?? ''), isFramed)
        return wait(silenceMs)
      }
      end({ event: eventOfStatus(status), detail: `status ${status}`, status })
      wait(maxIgnoredMs)
    },
    onResponseData(_, chunk) {
      if (!hasEnded) return read(chunk)
      ignoredBytes += chunk.length
      if (ignoredBytes > maxIgnoredBytes) controller?.abort(new Error('too much to ignore'))
    },
    onResponseEnd: () => finish(reader.end()),
    onResponseError: (_, error) =>
      finish(isClosing ? reader.end() : resultOfError(error, { isSent: controller !== undefined, isAccepted })),
  }
}
