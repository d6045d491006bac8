import { signedCallback } from '../../../base/signatures.ts'
import { errorBody, errors, Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { renderedOnce } from '../../../documents/rendered-once.ts'
import { endpoint, ok, pathParameter, queryReader, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { InstanceLimit } from '../../../http/instance-limit.ts'
import { type Call, type Route, type RouteResponse, StreamedBody } from '../../../http/route.ts'
import { createStaticContent, isKnown } from '../../../http/static/static-content.ts'
import type { ByteRange } from '../../../providers/upstream.ts'
import type { Authenticate, Principal } from '../../identity/keys/authenticate.ts'
import { authenticateCall, jsonHeaders, noteCharge, readCall, refuseFault, replayedHeaders } from '../native/routes.ts'
import { type CreateMediaJobRequest, clipType, type JobPageParameters } from './contract.ts'
import { jobPath, type Media, publicJob } from './media.ts'
import { createJobId, type MediaFacts, mediaDocument, mediaOperations } from './operations.ts'
import type { ChargedJob } from './store.ts'
import type { SubmitResponse } from './submit.ts'

/** Where providers report that a job has changed. The signature is judged before the content. */
function mediaCallbackRoute(operation: Operation, media: Media): Route {
  return endpoint<{ id: string }>(operation, async (call, read) => {
    const provider = pathParameter(operation, call, 'provider')
    const body = await call.readBytes()
    const isSigned = media.isSigned(
      provider,
      signedCallback((name) => singleHeader(call, name), body),
    )
    if (isSigned === undefined) throw new Refusal('NOT_FOUND')
    if (!isSigned) throw new Refusal('UNAUTHORIZED')
    const { id } = await read(call)
    await media.noteCallback(provider, id)
    return { status: 204, body: '' }
  })
}

/** The clip of a job, whole or in part (RFC 9110, sections 13 and 14). */
function contentResponse(media: Media, call: Call, job: ChargedJob): RouteResponse {
  const { facts, open } = media.readContent(job)
  const etag = `"${facts.sha256.slice(0, 32)}"`
  const shared = {
    'content-type': clipType,
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${job.jobId}.mp4"`,
    // Kept by the browser, but checked each time: the key or the session may have ended.
    'cache-control': 'private, no-cache',
    etag,
  }
  if (isKnown(call.header('if-none-match'), etag)) return { status: 304, headers: shared, body: '' }
  const range = isRangeCurrent(call, etag) ? rangeOf(textOf(call, 'range'), facts.bytes) : null
  if (range === 'unsatisfiable') {
    const code = 'RANGE_NOT_SATISFIABLE'
    return {
      status: errors[code].status,
      code,
      headers: { 'content-range': `bytes */${facts.bytes}` },
      body: errorBody(code),
    }
  }
  const { start, end } = range ?? { start: 0, end: facts.bytes - 1 }
  return {
    status: range ? 206 : 200,
    headers: range ? { ...shared, 'content-range': `bytes ${start}-${end}/${facts.bytes}` } : shared,
    body: new StreamedBody(end - start + 1, () => open({ start, end })),
  }
}

/** Null for anything but one well-formed range of bytes: the whole content is sent then. */
function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= bytes ? 'unsatisfiable' : { start, end }
}

/** If-Range: a part of a clip that the client does not have the rest of would be useless. */
function isRangeCurrent(call: Call, etag: string): boolean {
  const condition = textOf(call, 'if-range')
  return condition === undefined || condition.trim() === etag
}

function textOf(call: Call, name: string): string | undefined {
  const header = call.header(name)
  return typeof header === 'object' ? header.value : undefined
}

interface MediaRouteDeps {
  readonly operation: (id: string) => Operation
  readonly authenticate: Authenticate
  readonly media: Media
  readonly refusals: InstanceLimit
  /** The limit of reads, which cost nothing. */
  readonly mediaReads: InstanceLimit
}

function mediaJobRoutes(deps: MediaRouteDeps): Route[] {
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
      const principal = await authenticateCall(authenticate, call, { scope: 'media:run' })
      refusals.check(principal.keyId)
      const submission = await readCall(call, readRequest, media.check)
      if ('fault' in submission) {
        refusals.count(principal.keyId)
        return refuseFault(submission.fault, (code) => media.submit.refuse({ principal, address }, code))
      }
      const response = await media.submit.run({
        ...{ principal, address, ...submission, requestId: call.requestId },
        onCharge: noteCharge(call, principal),
        tracksDelivery: call.tracksDelivery ?? false,
      })
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
    const { isStored: isKeyUsed, isRejection } = submission
    return { status, headers: shared, body, isKeyUsed, ...(code && { code }), ...(isRejection && { isRejection }) }
  }
  const { job } = submission
  return {
    status: 202,
    headers: { ...shared, Location: jobPath(job.jobId), 'Retry-After': String(retryAfterSeconds) },
    body: JSON.stringify(publicJob(job)),
  }
}

const cancelled = ({ job, accepted }: Awaited<ReturnType<Media['cancel']>>): RouteResponse => ({
  status: accepted ? 202 : 200,
  body: publicJob(job),
})

const hasNoBody = (call: Call) => {
  const length = call.header('content-length')
  return typeof length === 'object' && length.value === '0'
}

interface MediaRoutesOptions extends Omit<MediaRouteDeps, 'operation'> {
  readonly mediaFacts: MediaFacts
}

/** Media jobs, their callbacks, and the document that describes them. */
export function mediaRoutes({ mediaFacts, ...modules }: MediaRoutesOptions): Route[] {
  const { mediaProviders, mediaCreditsPerSecond } = mediaFacts
  const byId = new Map(mediaOperations(mediaProviders, mediaCreditsPerSecond).map((found) => [found.id, found]))
  const operation = (id: string): Operation => {
    const found = byId.get(id)
    if (!found) throw new Error(`the contract of media jobs has no operation ${id}`)
    return found
  }
  const document = renderedOnce(mediaDocument, mediaFacts, () =>
    createStaticContent({
      body: () => JSON.stringify(mediaDocument(mediaFacts)),
      contentType: 'application/json; charset=utf-8',
    }),
  )
  return [
    ...mediaJobRoutes({ ...modules, operation }),
    mediaCallbackRoute(operation('media.callbacks.receive'), modules.media),
    endpoint(operation('media.openapi'), document.respond),
  ]
}

export interface ConsoleMediaDeps extends ViewDeps {
  readonly media: Media
}

/** The media jobs of the signed-in project. */
export function consoleMediaRoutes(deps: ConsoleMediaDeps): Route[] {
  const { operation, guards, media } = deps
  const content = operation('console.media.content')
  const cancel = operation('console.media.cancel')
  return [
    viewRoute<JobPageParameters>(deps, 'console.media.list', async ({ session, query }) =>
      ok(await media.page(session.projectId, query)),
    ),
    endpoint(content, async (call) => {
      const { projectId } = await guards.session(call)
      return contentResponse(media, call, await media.find(projectId, pathParameter(content, call, 'jobId')))
    }),
    endpoint(cancel, async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      await read(call)
      return cancelled(await media.cancel(projectId, pathParameter(cancel, call, 'jobId')))
    }),
  ]
}
