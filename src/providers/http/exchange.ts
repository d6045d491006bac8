import type { Dispatcher } from 'undici'
import { afterPendingInput } from '../../base/after-pending-input.ts'
import { monotonicMs } from '../../base/clock.ts'
import { after, type Timer } from '../../base/timers.ts'
import { eventOfStatus, type UpstreamEvent } from '../outcome.ts'

export type HttpResult<T = unknown> = { readonly event: 'answered'; readonly value: T } | FailedExchange

export interface FailedExchange {
  readonly event: UpstreamEvent
  readonly detail?: string
  /** Of the response, if there was one. */
  readonly status?: number
  /** Of a 400 that says why: the provider's own code, null if it has none that can be passed on. */
  readonly refusedWith?: string | null
}

export interface ResponseHead {
  readonly status: number
  /** `name` is in lower case. */
  readonly header: (name: string) => string | undefined
  /** False if only the end of the connection ends the body. */
  readonly isFramed: boolean
}

/** Reads the body of a response while it arrives. */
export interface BodyReader<T> {
  /** Without it, the reader gets only 2xx responses; any other status is a failure. */
  readonly anyStatus?: true
  /** It also gets responses with this status. */
  readonly explains?: number
  /** Called once, before the first byte. `closing`: the result is known, but the body may add to it. */
  begin(head: ResponseHead): 'more' | 'closing'
  read(bytes: Buffer): 'more' | 'closing' | HttpResult<T>
  /** The body has ended, or no more of it is waited for after `closing`. */
  end(): HttpResult<T>
}

export interface HttpExchangeOptions<T> {
  readonly reader: BodyReader<T>
  /** The deadline, from the attempt to connect to the end of the body. */
  readonly totalMs: number
  /** The longest silence; by default as long as `totalMs`. */
  readonly silenceMs?: number | undefined
  /** How long a known result waits for the rest of the body. */
  readonly closingMs?: number | undefined
  /** Ends the exchange, as if the connection were lost. */
  readonly signal?: AbortSignal | undefined
  /** Called just before the first byte can leave. */
  readonly onSending?: (() => void) | undefined
}

interface ExchangeEnds<T> {
  /** Called once, as soon as the result is known. */
  readonly onEnd: (result: HttpResult<T>) => void
  /** Called once, when undici is done with the request and its connection is free. */
  readonly onFinished: () => void
}

/** An ignored body is read this far so that its connection can be reused; beyond that the connection is closed. */
export const maxIgnoredBytes = 65_536
const maxIgnoredMs = 1000
/** Node fires longer timers immediately. */
const maxTimerMs = 2_147_483_647
const late = 'no connection in time'

/**
 * The undici handler of one request. undici calls `onRequestStart` just before the first write, in the same tick: an error before
 * it proves that nothing was sent; an error after it counts as sent.
 */
export class HttpExchange<T> implements Dispatcher.DispatchHandler {
  readonly #options: HttpExchangeOptions<T>
  readonly #ends: ExchangeEnds<T>
  readonly #total: Timer
  #silence: Timer | null = null
  /** When something last arrived, or a wait began. */
  #heardMs = 0
  #controller: Dispatcher.DispatchController | undefined
  #hasEnded = false
  #isAccepted = false
  #isClosing = false
  #ignoredBytes = 0

  constructor(options: HttpExchangeOptions<T>, ends: ExchangeEnds<T>) {
    this.#options = options
    this.#ends = ends
    this.#total = after(Math.min(options.totalMs, maxTimerMs), () => this.#expire(() => true))
    this.#awaitMore()
    options.signal?.addEventListener('abort', this.#abort, { once: true })
    if (options.signal?.aborted) this.#abort()
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    // Timed out while connecting, or about to be resent: after an abort nothing is written.
    if (this.#hasEnded || this.#controller) started.abort(new Error('must not be sent'))
    else {
      this.#controller = started
      this.#options.onSending?.()
    }
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ) {
    if (status < 200) return
    const { reader } = this.#options
    this.#isAccepted = status < 300 || reader.anyStatus === true || status === reader.explains
    if (!this.#isAccepted) {
      this.#know({ event: eventOfStatus(status), detail: `status ${status}`, status })
      return
    }
    const header = (name: string) => {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const isFramed =
      status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (reader.begin({ status, header, isFramed }) === 'closing') this.#close()
    else this.#awaitMore()
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#hasEnded) this.#read(chunk)
    else this.#ignoredBytes += chunk.length
    if (this.#ignoredBytes > maxIgnoredBytes) this.#controller?.abort(new Error('too much to ignore'))
  }

  onResponseEnd(): void {
    this.#finish(() => this.#conclude())
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(() =>
      this.#isClosing
        ? this.#conclude()
        : resultOfError(error, { isSent: this.#controller !== undefined, isAccepted: this.#isAccepted }),
    )
  }

  #read(chunk: Buffer): void {
    const next = this.#options.reader.read(chunk)
    if (next === 'more') this.#awaitMore()
    else if (next === 'closing') this.#close()
    else if (next.event === 'answered') this.#know(next)
    else this.#giveUp(next)
  }

  /** Starts the wait once: an endless body must not delay its own result. */
  #close(): void {
    if (!this.#isClosing && this.#options.closingMs !== undefined) this.#wait(this.#options.closingMs)
    this.#isClosing = true
  }

  #conclude(): HttpResult<T> {
    try {
      return this.#options.reader.end()
    } catch (error) {
      return { event: 'adapterFailedAfterSending', detail: (error as Error).name }
    }
  }

  /** Keeps the connection for a moment: it can be reused if the rest of the body is short. */
  #know(result: HttpResult<T>): void {
    this.#end(result)
    this.#wait(maxIgnoredMs)
  }

  #end(result: HttpResult<T>): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#total.cancel()
    this.#ends.onEnd(result)
  }

  #giveUp(result: HttpResult<T>): void {
    this.#end(result)
    this.#controller?.abort(new Error('gave up'))
  }

  #finish(resultOf: () => HttpResult<T>): void {
    if (!this.#hasEnded) this.#end(resultOf())
    this.#silence?.cancel()
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#ends.onFinished()
  }

  /** Setting a timer for every piece of a body takes longer than reading it: the timer that is set looks again. */
  #awaitMore(): void {
    this.#heardMs = monotonicMs()
    if (this.#options.silenceMs !== undefined && !this.#silence) this.#wait(this.#options.silenceMs)
  }

  #wait(ms: number): void {
    this.#heardMs = monotonicMs()
    this.#silence?.cancel()
    this.#setTimer(ms, ms)
  }

  #setTimer(leftMs: number, ms: number): void {
    const setMs = this.#heardMs
    this.#silence = after(Math.min(leftMs, maxTimerMs), () => {
      const heardMs = this.#heardMs
      const moreMs = heardMs === setMs ? 0 : heardMs + ms - monotonicMs()
      if (moreMs > 0) return this.#setTimer(moreMs, ms)
      this.#silence = null
      // If something arrived while the process was paused, the silence was ours.
      this.#expire(() => this.#heardMs === heardMs)
    })
  }

  #expire(isOver: () => boolean): void {
    // Immediately: a call that is already late must not be sent.
    if (!this.#controller) this.#giveUp({ event: 'unreachable', detail: late })
    else if (this.#hasEnded) this.#giveUp({ event: 'timedOut' })
    else afterPendingInput(() => isOver() && this.#timeOut())
  }

  #timeOut(): void {
    if (this.#hasEnded) return
    if (this.#isClosing) this.#know(this.#conclude())
    else this.#giveUp({ event: 'timedOut' })
  }

  readonly #abort = (): void => {
    if (this.#hasEnded) return
    if (!this.#controller) this.#giveUp({ event: 'unreachable', detail: 'stopped before it was sent' })
    else if (this.#isClosing) this.#know(this.#conclude())
    else this.#giveUp({ event: this.#isAccepted ? 'cutBody' : 'reset', detail: 'stopped' })
  }
}

function resultOfError(
  error: Error,
  { isSent, isAccepted }: { readonly isSent: boolean; readonly isAccepted: boolean },
): FailedExchange {
  const { code = error.name } = error as NodeJS.ErrnoException
  if (!isSent) return { event: code === 'UND_ERR_INVALID_ARG' ? 'adapterFailed' : 'unreachable', detail: code }
  if (isAccepted) return { event: 'cutBody', detail: code }
  return { event: /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/.test(code) ? 'garbled' : 'reset', detail: code }
}

/** Why there is no response, in a few words for a log: `timeout`, a code such as `ECONNREFUSED`, or what is wrong with it. */
export const whyFailed = ({ event, detail }: FailedExchange): string =>
  event === 'timedOut' || detail === late ? 'timeout' : (detail ?? event)
