import type { ErrorCode } from '../contract/errors.ts'

/** What the transport hands to a route, and what it gets back. Routes know nothing of sockets. */
export interface Route {
  readonly operationId: string
  /** A GET route answers HEAD too. */
  readonly method: 'GET' | 'POST'
  /** With `{name}` for a parameter, as in the contract; a last segment `*` takes everything below, as the parameter `*`. */
  readonly path: string
  readonly handle: (call: Call) => Promise<Answer> | Answer
  /** What a call is refused with, before anything else is looked at, when the gateway is overloaded; RATE_LIMITED by default. */
  readonly overloadCode?: ErrorCode
  /** Its responses hold no secret, so their length may tell something of their content. */
  readonly mayCompress?: boolean
}

export interface Call {
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  /** The peer's address, for requester limits. */
  readonly requester: string
  /** True when the request came by a `/gateway` path of the local preview. */
  readonly isPreview: boolean
  /** Parsed when it is first asked for; most routes ignore it. Never logged. */
  readonly query: URLSearchParams
  /** The value of a header that came exactly once. `name` is in lower case. */
  header(name: string): HeaderValue
  /** Reads, decodes and parses the body; refuses with the body codes. Answers the same promise when called again. */
  readJson(): Promise<Record<string, unknown>>
}

export type HeaderValue = { readonly value: string } | 'absent' | 'repeated'

export interface Answer {
  readonly status: number
  /** Win over the headers that every answer carries, such as Cache-Control or Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON; a string or bytes go out as they are, with the Content-Type of `headers`. */
  readonly body: object | string | Uint8Array
  /** The error code of an answer that carries one without being thrown, such as a replayed refusal; for log and metrics. */
  readonly code?: ErrorCode
}
