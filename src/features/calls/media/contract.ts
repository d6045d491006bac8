import { type Static, Type } from '../../../base/schema.ts'
import { clipDefaults, clipSeconds, clipSizes, jobStatuses } from '../../../contract/choices.ts'
import { Choice, DateTime, failsWith, jobIdPattern, Nullable, named, request } from '../../../contract/field.ts'
import { mediaOperation } from '../../../contract/prices.ts'

export const clipType = 'video/mp4'

export const createMediaJobRequest = (providers: readonly string[]) =>
  request('CreateMediaJobRequest', {
    prompt: Type.String({ pattern: '\\S', ...failsWith('INVALID_PROMPT') }),
    provider: Type.Optional(Choice(providers, failsWith('PROVIDER_NOT_ALLOWED'))),
    seconds: Type.Optional(
      Type.Enum([...clipSeconds], {
        type: 'integer',
        description: `Length of the clip. Defaults to ${clipDefaults.seconds}.`,
        ...failsWith('INVALID_SECONDS'),
      }),
    ),
    size: Type.Optional(
      Choice(clipSizes, { description: `Defaults to ${clipDefaults.size}.`, ...failsWith('INVALID_SIZE') }),
    ),
  })

const JobError = named(
  'MediaJobError',
  {
    code: Type.String({ pattern: '^[A-Z_]+$', description: 'An error code, or the reason of the review.' }),
    message: Type.String({ minLength: 1 }),
  },
  { examples: [{ code: 'PROVIDER_JOB_FAILED', message: 'The provider reported that the job failed.' }] },
)

const Content = named('MediaContent', {
  url: Type.String({ pattern: '^/', description: 'A path of this gateway, for the same key.' }),
  contentType: Type.Literal(clipType),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  expiresAt: DateTime('After that, the path returns 410 CONTENT_EXPIRED.'),
})

export const MediaJob = named('MediaJob', {
  jobId: Type.String({ pattern: jobIdPattern }),
  status: Choice(jobStatuses),
  operation: Type.Literal(mediaOperation),
  reservedCredits: Type.Integer({ minimum: 1, description: 'The price, fixed when the job was created.' }),
  chargeId: Type.String({ pattern: '^chg_[A-Za-z0-9]+$' }),
  prompt: Type.String({ minLength: 1 }),
  provider: Type.String({ minLength: 1 }),
  seconds: Type.Enum([...clipSeconds], { type: 'integer' }),
  size: Choice(clipSizes),
  testOnly: Type.Boolean({ description: 'True if it is a test clip made by this gateway, not by a real provider.' }),
  progress: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
    description: 'In percent; null while the provider has reported none.',
  }),
  createdAt: DateTime(),
  updatedAt: DateTime(),
  finishedAt: Nullable(DateTime()),
  cancelRequestedAt: Nullable(DateTime('When the provider accepted a cancellation.')),
  error: Type.Union([JobError, Type.Null()], { description: 'Why it failed, was cancelled or is in review.' }),
  content: Type.Union([Content, Type.Null()], { description: 'Null until the job is completed.' }),
  resolution: Type.Union([Choice(['settled', 'released']), Type.Null()], {
    description: 'What an operator decided about a job whose status is unknown.',
  }),
})

const jobPageLimit = { minimum: 1, maximum: 100, default: 25 } as const

export const MediaJobPage = named('MediaJobPage', {
  items: Type.Array(MediaJob, { maxItems: jobPageLimit.maximum }),
  nextCursor: Type.Union([Type.String({ pattern: jobIdPattern }), Type.Null()], {
    description: 'Send it as `after` for the next page; null when there is none.',
  }),
})

export const jobPageParameters = {
  after: Type.String({
    pattern: jobIdPattern,
    maxLength: 80,
    description: 'The nextCursor of the previous page. Without it, the list starts with the newest.',
  }),
  limit: Type.Integer({ ...jobPageLimit, description: 'The maximum number of jobs per page.' }),
}

export const MediaCallback = named('MediaCallback', {
  id: Type.String({ minLength: 1, maxLength: 256, description: "The provider's own id of the job." }),
})

export type CreateMediaJobRequest = Static<ReturnType<typeof createMediaJobRequest>>
export type MediaJob = Static<typeof MediaJob>
export type MediaJobPage = Static<typeof MediaJobPage>
export interface JobPageParameters {
  readonly after?: string
  readonly limit: number
}
