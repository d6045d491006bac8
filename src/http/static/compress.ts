import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib'
import { jsonType } from '../errors.ts'
import { type Call, type HeaderValue, type RouteResponse, StreamedBody } from '../route.ts'

/** The names in a header such as Accept-Encoding with their weights, in lower case; what is malformed is left out. */
function parseWeights(value: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of value.split(',')) {
    const match = /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i.exec(part)
    if (match) weights.set(match[1]!.toLowerCase(), Number(match[2] ?? 1))
  }
  return weights
}

/** Our preference order: smallest first. */
const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The coding that the client prefers; null for none. If none of its codings is offered, the response is sent plain, not refused. */
export function chooseCoding(acceptEncoding: HeaderValue, offered: readonly Coding[] = codings): Coding | null {
  if (acceptEncoding === 'absent' || acceptEncoding === 'repeated') return null
  const weights = parseWeights(acceptEncoding.value)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = offered.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  // `identity` is always acceptable, with the lowest weight unless the client gives one.
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}

/** Below this, compression does not save a packet. */
export const leastBytes = 1024

/** Kept content is compressed once, well; a response for one reader is compressed fast. */
type Effort = 'once' | 'each'

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } })
const options = {
  // The docs page shrinks from 312 KB to 22 KB in 23 ms; quality 11 takes 0.9 s for 19 KB.
  once: { br: quality(6), gzip: { level: 9 } },
  // A list of 100 charges shrinks from 30 KB to 3.4 KB in 0.6 ms.
  each: { br: quality(4), gzip: { level: 5 } },
} as const

/** On the thread pool. Null when it is not worth it. */
export async function compress(plain: Uint8Array, coding: Coding, effort: Effort): Promise<Uint8Array | null> {
  const packed = await pack[coding](plain, options[effort][coding]).catch(() => null)
  return packed && packed.length < plain.length ? packed : null
}

/** A stream that fails or is abandoned ends the other one too. */
const gzipStream = (plain: Readable): Readable => pipeline(plain, createGzip(options.each.gzip), () => {})

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

/** The client's preferred language, by first subtag; the first of ours if it has no preference. */
export function chooseLanguage<L extends string>(acceptLanguage: HeaderValue, languages: readonly [L, ...L[]]): L {
  if (acceptLanguage === 'absent' || acceptLanguage === 'repeated') return languages[0]
  const weights = [...parseWeights(acceptLanguage.value)]
  const weightOf = (language: string) =>
    Math.max(0, ...weights.filter(([range]) => range.split('-')[0] === language).map(([, weight]) => weight))
  return languages.reduce((best, language) => (weightOf(language) > weightOf(best) ? language : best))
}
