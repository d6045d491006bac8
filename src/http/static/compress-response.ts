import { jsonType } from '../errors.ts'
import type { Call, RouteResponse } from '../route.ts'
import { chooseCoding } from './accept-encoding.ts'
import { compress, leastBytes } from './compress.ts'

/** Larger bursts go out plain: the thread pool also hashes passwords. */
const mostUnderWay = 8

/** Compresses the responses of routes that allow it. docs/decisions/0003-transport-guard.md says which do, and why. */
export function createResponseCompressor() {
  let underWay = 0

  return async function compressResponse(response: RouteResponse, call: Pick<Call, 'header'>): Promise<RouteResponse> {
    if (response.status !== 200) return response
    const { body, headers } = response
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
