import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LiveOutput } from '../live-body.ts'
import { unsentBytesOf } from './exchange.ts'

/** What may wait for a reader, beyond the buffers of the kernel. */
export const maxWaitingBytes = 1_048_576

/** Sends a body in parts. Has one write in progress at a time, so that the bytes that wait can be counted exactly. */
export class ResponseOutput implements LiveOutput {
  readonly #response: ServerResponse
  readonly #socket: Socket
  #queue: string[] = []
  #queuedBytes = 0
  #isWriting = false
  #onDrained: (() => void) | null = null

  constructor(response: ServerResponse, socket: Socket) {
    this.#response = response
    this.#socket = socket
    response.once('close', () => this.#drop())
  }

  write(text: string): void {
    if (this.#isGone) return
    this.#queue.push(text)
    this.#queuedBytes += Buffer.byteLength(text)
    this.#flush()
    if (this.#queuedBytes + unsentBytesOf(this.#socket) > maxWaitingBytes) this.#socket.destroy()
  }

  /** Resolves once everything was handed to the kernel and the body has ended, or the client is gone. */
  async end(): Promise<void> {
    if (this.#isWriting) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve
      })
    }
    if (this.#isGone) return
    await new Promise<void>((resolve) => {
      this.#response.once('finish', resolve).once('close', resolve).end()
    })
  }

  get #isGone(): boolean {
    return this.#response.destroyed || this.#socket.destroyed
  }

  #flush(): void {
    if (this.#isWriting) return
    if (this.#queue.length === 0 || this.#isGone) {
      this.#onDrained?.()
      return
    }
    const text = this.#queue.join('')
    this.#queue = []
    this.#queuedBytes = 0
    this.#isWriting = true
    this.#response.write(text, () => {
      this.#isWriting = false
      this.#flush()
    })
  }

  #drop(): void {
    this.#queue = []
    this.#queuedBytes = 0
    this.#onDrained?.()
  }
}
