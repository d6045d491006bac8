import type { CreateMediaJobRequest, JobPageParameters } from '../../../contract/media/job.ts'
import { createJobId } from '../../../contract/media/operations.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Authenticate, Principal } from '../../../keys/authenticate.ts'
import type { InstanceLimit } from '../../../keys/instance-limit.ts'
import type { Media } from '../../../media/media.ts'
import { jobPath, publicJob } from '../../../media/public-job.ts'
import type { SubmitResponse } from '../../../media/submit.ts'
import { endpoint, pathParameter } from '../../endpoint.ts'
import { authenticateCall, jsonHeaders, readCall, replayedHeaders } from '../../key-call.ts'
import { queryReader } from '../../query.ts'
import type { Call, Route, RouteResponse } from '../../route.ts'
import { contentResponse } from './content.ts'

export interface MediaRouteDeps {
  readonly operation: (id: string) => Operation
  readonly authenticate: Authenticate
  readonly media: Media
  readonly refusals: InstanceLimit
  /** The limit of reads, which cost nothing. */
  readonly mediaReads: InstanceLimit
}

/** Media jobs with an API key. */
export function mediaJobRoutes(deps: MediaRouteDeps): Route[] {
  const { operation, authenticate, media, refusals, mediaReads } = deps
  const [read, cancel, content] = ['media.jobs.read', 'media.jobs.cancel', 'media.jobs.content'].map(operation)
  const readPage = queryReader<JobPageParameters>(operation('media.jobs.list'))

  /** A key that may read: looked up again, because no admission follows that would notice a revoked one. */
  async function reader(call: Call): Promise<Principal> {
    const principal = await authenticateCall(authenticate, call, { scope: 'media:run', isCurrent: true })
    mediaReads.check(principal.keyId)
    mediaReads.count(principal.keyId)
    return principal
  }

  return [
    endpoint<CreateMediaJobRequest>(operation(createJobId), async (call, readRequest) => {
      const { address } = call.requester
      const { projectId, keyId } = await authenticateCall(authenticate, call, { scope: 'media:run' })
      const principal = { projectId, keyId, address }
      refusals.check(keyId)
      const submission = await readCall(call, readRequest, media.refuse)
      if ('fault' in submission) {
        refusals.count(keyId)
        return media.submit.refuse(principal, submission.fault)
      }
      const response = await media.submit.run({ principal, ...submission, requestId: call.requestId })
      return submitted(response, media.retryAfterSeconds)
    }),
    endpoint(operation('media.jobs.list'), async (call) => {
      const { projectId } = await reader(call)
      return { status: 200, body: await media.page(projectId, readPage(call)) }
    }),
    endpoint(read!, async (call) => {
      const { projectId } = await reader(call)
      return { status: 200, body: publicJob(await media.find(projectId, pathParameter(read!, call, 'jobId'))) }
    }),
    endpoint(cancel!, async (call, readBody) => {
      const { projectId } = await reader(call)
      if (!hasNoBody(call)) await readBody(call)
      return cancelled(await media.cancel(projectId, pathParameter(cancel!, call, 'jobId')))
    }),
    endpoint(content!, async (call) => {
      const { projectId } = await reader(call)
      return contentResponse(media, call, await media.find(projectId, pathParameter(content!, call, 'jobId')))
    }),
  ]
}

function submitted(submission: SubmitResponse, retryAfterSeconds: number): RouteResponse {
  const shared = submission.isReplay ? replayedHeaders : jsonHeaders
  if (submission.kind === 'refused') {
    const { status, body, code } = submission.response
    return { status, headers: shared, body, ...(code && { code }) }
  }
  const { job } = submission
  return {
    status: 202,
    headers: { ...shared, Location: jobPath(job.jobId), 'Retry-After': String(retryAfterSeconds) },
    body: JSON.stringify(publicJob(job)),
    charge: { projectId: job.projectId, chargeId: job.chargeId },
  }
}

export const cancelled = ({ job, accepted }: Awaited<ReturnType<Media['cancel']>>): RouteResponse => ({
  status: accepted ? 202 : 200,
  body: publicJob(job),
})

const hasNoBody = (call: Call) => {
  const length = call.header('content-length')
  return typeof length === 'object' && length.value === '0'
}
