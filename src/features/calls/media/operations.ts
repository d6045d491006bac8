import { Type } from '../../../base/schema.ts'
import type { Config } from '../../../config/config.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { EmptyRequest, jobIdPattern } from '../../../contract/field.ts'
import { documentResponse, type Operation, type ResponseRow, response } from '../../../contract/operation.ts'
import { errorsOf } from '../../../contract/operations/access.ts'
import { openapiDocument } from '../../../documents/openapi.ts'
import { createMediaJobRequest, jobPageParameters, MediaCallback, MediaJob, MediaJobPage } from './contract.ts'

const provider: ErrorCode[] = [
  'ADAPTER_FAILURE',
  'PROVIDER_CONTRACT_INVALID',
  'PROVIDER_REQUEST_REJECTED',
  'PROVIDER_REDIRECT_FORBIDDEN',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_DISABLED',
  'PROVIDER_AUTH_REQUIRED',
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_CAPACITY_EXHAUSTED',
]
const key: ErrorCode[] = ['UNAUTHORIZED', 'KEY_EXPIRED', 'FORBIDDEN']
export const jobId = { pattern: jobIdPattern, code: 'JOB_NOT_FOUND' } as const

const shared = {
  tag: 'Media',
  access: 'key',
  scope: 'media:run',
  takesIdempotencyKey: false,
} as const

/** Each call of it is a charge. */
export const createJobId = 'media.jobs.create'

/** Media jobs: outside the public operations and the price list, described by /media/openapi.json. */
export function mediaOperations(providers: readonly string[], creditsPerSecond: number): Operation[] {
  return [
    {
      ...shared,
      id: createJobId,
      method: 'POST',
      path: '/v1/media/jobs',
      takesIdempotencyKey: true,
      summary: 'Create a video',
      description: `Costs ${creditsPerSecond} credits for each second of the clip: they are reserved now, and spent only when the clip can be fetched. Repeating the Idempotency-Key returns the same job as it is now.`,
      request: createMediaJobRequest(providers),
      responses: [
        {
          ...response(202, 'The job. Read it again after the seconds in Retry-After.', MediaJob),
          headers: ['Location', 'Retry-After', 'Idempotent-Replayed', 'X-Charge-Id'],
        },
      ],
      errors: errorsOf('key', [
        'INVALID_PROMPT',
        'INVALID_SECONDS',
        'INVALID_SIZE',
        'PROVIDER_NOT_ALLOWED',
        'PROMPT_TOO_LARGE',
        'INSUFFICIENT_PAID_CREDITS',
        'IDEMPOTENCY_CONFLICT',
        'PROVIDER_CIRCUIT_OPEN',
        ...provider,
      ]),
    },
    {
      ...shared,
      id: 'media.jobs.list',
      method: 'GET',
      path: '/v1/media/jobs',
      summary: 'List the jobs',
      description: 'Newest first.',
      queryParameters: jobPageParameters,
      responses: [response(200, 'A page of jobs.', MediaJobPage)],
      errors: errorsOf('public', key),
    },
    {
      ...shared,
      id: 'media.jobs.read',
      method: 'GET',
      path: '/v1/media/jobs/{jobId}',
      summary: 'Read a job',
      pathParameters: { jobId },
      responses: [response(200, 'The job as it is now.', MediaJob)],
      errors: errorsOf('public', [...key, 'JOB_NOT_FOUND']),
    },
    {
      ...shared,
      id: 'media.jobs.cancel',
      method: 'POST',
      path: '/v1/media/jobs/{jobId}/cancel',
      summary: 'Cancel a job',
      description:
        'Asks the provider immediately. The credits are released when it confirms; a job that had already completed is charged. The body can be omitted.',
      pathParameters: { jobId },
      request: EmptyRequest(),
      responses: [
        response(202, 'The provider accepted the cancellation.', MediaJob),
        response(200, 'The job had ended already.', MediaJob),
      ],
      errors: errorsOf('key', ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE', ...provider]).filter(
        (code) => code !== 'IDEMPOTENCY_KEY_REQUIRED',
      ),
    },
    {
      ...shared,
      id: 'media.jobs.content',
      method: 'GET',
      path: '/v1/media/jobs/{jobId}/content',
      summary: 'Fetch the clip',
      description: 'Supports HEAD, single ranges and conditional requests. Never redirects.',
      pathParameters: { jobId },
      responses: contentResponses,
      errors: errorsOf('public', [...key, ...contentErrors]),
    },
    {
      ...shared,
      id: 'media.callbacks.receive',
      method: 'POST',
      path: '/v1/media/callbacks/{provider}',
      access: 'public',
      summary: 'Report that a job has changed',
      description:
        'For providers. Signed as Standard Webhooks specifies, with the headers webhook-id, webhook-timestamp and webhook-signature. It only triggers the next poll early.',
      pathParameters: {
        provider: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$', code: 'NOT_FOUND', example: 'media_provider_b' },
      },
      request: MediaCallback,
      responses: [
        {
          status: 204,
          description: 'Noted.',
          contentType: 'text/plain',
          schema: Type.String({ maxLength: 0 }),
          example: '',
        },
      ],
      errors: errorsOf('public', [
        'UNAUTHORIZED',
        'NOT_FOUND',
        'INVALID_JSON',
        'REQUEST_BODY_INCOMPLETE',
        'PAYLOAD_TOO_LARGE',
      ]),
    },
    {
      ...shared,
      id: 'media.openapi',
      method: 'GET',
      path: '/media/openapi.json',
      access: 'public',
      summary: 'Read this document',
      responses: [documentResponse],
      errors: errorsOf('public'),
    },
  ]
}

export const contentErrors: ErrorCode[] = [
  'JOB_NOT_FOUND',
  'JOB_NOT_FINISHED',
  'CONTENT_EXPIRED',
  'RANGE_NOT_SATISFIABLE',
  'PROVIDER_CONTRACT_INVALID',
  'PROVIDER_UNAVAILABLE',
]

const clip = { contentType: 'video/mp4', schema: Type.String({ format: 'binary' }), example: '' } as const

export const contentResponses: ResponseRow[] = [
  {
    ...clip,
    status: 200,
    description: 'The clip.',
    headers: ['ETag', 'Accept-Ranges', 'Content-Disposition'],
  },
  {
    ...clip,
    status: 206,
    description: 'The part of the clip that was asked for.',
    headers: ['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'],
  },
]

export interface MediaFacts {
  readonly origin: string
  readonly mediaProviders: readonly string[]
  readonly mediaCreditsPerSecond: number
}

/** The document of the media jobs, which are no part of the public operations. */
export const mediaDocument = ({ origin, mediaProviders, mediaCreditsPerSecond }: MediaFacts) =>
  openapiDocument({
    operations: mediaOperations(mediaProviders, mediaCreditsPerSecond),
    origin,
    about: {
      title: 'API Relay Gateway: media jobs',
      summary: 'Paid work that takes minutes: create a job, read it, fetch its clip.',
      description: [
        'The other operations are in `/openapi.json`; errors, limits and keys work as described there. A key needs the scope `media:run`.',
        `A clip costs ${mediaCreditsPerSecond} credits for each of its seconds. The price is reserved when the job is created. It is spent only when the job is \`completed\` and its content can be fetched; a job that is \`failed\` or \`cancelled\` costs nothing.`,
        'Read the job until its status is `completed`, `failed`, `cancelled` or `unknown`; these are final. `unknown` means that it is not known how the job ended: the credits stay reserved until an operator decides, and `resolution` then shows the decision.',
      ].join('\n\n'),
    },
  })

export const mediaFacts = ({ origin, media }: Config): MediaFacts => ({
  origin: origin.origin,
  mediaProviders: Object.keys(media.providers),
  mediaCreditsPerSecond: media.creditsPerSecond,
})
