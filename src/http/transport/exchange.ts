import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicMs } from '../../base/clock.ts'
import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import { isTooDeep, maxJsonDepth, tooDeep } from '../../contract/validate.ts'
import type { Requester } from '../requester.ts'
import type { BodyPace, Call, ChargedTo, HeaderValue, KnownKey } from '../route.ts'
import type { AdmissionRequest } from './admission-queue.ts'

import { keyTokenOf, type RecentKeys } from './admission-queue.ts'
import { readArriving } from './arriving-body.ts'

export type RequesterOf = (rawHeaders: readonly string[]) => Requester

interface ExchangeOptions {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly requesterOf: RequesterOf
  readonly contentLength: number
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean
  readonly recentKeys: RecentKeys
  /** Called when a body that is read at a pace arrives too slowly. */
  readonly onTooSlow: () => void
}

export class Exchange implements Call, AdmissionRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly startedAtMs: number = monotonicMs()
  params: Readonly<Record<string, string>> = none
  isPreview = false
  charge: ChargedTo | null = null
  key: KnownKey | null = null
  readonly #requesterOf: RequesterOf
  readonly #contentLength: number
  readonly #awaitsContinue: boolean
  readonly #recentKeys: RecentKeys
  readonly #onTooSlow: () => void
  /** That of its key, if the key was valid lately. */
  readonly #knownProject: string | undefined
  queuedIn: object | null = null
  #requester: Requester | null = null
  #bodyFault: ErrorCode | null = null
  #failReading: ((refusal: Refusal) => void) | null = null
  #bytes: Promise<Buffer> | null = null
  #json: Promise<Record<string, unknown>> | null = null
  #query: URLSearchParams | null = null

  constructor(options: ExchangeOptions) {
    const { request, response, requestId, requesterOf, contentLength, awaitsContinue, recentKeys, onTooSlow } = options
    this.request = request
    this.response = response
    this.requestId = requestId
    this.#requesterOf = requesterOf
    this.#contentLength = contentLength
    this.#awaitsContinue = awaitsContinue
    this.#recentKeys = recentKeys
    this.#onTooSlow = onTooSlow
    const token = this.#keyToken()
    this.#knownProject = token === undefined ? undefined : recentKeys.projectOf(token)
  }

  get isKnown(): boolean {
    return this.#knownProject !== undefined
  }

  /** The project of a known key; the addresses of its many clients share its turns. */
  get requesterId(): string {
    return this.#knownProject ?? this.requester.network
  }

  recognize(key: KnownKey): void {
    this.key = key
    if (key.projectId === this.#knownProject) return
    const token = this.#keyToken()
    if (token !== undefined) this.#recentKeys.remember(token, key.projectId)
  }

  noteKey(key: KnownKey): void {
    this.key = key
  }

  noteCharge(charge: ChargedTo | null): void {
    this.charge = charge
  }

  watchDelivery(report: (isDelivered: boolean) => void): void {
    const { response } = this
    const { socket } = this.request
    const end = (isDelivered: boolean) => {
      socket.off('end', lost).off('close', lost)
      response.off('finish', sent)
      report(isDelivered)
    }
    const lost = () => end(false)
    const sent = () => end(true)
    socket.on('end', lost).on('close', lost)
    response.on('finish', sent)
    if (socket.readableEnded || socket.destroyed) lost()
  }

  /** Its key was refused. */
  forgetKey(): void {
    const token = this.#keyToken()
    if (token !== undefined) this.#recentKeys.forget(token)
  }

  /** Found on first use, because behind a proxy it is read from the headers. */
  get requester(): Requester {
    this.#requester ??= this.#requesterOf(this.request.rawHeaders)
    return this.#requester
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

  readBytes(pace?: BodyPace): Promise<Buffer> {
    this.#bytes ??= this.#read(pace)
    return this.#bytes
  }

  readJson(maxDepth = maxJsonDepth): Promise<Record<string, unknown>> {
    this.#json ??= this.#parse(maxDepth)
    return this.#json
  }

  /** The rest of the body will never arrive: fails the current or next attempt to read it. */
  failBody(code: ErrorCode): void {
    this.#bodyFault = code
    this.closeAfterResponse()
    this.#failReading?.(new Refusal(code))
  }

  /** Makes the response say `Connection: close`, unless its head was already sent. */
  closeAfterResponse(): void {
    if (!this.response.headersSent) this.response.shouldKeepAlive = false
  }

  #keyToken(): string | undefined {
    const authorization = this.header('authorization')
    return typeof authorization === 'object' ? keyTokenOf(authorization.value) : undefined
  }

  async #parse(maxDepth: number): Promise<Record<string, unknown>> {
    return parseJsonObject({
      maxDepth,
      bytes: await this.readBytes(),
      contentType: this.header('content-type'),
      contentEncoding: this.header('content-encoding'),
    })
  }

  async #read(pace: BodyPace | undefined): Promise<Buffer> {
    if (this.#bodyFault !== null) throw new Refusal(this.#bodyFault)
    // Without it, Node closes the connection after the response, because the body may or may not follow.
    if (this.#awaitsContinue) this.response.writeContinue()
    return this.request.readableLength === this.#contentLength ? this.#readBuffered() : this.#readStream(pace)
  }

  /** The fast path: most bodies arrive in the same packet as their head. */
  #readBuffered(): Buffer {
    return this.request.read() ?? empty
  }

  /** Needs no length check: the head was checked, and the parser enforces Content-Length. */
  #readStream(pace: BodyPace | undefined): Promise<Buffer> {
    const { bytes, fail } = readArriving(this.request, pace, this.#onTooSlow)
    this.#failReading = fail
    return bytes
  }
}

const none = Object.freeze({})
const empty = Buffer.alloc(0)

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
export const unsentBytesOf = (socket: Socket) =>
  (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0

interface Body {
  readonly maxDepth: number
  readonly bytes: Buffer
  readonly contentType: HeaderValue
  readonly contentEncoding: HeaderValue
}

/** Parses a JSON object in UTF-8. `JSON.parse` makes `__proto__` an own property, so validation refuses it as unknown. */
function parseJsonObject({ bytes, contentType, contentEncoding, maxDepth }: Body): Record<string, unknown> {
  if (contentEncoding !== 'absent' || !isJson(contentType)) throw new Refusal('INVALID_JSON')
  // JSON.parse refuses a byte order mark.
  if (!isUtf8(bytes)) throw new Refusal('INVALID_JSON')
  if (isTooDeep(bytes, maxDepth)) throw new Refusal('INVALID_JSON', { message: tooDeep(maxDepth) })
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    // No cause: the parser's message quotes the body.
    throw new Refusal('INVALID_JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('INVALID_JSON')
  return value as Record<string, unknown>
}

function isJson(type: HeaderValue): boolean {
  if (type === 'absent' || type === 'repeated') return false
  return (
    type.value === 'application/json' ||
    /^application\/json[ \t]*(;[ \t]*charset=("?)utf-8\2[ \t]*)?$/i.test(type.value)
  )
}
