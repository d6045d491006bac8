import type { Readable } from 'node:stream'
import type { OperatorApiCode } from '../contract/error-codes/operators.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { LiveBody } from './live-body.ts'
import type { Requester } from './requester.ts'

/** One method and path, and the code that serves it. Routes never see sockets. */
export interface Route {
  readonly operationId: string
  /** A GET route also serves HEAD. */
  readonly method: 'GET' | 'POST'
  /** `{name}` is a parameter, as in the contract; a final `*` matches the rest of the path, as the parameter `*`. */
  readonly path: string
  /** Values of `*` that belong to other routes. */
  readonly except?: readonly string[]
  readonly handle: (call: Call) => Promise<RouteResponse> | RouteResponse
  /** The error code of requests that are shed; RATE_LIMITED by default. */
  readonly overloadCode?: ErrorCode
  /** Serves only requests that no other route and no other method matches; its path ends in `*`. */
  readonly isFallback?: boolean
  /** The rest of the path, as `*`, may have an escaped slash. */
  readonly takesEscapedSlash?: boolean
  /** Its largest body, if it may be larger than that of other routes. */
  readonly bodyLimitBytes?: number
  /** Served under any Host, for probes; its path has no parameter. */
  readonly servesAnyHost?: boolean
  /** Its responses hold no secret, so compressing them reveals nothing. */
  readonly mayCompress?: boolean
  /** Completes every response, errors too; `call` is null for a request that is shed. */
  readonly finish?: (response: RouteResponse, call: Call | null) => RouteResponse
}

export interface Call {
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  readonly requester: Requester
  /** Whether the request used a `/gateway` path of the local preview. */
  readonly isPreview: boolean
  /** Says that the API key is valid and whose it is: under overload, requests with such a key go first. */
  recognize(key: KnownKey): void
  /** Says which API key was sent, although it was refused. */
  noteKey(key: KnownKey): void
  /** Says which charge the call has, for the log and the response; null if it has none after all. */
  noteCharge(charge: ChargedTo | null): void
  readonly charge: ChargedTo | null
  /** Whether the client may repeat the call without a key, so that the store must remember it until its response is delivered. */
  readonly tracksDelivery?: boolean
  /**
   * Reports once whether the client got the whole response: true when it was handed to the kernel, false as soon as the client
   * closes its side or the connection breaks.
   */
  watchDelivery(report: (isDelivered: boolean) => void): void
  /** Parsed on first use; never logged. */
  readonly query: URLSearchParams
  /** `name` is in lower case. */
  header(name: string): HeaderValue
  /** Reads the body once, as it was sent; further calls return the same promise. With a pace, it must not arrive too slowly. */
  readBytes(pace?: BodyPace): Promise<Uint8Array>
  /** Reads and parses the body once, nested at most `maxDepth` deep; further calls return the same promise. */
  readJson(maxDepth?: number): Promise<Record<string, unknown>>
}

/** Says when more of a body is read. */
export interface BodyPace {
  /** Called when so many bytes have arrived. Null reads on at once, a promise once it resolves. */
  readonly arrived: (bytes: number) => Promise<void> | null
}

export type HeaderValue = { readonly value: string } | 'absent' | 'repeated'

export interface RouteResponse {
  readonly status: number
  /** Override the common headers, such as Cache-Control or Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON; a string or bytes are sent unchanged, with the Content-Type from `headers`. */
  readonly body: object | string | Uint8Array | StreamedBody | LiveBody
  /** The error code of a response that was not thrown, such as a replayed refusal; for log and metrics. */
  readonly code?: OperatorApiCode
  /** Whatever its code is, it says nothing about the service: a provider judged what the caller sent. */
  readonly isRejection?: true
  /** When a live body began, since the request arrived; for metrics. */
  readonly begunMs?: number
  /** Whether the response is stored for its Idempotency-Key: another attempt then needs a new one. */
  readonly isKeyUsed?: boolean
}

/** An API key that exists; it may be revoked or expired. */
export interface KnownKey {
  readonly keyId: string
  readonly projectId: string
}

export interface ChargedTo {
  readonly projectId: string
  readonly chargeId: string
}

/** A body that is sent while it is read, at the speed of the client. `open` may throw a `Refusal`; HEAD does not call it. */
export class StreamedBody {
  /** Null if that is known only at the end: the body is sent in chunks. */
  readonly bytes: number | null
  readonly open: () => Promise<Readable>

  constructor(bytes: number | null, open: () => Promise<Readable>) {
    this.bytes = bytes
    this.open = open
  }
}

/** Reads the body and validates it against the operation's contract. */
export type ReadRequest<R> = (call: Call) => Promise<R>
