import { Type } from '../../../../base/schema.ts'
import { type JobStatus, jobStatuses } from '../../../../contract/choices.ts'
import { CircuitBreaker } from '../../../../providers/circuit-breaker.ts'
import { conforms, Text } from '../../../../providers/conforms.ts'
import type { HttpResult } from '../../../../providers/http/exchange.ts'
import { failureOf, type Outcome } from '../../../../providers/outcome.ts'
import { type CallHooks, type Credential, createUpstream } from '../../../../providers/upstream.ts'
import type { HttpMediaSettings, JobReport, MediaProvider, SubmitResult } from './provider.ts'

/** A provider that is asked over HTTP; docs/media.md describes what it must offer. */
export function createHttpMedia(settings: HttpMediaSettings, credential: Credential, hooks?: CallHooks): MediaProvider {
  const upstream = createUpstream({ kind: 'media', settings, credential, ...hooks })
  const breaker = new CircuitBreaker(settings.breaker)
  const pathOf = (id: string) => `/jobs/${encodeURIComponent(id)}`
  const get = (projectId: string, path: string) => upstream.exchangeJson({ projectId, method: 'GET', path, body: null })

  return {
    testOnly: false,
    maxPromptChars: settings.maxPromptChars,
    timeoutMs: settings.timeoutMs,
    breakerState: () => breaker.state,
    callbackSecret: () => (settings.callbackSecretEnv && credential(settings.callbackSecretEnv)) || null,
    async submit({ reference, projectId, prompt, seconds, size }) {
      // Before the breaker: a call that we refuse ourselves says nothing about the provider.
      const obstacle = upstream.obstacle(projectId)
      if (obstacle) return submitResult(obstacle)
      const request = { path: '/jobs', body: { reference, prompt, seconds, size }, projectId }
      return submitResult(await breaker.run(projectId, () => upstream.exchange(request, interpretAccepted(reference))))
    },
    async find({ reference, projectId }) {
      const result = await get(projectId, `/jobs?reference=${encodeURIComponent(reference)}`)
      if (isMissing(result) || statusOf(result) === 501) return { kind: 'cannot_say' }
      const found = result.event === 'answered' ? checkFound(result.value) : null
      if (!found) return { kind: 'no_response' }
      if (!found.ok) return { kind: 'cannot_say' }
      const { items } = found.value
      if (items.length === 0) return { kind: 'nothing' }
      // A provider that ignores the filter lists the jobs of others.
      const ours = items.filter((item) => item.reference === reference)
      const job = ours.length === 1 ? checkJob(ours[0]) : null
      return job?.ok ? { kind: 'found', id: job.value.id, ...reportOf(job.value) } : { kind: 'cannot_say' }
    },
    async read({ id, reference, projectId }) {
      const result = await get(projectId, pathOf(id))
      if (isMissing(result)) return { kind: 'not_found' }
      const job = result.event === 'answered' ? checkJob(result.value) : null
      // A response about another job says nothing about this one.
      const isOurs = job?.ok && job.value.id === id && job.value.reference === reference
      return isOurs ? { kind: 'reported', ...reportOf(job.value) } : { kind: 'no_response' }
    },
    async cancel({ id, projectId }) {
      const result = await upstream.exchangeJson({ projectId, method: 'POST', path: `${pathOf(id)}/cancel`, body: {} })
      // A 2xx whose body is not JSON is an acceptance too: nothing in it is needed.
      if (result.event === 'answered' || result.event === 'contractBroken') return { kind: 'accepted' }
      if (statusOf(result) === 409) return { kind: 'too_late' }
      const failure = failureOf('media', result.event)
      return { kind: 'failed', code: failure.kind === 'uncertain' ? 'PROVIDER_UNAVAILABLE' : failure.code }
    },
    async open({ id, projectId }, signal, range) {
      const result = await upstream.download({ projectId, path: `${pathOf(id)}/content`, signal, range })
      if (result.event === 'answered') return { kind: 'opened', ...result }
      const failure = failureOf('media', result.event)
      return { kind: 'failed', code: failure.kind === 'uncertain' ? 'PROVIDER_UNAVAILABLE' : failure.code }
    },
    close: upstream.close,
  }
}

const checkJob = conforms(
  Type.Object({
    id: Text({ minLength: 1, maxLength: 256 }),
    reference: Type.String(),
    status: Type.String(),
    progress: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  }),
)
const checkFound = conforms(
  Type.Object({ items: Type.Array(Type.Object({ reference: Type.Optional(Type.Unknown()) })) }),
)

type Accepted = JobReport & { readonly id: string }

const interpretAccepted = (reference: string) => (response: unknown) => {
  const accepted = checkJob(response)
  // The provider may have the job anyway, so this is a lost response and not a refusal.
  if (!accepted.ok) return { event: 'cutBody', detail: accepted.fault } as const
  if (accepted.value.reference !== reference) return { event: 'cutBody', detail: 'another reference' } as const
  return {
    event: 'answered',
    value: { id: accepted.value.id, ...reportOf(accepted.value) } satisfies Accepted,
  } as const
}

/** A 2xx that cannot be used is not a refusal: the provider may have accepted the job. */
function submitResult(outcome: Outcome<Accepted>): SubmitResult {
  if (outcome.kind === 'confirmed') return { kind: 'accepted', ...outcome.value }
  const detail = outcome.detail === undefined ? {} : { detail: outcome.detail }
  if (outcome.kind === 'uncertain') return { kind: 'lost', reason: outcome.reason, ...detail }
  if (outcome.code === 'PROVIDER_CONTRACT_INVALID') return { kind: 'lost', reason: 'PROVIDER_RESPONSE_CUT', ...detail }
  const isRejected = outcome.kind === 'refused' && outcome.isRejection
  return {
    kind: 'refused',
    code: outcome.code,
    sent: outcome.sent,
    ...detail,
    ...(isRejected && { isRejection: isRejected }),
  }
}

const statusOf = (result: HttpResult) => ('status' in result ? result.status : undefined)

function isMissing(result: HttpResult): boolean {
  const status = statusOf(result)
  return status === 404 || status === 410
}

const statuses: readonly string[] = jobStatuses

function reportOf({ status, progress }: { status: string; progress?: number | null }): JobReport {
  return {
    status: statuses.includes(status) ? (status as JobStatus) : null,
    progress: progress == null ? null : Math.round(Math.min(100, Math.max(0, progress))),
  }
}
