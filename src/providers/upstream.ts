import {
  createHttpCaller,
  type DownloadRequest,
  type DownloadResult,
  type JsonRequest,
  type StreamRequest,
  type TraceHeaders,
} from './http-call.ts'
import type { HttpResult } from './json-call.ts'
import {
  confirmed,
  type FailedOutcome,
  failureOf,
  type Outcome,
  type ProviderKind,
  type UpstreamEvent,
} from './outcome.ts'

export interface UpstreamSettings {
  readonly baseUrl: string
  readonly apiKeyEnv?: string
  readonly timeoutMs: number
  readonly maxConcurrent: number
}

/** Reads a credential at each call, so that it is never kept in memory. */
export type Credential = (variable: string) => string | undefined

/** A response that was checked: its value, or how it breaks the contract. */
export type Interpreted<T> = { readonly value: T } | { readonly event: UpstreamEvent; readonly detail?: string }

type UpstreamRequest = Omit<JsonRequest, 'method' | 'authorization'>

export type Upstream = ReturnType<typeof createUpstream>

export function createUpstream(
  kind: ProviderKind,
  settings: UpstreamSettings,
  credential: Credential,
  traceHeaders?: TraceHeaders,
) {
  const http = createHttpCaller({ ...settings, traceHeaders })
  const authorize = (): { ok: true; authorization: string | undefined } | { ok: false } => {
    if (settings.apiKeyEnv === undefined) return { ok: true, authorization: undefined }
    const secret = credential(settings.apiKeyEnv)?.trim()
    // A value that no header can carry counts as missing, so that it never shows up in an error.
    return secret && /^[\x21-\x7e]+$/.test(secret) ? { ok: true, authorization: `Bearer ${secret}` } : { ok: false }
  }
  return {
    /** Why a call would fail before anything is sent, or null. */
    obstacle(projectId: string): FailedOutcome | null {
      if (!authorize().ok) return failureOf(kind, 'credentialMissing')
      return http.hasSlotFor(projectId) ? null : failureOf(kind, 'capacityExhausted')
    },
    /** Sends one request, once. Never throws. */
    async exchange<T>(request: UpstreamRequest, interpret: (response: unknown) => Interpreted<T>): Promise<Outcome<T>> {
      const access = authorize()
      if (!access.ok) return failureOf(kind, 'credentialMissing')
      const result = await http.exchangeJson({ ...request, method: 'POST', authorization: access.authorization })
      if (result.event !== 'answered') return failureOf(kind, result.event, result.detail)
      try {
        const checked = interpret(result.value)
        return 'value' in checked ? confirmed(checked.value) : failureOf(kind, checked.event, checked.detail)
      } catch (error) {
        return failureOf(kind, 'adapterFailedAfterSending', error instanceof Error ? error.name : undefined)
      }
    },
    /** The same for a response that is read while it arrives: what became of it, and never an exception. */
    async exchangeStream<T>(request: Omit<StreamRequest<T>, 'authorization'>): Promise<HttpResult<T>> {
      const access = authorize()
      if (!access.ok) return { event: 'credentialMissing' }
      return http.exchangeStream({ ...request, authorization: access.authorization })
    },
    /** The same without an outcome, for requests that move no money. Null: the credential is missing. */
    async ask(request: Omit<JsonRequest, 'authorization'>): Promise<HttpResult | null> {
      const access = authorize()
      return access.ok ? http.exchangeJson({ ...request, authorization: access.authorization }) : null
    },
    async download(request: Omit<DownloadRequest, 'authorization'>): Promise<DownloadResult | null> {
      const access = authorize()
      return access.ok ? http.download({ ...request, authorization: access.authorization }) : null
    },
    close: http.close,
  }
}
