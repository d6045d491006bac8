import type { Socket } from 'node:net'

/** Notices a client that has stopped reading its response. */
export class SendProgress {
  readonly #socket: Socket
  #unsentBytes = 0
  #checksWithoutProgress = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /**
   * Called at regular intervals. Closes the connection if the client reads no byte of its response for `checks` intervals.
   * Counts intervals instead of time, so that suspending the process closes nothing.
   */
  check(checks: number): void {
    const unsentBytes = this.#socket.writableLength === 0 ? 0 : unsentBytesOf(this.#socket)
    const hasProgress = unsentBytes === 0 || unsentBytes !== this.#unsentBytes
    this.#checksWithoutProgress = hasProgress ? 0 : this.#checksWithoutProgress + 1
    this.#unsentBytes = unsentBytes
    if (this.#checksWithoutProgress >= checks) this.#socket.destroy()
  }
}

/** Bytes not yet handed to the kernel. `writableLength` would count a pending write in full until it completes. */
const unsentBytesOf = (socket: Socket) =>
  (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
