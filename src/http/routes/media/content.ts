import { errorBody, errors } from '../../../contract/errors.ts'
import { clipType } from '../../../contract/media/job.ts'
import type { Media } from '../../../media/media.ts'
import type { ChargedJob } from '../../../media/ports.ts'
import type { ByteRange } from '../../../providers/http-call.ts'
import { type Call, type RouteResponse, StreamedBody } from '../../route.ts'
import { isKnown } from '../../static/static-content.ts'

/** The clip of a job, whole or in part (RFC 9110, sections 13 and 14). */
export function contentResponse(media: Media, call: Call, job: ChargedJob): RouteResponse {
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
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
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
