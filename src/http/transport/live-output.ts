import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LiveOutput } from '../live-body.ts'
import { unsentBytesOf } from './exchange.ts'

/** What may wait for a reader, beyond the buffers of the kernel. */
export const maxWaitingBytes = 1_048_576

/** The same for all readers together. */
const maxAllWaitingBytes = 134_217_728

/** Bounds what waits for all readers of live bodies: the one that is furthest behind loses its connection. */
export class LiveOutputs {
  readonly #maxBytes: number
  readonly #outputs = new Set<ResponseOutput>()
  #bytes = 0

  constructor(maxBytes = maxAllWaitingBytes) {
    this.#maxBytes = maxBytes
  }

  add(output: ResponseOutput): void {
    this.#outputs.add(output)
  }

  remove(output: ResponseOutput): void {
    this.#outputs.delete(output)
  }

  /** What waits for one of them has changed by so many bytes. */
  changed(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.#maxBytes && this.#outputs.size > 0) this.#dropSlowest()
  }

  #dropSlowest(): void {
    let slowest: ResponseOutput | undefined
    for (const output of this.#outputs) {
      if (slowest === undefined || output.waitingBytes > slowest.waitingBytes) slowest = output
    }
    slowest!.drop()
  }
}

const allOutputs = new LiveOutputs()

/** Sends a body in parts. Has one write in progress at a time, so that the bytes that wait can be counted exactly. */
export class ResponseOutput implements LiveOutput {
  readonly #response: ServerResponse
  readonly #socket: Socket
  #queue: string[] = []
  #queuedBytes = 0
  #isWriting = false
  /** Of the write in progress; the kernel may have taken some of them. */
  #writingBytes = 0
  readonly #outputs: LiveOutputs
  #onDrained: (() => void) | null = null

  constructor(response: ServerResponse, socket: Socket, outputs: LiveOutputs = allOutputs) {
    this.#response = response
    this.#socket = socket
    this.#outputs = outputs
    // Of a client that has already left, no `close` would take it out again.
    if (response.destroyed) return
    outputs.add(this)
    response.once('close', () => this.#forget())
  }

  get waitingBytes(): number {
    return this.#queuedBytes + this.#writingBytes
  }

  /** Closes the connection of a reader that is too slow. */
  drop(): void {
    this.#socket.destroy()
    this.#forget()
  }

  write(text: string, bytes: number): void {
    if (this.#isGone) return
    this.#queue.push(text)
    this.#queuedBytes += bytes
    this.#outputs.changed(bytes)
    this.#flushSoon()
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

  /** What one packet of the provider brought is written at once. */
  #flushSoon(): void {
    if (this.#isWriting) return
    this.#isWriting = true
    queueMicrotask(() => this.#flush())
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#isGone) {
      this.#isWriting = false
      this.#onDrained?.()
      return
    }
    const text = this.#queue.join('')
    this.#queue = []
    this.#writingBytes = this.#queuedBytes
    this.#queuedBytes = 0
    this.#response.write(text, () => {
      this.#outputs.changed(-this.#writingBytes)
      this.#writingBytes = 0
      this.#flush()
    })
  }

  #forget(): void {
    const bytes = this.waitingBytes
    this.#queue = []
    this.#queuedBytes = 0
    this.#writingBytes = 0
    this.#outputs.remove(this)
    this.#outputs.changed(-bytes)
    this.#onDrained?.()
  }
}
