import { createHttpCaller } from './http-call.ts'
import { confirmed, type FailedOutcome, type Outcome } from './outcome.ts'
import { failureOf, type ProviderKind, type UpstreamEvent } from './outcome-table.ts'

/** Where a provider is reached over HTTP. */
export interface UpstreamSettings {
  readonly baseUrl: string
  readonly apiKeyEnv?: string
  readonly timeoutMs: number
  readonly maxConcurrent: number
}

/** Reads a credential at the moment of the call, so that it is never kept. */
export type Credential = (variable: string) => string | undefined

/** What an answer means: a value, or the way in which it breaks the contract. */
export type Interpreted<T> = { readonly value: T } | { readonly event: UpstreamEvent; readonly detail?: string }

export interface UpstreamRequest {
  readonly path: string
  readonly body: object
  /** Whose call it is: the places are shared out between projects. */
  readonly projectId: string
}

export interface Upstream {
  /** What would stop a call of the project before anything is sent. */
  obstacle(projectId: string): FailedOutcome | null
  /** One POST, one Outcome. Never throws, never sends twice. */
  exchange<T>(request: UpstreamRequest, interpret: (answer: unknown) => Interpreted<T>): Promise<Outcome<T>>
  close(): Promise<void>
}

export function createUpstream(kind: ProviderKind, settings: UpstreamSettings, credential: Credential): Upstream {
  const http = createHttpCaller(settings)
  const authorize = (): { ok: true; authorization: string | undefined } | { ok: false } => {
    if (settings.apiKeyEnv === undefined) return { ok: true, authorization: undefined }
    const secret = credential(settings.apiKeyEnv)?.trim()
    // A value that no header can carry is as good as none, and must not come up in an error.
    return secret && /^[\x21-\x7e]+$/.test(secret) ? { ok: true, authorization: `Bearer ${secret}` } : { ok: false }
  }
  return {
    obstacle(projectId) {
      if (!authorize().ok) return failureOf(kind, 'credentialMissing')
      return http.hasPlaceFor(projectId) ? null : failureOf(kind, 'capacityExhausted')
    },
    async exchange(request, interpret) {
      const access = authorize()
      if (!access.ok) return failureOf(kind, 'credentialMissing')
      const end = await http.postJson({ ...request, authorization: access.authorization })
      if (end.event !== 'answered') return failureOf(kind, end.event, end.detail)
      try {
        const meaning = interpret(end.value)
        return 'value' in meaning ? confirmed(meaning.value) : failureOf(kind, meaning.event, meaning.detail)
      } catch (error) {
        return failureOf(kind, 'adapterFailedAfterSending', error instanceof Error ? error.name : undefined)
      }
    },
    close: http.close,
  }
}
