import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import type { Call, HeaderValue } from '../route.ts'
import type { QueuedRequest } from './admission-queue.ts'
import { parseJsonObject } from './body.ts'

interface ExchangeOptions {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly requester: string
  readonly contentLength: number
  /** The client holds its body back until it is told to go on. */
  readonly awaitsContinue: boolean
}

/** One request that passed the guard, and its answer. */
export class Exchange implements Call, QueuedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly requester: string
  readonly startedAtMs: number = performance.now()
  params: Readonly<Record<string, string>> = none
  isPreview = false
  readonly #contentLength: number
  readonly #awaitsContinue: boolean
  #bodyFault: ErrorCode | null = null
  #failReading: ((refusal: Refusal) => void) | null = null
  #json: Promise<Record<string, unknown>> | null = null
  #query: URLSearchParams | null = null

  constructor({ request, response, requestId, requester, contentLength, awaitsContinue }: ExchangeOptions) {
    this.request = request
    this.response = response
    this.requestId = requestId
    this.requester = requester
    this.#contentLength = contentLength
    this.#awaitsContinue = awaitsContinue
  }

  get isAbandoned(): boolean {
    return this.request.socket.destroyed
  }

  header(name: string): HeaderValue {
    const raw = this.request.rawHeaders
    let value: string | undefined
    for (let i = 0; i < raw.length; i += 2) {
      if (raw[i]!.length !== name.length || raw[i]!.toLowerCase() !== name) continue
      if (value !== undefined) return 'repeated'
      value = raw[i + 1]
    }
    return value === undefined ? 'absent' : { value }
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.request.url!.split('?').slice(1).join('?'))
    return this.#query
  }

  readJson(): Promise<Record<string, unknown>> {
    this.#json ??= this.#read()
    return this.#json
  }

  /** Whatever is left of the body will never come: the reader learns it now or when it asks. */
  failBody(code: ErrorCode): void {
    this.#bodyFault = code
    this.closeAfterwards()
    this.#failReading?.(new Refusal(code))
  }

  /** The answer will say `Connection: close`, unless its head is already out. */
  closeAfterwards(): void {
    if (!this.response.headersSent) this.response.shouldKeepAlive = false
  }

  async #read(): Promise<Record<string, unknown>> {
    if (this.#bodyFault !== null) throw new Refusal(this.#bodyFault)
    // Not told to go on, Node closes the connection after the answer: nobody knows where the next request begins.
    if (this.#awaitsContinue) this.response.writeContinue()
    return parseJsonObject({
      bytes: this.request.readableLength === this.#contentLength ? this.#take() : await this.#arrive(),
      contentType: this.header('content-type'),
      contentEncoding: this.header('content-encoding'),
    })
  }

  /** Most bodies come in the packet of their head and are already there. */
  #take(): Buffer {
    return this.request.read() ?? empty
  }

  /** The length was checked with the head and the parser keeps to it, so there is nothing to count here. */
  #arrive(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      this.request.on('data', (chunk: Buffer) => chunks.push(chunk))
      this.request.on('end', () => resolve(Buffer.concat(chunks)))
      this.#failReading = reject
    })
  }
}

const none = Object.freeze({})
const empty = Buffer.alloc(0)
