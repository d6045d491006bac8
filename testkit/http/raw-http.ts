import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One response as it came over the wire. Header names are in lower case. */
export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface RawTarget {
  readonly port: number
  readonly host?: string
  /** The address to connect from. */
  readonly from?: string
}

/** A client that sends exactly the bytes it is given and reads responses strictly: it never repairs anything. */
export class RawConnection {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #received = 0
  #isOver = false
  #wasReset = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk)
      this.#received += chunk.length
      this.#wake()
    })
    socket.on('error', () => {
      this.#wasReset = true
    })
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#isOver = true
        this.#wake()
      })
    }
  }

  static async open({ port, host = '127.0.0.1', from }: RawTarget): Promise<RawConnection> {
    const localAddress = from === undefined ? {} : { localAddress: from }
    const socket = connect({ port, host, ...localAddress, allowHalfOpen: true, noDelay: true })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get wasReset(): boolean {
    return this.#wasReset
  }

  send(bytes: string | Uint8Array): this {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return this
  }

  /** Ends the sending side only. */
  halfClose(): this {
    this.#socket.end()
    return this
  }

  /** Resolves when the server has accepted every byte that was sent, rejects when it refused. Needs a half-close. */
  async taken(): Promise<void> {
    if (!this.#socket.writableFinished) await once(this.#socket, 'finish')
  }

  /** Reads no byte from the server until `resume`. */
  pause(): this {
    this.#socket.pause()
    return this
  }

  resume(): this {
    this.#socket.resume()
    return this
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** The next response, or null when the connection ended cleanly before one began. */
  async next({ isHead = false } = {}): Promise<RawResponse | null> {
    let wanted = 1
    for (;;) {
      if (this.#received >= wanted) {
        const input = Buffer.concat(this.#chunks)
        this.#chunks = [input]
        const parsed = parseResponse(input, isHead)
        if (parsed.response !== null) {
          this.#chunks = [input.subarray(parsed.bytes)]
          this.#received -= parsed.bytes
          return parsed.response
        }
        wanted = parsed.bytes
      } else if (this.#isOver) {
        if (this.#received === 0) return null
        throw new Error(`the connection ended inside a response: ${quote(Buffer.concat(this.#chunks))}`)
      } else {
        await this.#more()
      }
    }
  }

  /** All responses until the server ends the connection. */
  async rest(): Promise<RawResponse[]> {
    const responses: RawResponse[] = []
    for (let response = await this.next(); response !== null; response = await this.next()) responses.push(response)
    this.#socket.destroy()
    return responses
  }

  async #more(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no byte in ${patienceMs} ms`)), patienceMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Sends the bytes on a new connection and returns all responses until the server ends it. */
export async function sendRaw(target: RawTarget, bytes: string | Uint8Array): Promise<RawResponse[]> {
  const connection = await RawConnection.open(target)
  return connection.send(bytes).rest()
}

/** Only stops a test that hangs: nothing is measured by it. */
const patienceMs = 15_000

/** The response and its length, or how many bytes are needed before parsing again. */
function parseResponse(input: Buffer, isHead: boolean): { response: RawResponse | null; bytes: number } {
  const headEnd = input.indexOf('\r\n\r\n')
  if (headEnd === -1) return { response: null, bytes: input.length + 1 }
  const [statusLine = '', ...lines] = input.toString('latin1', 0, headEnd).split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(statusLine)?.[1]
  if (!status) throw new Error(`not a status line: ${quote(input)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (colon < 1 || headers.has(name)) throw new Error(`bad or repeated response header: ${line}`)
    headers.set(name, line.slice(colon + 1).trim())
  }
  const hasBody = !isHead && Number(status) >= 200
  const length = hasBody ? Number(headers.get('content-length')) : 0
  if (!Number.isSafeInteger(length)) throw new Error(`response without a length: ${quote(input)}`)
  const bodyStart = headEnd + 4
  if (input.length < bodyStart + length) return { response: null, bytes: bodyStart + length }
  const body = input.toString('utf8', bodyStart, bodyStart + length)
  return { response: { status: Number(status), headers, body }, bytes: bodyStart + length }
}

const quote = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1', 0, 200))
