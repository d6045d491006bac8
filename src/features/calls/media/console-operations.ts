import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'
import { jobPageParameters, MediaJob, MediaJobPage } from './contract.ts'
import { contentErrors, contentResponses, jobId } from './operations.ts'

/** The media jobs of the project, for a person who is signed in. A job is created with an API key, as a program would. */
export const consoleMediaOperations = [
  view({
    id: 'console.media.list',
    tag: 'Media',
    path: '/v1/console/media/jobs',
    summary: 'List the media jobs',
    queryParameters: jobPageParameters,
    response: response(200, 'A page of jobs.', MediaJobPage),
  }),
  {
    ...view({
      id: 'console.media.content',
      tag: 'Media',
      path: '/v1/console/media/jobs/{jobId}/content',
      summary: 'Fetch the clip of a job',
      pathParameters: { jobId },
      response: contentResponses[0]!,
      ownErrors: contentErrors,
    }),
    responses: contentResponses,
  },
  write({
    id: 'console.media.cancel',
    tag: 'Media',
    path: '/v1/console/media/jobs/{jobId}/cancel',
    summary: 'Cancel a media job',
    pathParameters: { jobId },
    responses: [
      response(202, 'The provider accepted the cancellation.', MediaJob),
      response(200, 'The job had ended already.', MediaJob),
    ],
    ownErrors: [
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
    ],
  }),
]
