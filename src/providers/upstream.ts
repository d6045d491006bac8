import {
  createHttpCaller,
  type DownloadRequest,
  type DownloadResult,
  type JsonRequest,
  type StreamRequest,
  type TraceHeaders,
} from './http/caller.ts'
import type { HttpHeaders } from './http/client.ts'
import type { HttpResult } from './http/exchange.ts'
import { confirmed, type FailedOutcome, failureOf, type Outcome, type ProviderKind } from './outcome.ts'

export interface UpstreamSettings {
  readonly baseUrl: string
  readonly apiKeyEnv?: string
  readonly timeoutMs: number
  readonly maxConcurrent: number
}

/** Reads a credential at each call, so that it is never kept in memory. */
export type Credential = (variable: string) => string | undefined

export interface UpstreamOptions {
  readonly kind: ProviderKind
  readonly settings: UpstreamSettings
  readonly credential: Credential
  readonly traceHeaders?: TraceHeaders | undefined
  /** The headers that carry the credential. */
  readonly authorize?: (secret: string) => HttpHeaders
}

export type Upstream = ReturnType<typeof createUpstream>

export const bearer = (secret: string): HttpHeaders => ({ authorization: `Bearer ${secret}` })

export function createUpstream({ kind, settings, credential, traceHeaders, authorize = bearer }: UpstreamOptions) {
  const http = createHttpCaller({ ...settings, traceHeaders })
  /** Null: the credential is missing. A value that no header can carry counts as missing, so that it never shows up in an error. */
  const authorization = (): HttpHeaders | null => {
    if (settings.apiKeyEnv === undefined) return {}
    const secret = credential(settings.apiKeyEnv)?.trim()
    return secret && /^[\x21-\x7e]+$/.test(secret) ? authorize(secret) : null
  }
  /** Adds the credential to a request. */
  const authorized = async <R extends { readonly headers?: HttpHeaders | undefined }, T>(
    request: R,
    send: (request: R) => Promise<T>,
  ) => {
    const headers = authorization()
    return headers === null
      ? ({ event: 'credentialMissing' } as const)
      : send({ ...request, headers: { ...request.headers, ...headers } })
  }
  /** For requests that move no money. Never rejects. */
  const exchangeJson = (request: JsonRequest): Promise<HttpResult> => authorized(request, http.exchangeJson)
  return {
    exchangeJson,
    /** Why a call would fail before anything is sent, or null. */
    obstacle(projectId: string): FailedOutcome | null {
      if (authorization() === null) return failureOf(kind, 'credentialMissing')
      return http.hasSlotFor(projectId) ? null : failureOf(kind, 'capacityExhausted')
    },
    /** A POST whose response decides about a charge. Never rejects. */
    async exchange<T>(
      request: Omit<JsonRequest, 'method'>,
      interpret: (response: unknown) => HttpResult<T>,
    ): Promise<Outcome<T>> {
      const response = await exchangeJson({ ...request, method: 'POST' })
      if (response.event !== 'answered') return failureOf(kind, response.event, response.detail)
      try {
        const result = interpret(response.value)
        return result.event === 'answered' ? confirmed(result.value) : failureOf(kind, result.event, result.detail)
      } catch (error) {
        return failureOf(kind, 'adapterFailedAfterSending', error instanceof Error ? error.name : undefined)
      }
    },
    /** A POST whose response is read while it arrives. Never rejects. */
    exchangeStream: <T>(request: StreamRequest<T>): Promise<HttpResult<T>> =>
      authorized(request, http.exchangeStream<T>),
    download: (request: DownloadRequest): Promise<DownloadResult> => authorized(request, http.download),
    close: http.close,
  }
}
