import { monotonicMs } from '../../../base/clock.ts'
import { after, type Timer } from '../../../base/timers.ts'
import type { LiveOutput } from '../../../http/live-body.ts'
import type { CompletionSink, Delta } from '../../../providers/models/completion.ts'
import { type ChatCompletion, type ChunkOptions, createChunks, keepAlive } from './chat-completion.ts'

/** Proxies cut connections that are silent for longer. */
const silenceMs = 15_000

/**
 * A response that is passed on while it arrives. Nothing is sent before its first part or 15 seconds of silence: until then a
 * failure can still be an HTTP error. The last part waits until the charge is settled.
 */
export class ResponseStream implements CompletionSink {
  readonly signal: AbortSignal
  readonly #options: Omit<ChunkOptions, 'chargeId'>
  readonly #begun = Promise.withResolvers<void>()
  #chunks: ReturnType<typeof createChunks> | null = null
  #output: LiveOutput | null = null
  #waiting: string[] = []
  #last: Delta = {}
  #lastSentMs = 0
  #timer: Timer | null = null
  #partBytes = 0
  #hasBegun = false
  #isOfAnother = false

  constructor(options: Omit<ChunkOptions, 'chargeId'>, signal: AbortSignal) {
    this.#options = options
    this.signal = signal
  }

  /** Resolves when the response has to begin. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** The credits are reserved, or another call with the same key is in progress. */
  charged(chargeId: string, isOfAnother = false): void {
    this.#isOfAnother = isOfAnother
    this.#chunks = createChunks({ ...this.#options, chargeId })
    this.#lastSentMs = monotonicMs()
    this.#timer ??= after(silenceMs, () => this.#breakSilence())
  }

  /** Whether the charge belongs to another call that is in progress. */
  get isOfAnother(): boolean {
    return this.#isOfAnother
  }

  /** Of the parts that were passed on. */
  get partBytes(): number {
    return this.#partBytes
  }

  readonly onChunk = (delta: Delta, systemFingerprint?: string): void => {
    const text = this.#chunks!.part(delta, systemFingerprint)
    const bytes = Buffer.byteLength(text)
    this.#partBytes += bytes
    this.#write(text, bytes)
  }

  readonly onLast = (delta: Delta): void => {
    this.#last = delta
  }

  /** From now on everything goes to the client. */
  sendTo(output: LiveOutput): void {
    this.#output = output
    for (const text of this.#waiting) output.write(text, Buffer.byteLength(text))
    this.#waiting = []
  }

  /** The charge is settled: sends the part that waited for it. */
  finish(completion: ChatCompletion): void {
    this.#write(this.#chunks!.end(this.#last, completion))
  }

  end(text: string): void {
    this.#write(text)
  }

  close(): void {
    this.#timer?.cancel()
  }

  #write(text: string, bytes = Buffer.byteLength(text)): void {
    this.#lastSentMs = monotonicMs()
    if (this.#output) this.#output.write(text, bytes)
    else this.#waiting.push(text)
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#begun.resolve()
  }

  #breakSilence(): void {
    const silentMs = monotonicMs() - this.#lastSentMs
    if (silentMs >= silenceMs) this.#write(keepAlive)
    this.#timer = after(silentMs >= silenceMs ? silenceMs : silenceMs - silentMs, () => this.#breakSilence())
  }
}
