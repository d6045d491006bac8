import type { FailedExchange, HttpResult } from '../http/exchange.ts'
import type { CompletionBody, Delta, ModelRefusal, ReportedCompletion, Usage } from './completion.ts'
import type { ServerEvent } from './event-stream.ts'

/** What distinguishes one vendor's chat API from another. `createHttpModel` does the rest. */
export interface ModelProtocol {
  /** Under the base URL. */
  readonly path: (request: ProtocolRequest) => string
  /** In addition to those of every call and the credential. */
  readonly headers: Readonly<Record<string, string>>
  /** The headers that carry the credential. */
  readonly credential: (secret: string) => Readonly<Record<string, string>>
  /** What the protocol cannot express. Asked before credits are reserved. */
  readonly refuse?: (body: CompletionBody) => ModelRefusal | null
  readonly body: (request: ProtocolRequest) => object
  /** Checks a whole response. */
  readonly whole: (response: unknown) => HttpResult<ReportedCompletion>
  /** Creates a reader of the events of one stream. */
  readonly reader: () => EventReader
}

export interface ProtocolRequest {
  /** The provider's own name for it. */
  readonly model: string
  /** Its limit of output is never above the provider's. */
  readonly body: CompletionBody
  readonly isStream: boolean
}

export interface EventReader {
  /** After the finish reason, failures are ignored: nothing can spoil the result any more. */
  readonly read: (event: ServerEvent, isFinished: boolean) => StreamStep | FailedExchange
}

/** What one event adds to the completion. */
export interface StreamStep {
  readonly delta?: Delta
  readonly systemFingerprint?: string | undefined
  /** Ends the output. Only usage is of interest after it. */
  readonly finishReason?: string | null | undefined
  readonly usage?: Usage | null | undefined
  /** The stream has ended. */
  readonly isEnd?: boolean
}
