import { EmptyRequest } from '../../contract/field.ts'
import type { Operation } from '../../contract/operation.ts'
import { errorsOf, view } from '../../contract/operations/access.ts'
import { jobPageParameters, MediaJob, MediaJobPage, mediaExamples } from './contract.ts'
import { contentErrors, contentResponses, jobId } from './operations.ts'

const asJson = { contentType: 'application/json' } as const

/** The media jobs of the project, for whoever is signed in. A job is created with an API key, as a program would. */
export const consoleMediaOperations: Operation[] = [
  view({
    id: 'console.media.list',
    tag: 'Media',
    path: '/v1/console/media/jobs',
    summary: 'List the media jobs',
    queryParameters: jobPageParameters,
    answer: {
      ...asJson,
      status: 200,
      description: 'A page of jobs.',
      schema: MediaJobPage,
      example: { items: [mediaExamples.completed], nextCursor: null },
    },
  }),
  {
    ...view({
      id: 'console.media.content',
      tag: 'Media',
      path: '/v1/console/media/jobs/{jobId}/content',
      summary: 'Fetch the clip of a job',
      pathParameters: { jobId },
      answer: contentResponses[0]!,
      ownErrors: contentErrors,
    }),
    responses: contentResponses,
  },
  {
    id: 'console.media.cancel',
    tag: 'Media',
    method: 'POST',
    path: '/v1/console/media/jobs/{jobId}/cancel',
    access: 'session-write',
    takesIdempotencyKey: false,
    summary: 'Cancel a media job',
    pathParameters: { jobId },
    request: EmptyRequest(),
    requestExample: {},
    responses: [
      {
        ...asJson,
        status: 202,
        description: 'The provider accepted the cancellation.',
        schema: MediaJob,
        example: mediaExamples.running,
      },
      {
        ...asJson,
        status: 200,
        description: 'The job had ended already.',
        schema: MediaJob,
        example: mediaExamples.completed,
      },
    ],
    errors: errorsOf('session-write', [
      'JOB_NOT_FOUND',
      'JOB_NOT_CANCELLABLE',
      'PROVIDER_REQUEST_REJECTED',
      'PROVIDER_RATE_LIMITED',
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_DISABLED',
      'PROVIDER_AUTH_REQUIRED',
      'PROVIDER_REDIRECT_FORBIDDEN',
      'PROVIDER_CAPACITY_EXHAUSTED',
      'ADAPTER_FAILURE',
    ]),
  },
]
