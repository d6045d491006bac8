import { jsonType } from '../errors.ts'
import { type Call, type RouteResponse, StreamedBody } from '../route.ts'
import { chooseCoding } from './accept-encoding.ts'
import { compress, gzipStream, leastBytes } from './compress.ts'

/** Larger bursts go out plain: the thread pool also hashes passwords. */
const mostUnderWay = 8

/** Compresses the responses of routes that allow it. docs/decisions/0003-transport-guard.md says which do, and why. */
export function createResponseCompressor() {
  let underWay = 0

  return async function compressResponse(response: RouteResponse, call: Pick<Call, 'header'>): Promise<RouteResponse> {
    if (response.status !== 200) return response
    const { body, headers } = response
    if (body instanceof StreamedBody) return compressStream(response, body, call)
    const isJson = typeof body !== 'string' && !(body instanceof Uint8Array)
    const plain = body instanceof Uint8Array ? body : Buffer.from(isJson ? JSON.stringify(body) : body)
    if (plain.length < leastBytes) return response
    const varying = { ...(isJson && { 'content-type': jsonType }), ...headers, vary: 'accept-encoding' }
    const coding = chooseCoding(call.header('accept-encoding'))
    const packed = coding && underWay < mostUnderWay ? await compressed(plain, coding) : null
    if (coding === null || packed === null) return { ...response, headers: varying, body: plain }
    return { ...response, headers: { ...varying, 'content-encoding': coding }, body: packed }
  }

  async function compressed(plain: Uint8Array, coding: Parameters<typeof compress>[1]): Promise<Uint8Array | null> {
    underWay += 1
    try {
      return await compress(plain, coding, 'each')
    } finally {
      underWay -= 1
    }
  }
}

/** With gzip alone: a brotli encoder would keep megabytes for as long as the client reads. */
function compressStream(response: RouteResponse, body: StreamedBody, call: Pick<Call, 'header'>): RouteResponse {
  const varying = { ...response, headers: { ...response.headers, vary: 'accept-encoding' } }
  const coding = chooseCoding(call.header('accept-encoding'), ['gzip'])
  if (coding === null) return varying
  return {
    ...varying,
    headers: { ...varying.headers, 'content-encoding': coding },
    body: new StreamedBody(null, async () => gzipStream(await body.open())),
  }
}
