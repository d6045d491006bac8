import { mediaExamples } from '../media/examples.ts'
import { jobIdPattern, jobPageParameters, MediaJob, MediaJobPage } from '../media/job.ts'
import { contentErrors, contentResponses } from '../media/operations.ts'
import type { Operation } from '../operation.ts'
import { errorsOf } from '../operations/access.ts'
import { EmptyRequest } from '../schemas/envelope.ts'
import { view } from './view.ts'

const jobId = { pattern: jobIdPattern, code: 'JOB_NOT_FOUND', example: mediaExamples.running.jobId } as const
const json = { contentType: 'application/json' } as const

/** The media jobs of the project, for whoever is signed in. A job is created with an API key, as a program would. */
export const consoleMediaOperations: Operation[] = [
  view({
    id: 'console.media.list',
    tag: 'Media',
    path: '/v1/console/media/jobs',
    summary: 'List the media jobs',
    queryParameters: jobPageParameters,
    answer: {
      ...json,
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
        ...json,
        status: 202,
        description: 'The provider accepted the cancellation.',
        schema: MediaJob,
        example: mediaExamples.running,
      },
      {
        ...json,
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
