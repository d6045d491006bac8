import type { Socket } from 'node:net'

/** What to do with the next piece: parse it, keep it for later, or drop it. */
export type NextPiece = 'parse' | 'wait' | 'drop'

/**
 * Feeds Node's parser in small pieces, only while more requests are wanted. Otherwise one packet of pipelined requests
 * becomes over a thousand request objects before anything can stop it.
 */
export class SocketInput {
  readonly #socket: Socket
  readonly #next: () => NextPiece
  readonly #parse: (bytes: Buffer) => void
  readonly #endParsing: () => void
  #rest: Buffer | null = null
  #isEnded = false
  #isParsing = false
  #isDiscarded = false

  constructor(socket: Socket, next: () => NextPiece) {
    this.#socket = socket
    this.#next = next
    // Node's own listeners: they run the parser.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    const endParsing = socket.listeners('end').at(-1) as () => void
    this.#parse = parse!
    this.#endParsing = endParsing
    socket.off('data', parse!)
    socket.off('end', endParsing)
    socket.on('data', (bytes: Buffer) => {
      this.#rest = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
      this.feed()
    })
    socket.on('end', () => {
      this.#isEnded = true
      this.feed()
    })
  }

  /** Parses buffered pieces while they are wanted; resumes reading once the buffer is empty. */
  feed(): void {
    if (this.#isParsing) return
    this.#isParsing = true
    while (this.#rest !== null && !this.#isDiscarded) {
      const next = this.#next()
      if (next === 'wait') break
      const end = next === 'drop' ? this.#rest.length : endOfPiece(this.#rest)
      const piece = this.#rest.subarray(0, end)
      this.#rest = end < this.#rest.length ? this.#rest.subarray(end) : null
      if (next === 'parse') this.#parse(piece)
    }
    this.#isParsing = false
    if (this.#isDiscarded) return
    if (this.#rest !== null) pauseReading(this.#socket)
    else if (!this.#isEnded) resumeReading(this.#socket)
    else {
      // Only now: a client that half-closes still waits for the responses to everything it sent before.
      this.#isDiscarded = true
      this.#endParsing()
    }
  }

  /** Detaches the parser: further input is read and thrown away. */
  discard(): void {
    if (this.#isDiscarded || this.#socket.destroyed) return
    this.#isDiscarded = true
    this.#rest = null
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', ignore)
    resumeReading(this.#socket)
    this.#socket.resume()
    // After `Connection: close` Node would close at once, but more input may still arrive.
    this.#socket.destroySoon = () => this.close()
  }

  /**
   * Sends the last bytes, ends the connection and gives the client time to read them. Closing a socket with unread input
   * resets the connection, and the reset can overtake the response.
   */
  close(lastBytes?: string): void {
    const socket = this.#socket
    if (!socket.writable) return
    process.nextTick(() => this.discard())
    if (lastBytes === undefined) socket.end()
    else socket.end(lastBytes)
    const giveUp = setTimeout(() => socket.destroy(), lingerMs)
    giveUp.unref()
    socket.once('close', () => clearTimeout(giveUp))
  }
}

/** A packet with one request is one piece. Otherwise a piece ends after a head, so it holds only a few requests. */
function endOfPiece(bytes: Buffer): number {
  const head = bytes.indexOf(endOfHead, smallestPieceBytes)
  if (head === -1 || bytes.indexOf(endOfHead, head + endOfHead.length) === -1) return bytes.length
  return head + endOfHead.length
}

/** Stops reading, even when the parser calls `resume` at the end of a request. */
function pauseReading(socket: Socket): void {
  if (Object.hasOwn(socket, 'resume')) return
  socket.pause()
  socket.resume = stayPaused
}

function resumeReading(socket: Socket): void {
  if (!Object.hasOwn(socket, 'resume')) return
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}

function stayPaused(this: Socket): Socket {
  return this
}

function ignore(): void {}

const endOfHead = Buffer.from('\r\n\r\n')
/** Keeps a body full of blank lines from becoming thousands of pieces. */
const smallestPieceBytes = 256
const lingerMs = 1000
