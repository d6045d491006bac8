import type { Socket } from 'node:net'

/** Asked before each piece: parse it, keep it for later, or drop everything that still comes. */
export type NextPiece = 'parse' | 'wait' | 'drop'

/**
 * Hands the bytes of a socket to Node's parser in small pieces, and only while they are wanted. Left to itself, the parser
 * turns a full packet of pipelined requests into over a thousand request objects before anyone can stop it.
 */
export class SocketInput {
  readonly #socket: Socket
  readonly #next: () => NextPiece
  readonly #parse: (bytes: Buffer) => void
  #rest: Buffer | null = null
  #isParsing = false
  #isDiscarded = false

  constructor(socket: Socket, next: () => NextPiece) {
    this.#socket = socket
    this.#next = next
    // Node's own listener, which runs the parser.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    this.#parse = parse!
    socket.off('data', parse!)
    socket.on('data', (bytes: Buffer) => {
      this.#rest = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
      this.feed()
    })
  }

  /** Parses what is wanted of the bytes at hand; reads on once there are none left. */
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
    if (this.#rest !== null) hold(this.#socket)
    else release(this.#socket)
  }

  /** Takes the socket away from the parser: what still comes is read and thrown away. */
  discard(): void {
    if (this.#isDiscarded || this.#socket.destroyed) return
    this.#isDiscarded = true
    this.#rest = null
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', ignore)
    release(this.#socket)
    this.#socket.resume()
    // Node closes at once after a response that says so; here input is to be expected behind it.
    this.#socket.destroySoon = () => this.close()
  }

  /**
   * Sends the last bytes and the end, then lets the peer read them. A socket that is closed with unread input
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

/** A packet with one request is one piece. Otherwise a piece ends behind a head, so that it brings only a few requests. */
function endOfPiece(bytes: Buffer): number {
  const head = bytes.indexOf(endOfHead, smallestPieceBytes)
  if (head === -1 || bytes.indexOf(endOfHead, head + endOfHead.length) === -1) return bytes.length
  return head + endOfHead.length
}

/** Stops reading, also when the parser asks for more at the end of each request. */
function hold(socket: Socket): void {
  if (Object.hasOwn(socket, 'resume')) return
  socket.pause()
  socket.resume = stayPaused
}

function release(socket: Socket): void {
  if (!Object.hasOwn(socket, 'resume')) return
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}

function stayPaused(this: Socket): Socket {
  return this
}

function ignore(): void {}

const endOfHead = Buffer.from('\r\n\r\n')
/** Bounds the pieces that a body full of blank lines falls into. */
const smallestPieceBytes = 256
const lingerMs = 1000
