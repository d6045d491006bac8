import { createHash } from 'node:crypto'
import type { Call, HeaderValue, RouteResponse } from '../route.ts'
import { type Coding, chooseCoding, compress, leastBytes } from './compress.ts'

export interface StaticContentOptions {
  /** A function is called for the first request: what is never asked for is never rendered. */
  readonly body: string | Uint8Array | (() => string)
  readonly contentType: string
  /** For content whose name carries its hash: it may be cached forever. Otherwise a copy is checked before each use. */
  readonly isImmutable?: boolean
  /** Precompressed at build time. */
  readonly packed?: Readonly<Partial<Record<Coding, Uint8Array>>>
  /** Further headers, such as the policy of a page. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface StaticContent {
  /** Responds in the coding that the client prefers, or with 304 if the client has the content already. */
  readonly respond: (call: Pick<Call, 'header'>) => Promise<RouteResponse>
}

/** Content that stays the same for the life of the process: named by its hash, compressed once in each coding. */
export function createStaticContent(options: StaticContentOptions): StaticContent {
  const { body, contentType, isImmutable, headers, packed = {} } = options
  let rendered: RenderedContent | undefined
  const compressed = new Map<Coding, Uint8Array | Promise<Uint8Array | null>>()
  const inCoding = (coding: Coding, plain: Uint8Array) => {
    const bytes = compressed.get(coding) ?? packed[coding] ?? compress(plain, coding, 'once')
    compressed.set(coding, bytes)
    return bytes
  }
  const caching = { 'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache' }

  return {
    async respond(call) {
      rendered ??= render(body, contentType)
      const { plain, hash, isCompressible } = rendered
      const wanted = isCompressible ? chooseCoding(call.header('accept-encoding')) : null
      const shrunk = wanted && (await inCoding(wanted, plain))
      const coding = shrunk ? wanted : null
      // Each coding is a representation of its own, so a strong tag names it too.
      const etag = `"${coding === null ? hash : `${hash}-${coding}`}"`
      const kept = { ...caching, ...(isCompressible && { vary: 'accept-encoding' }), ...headers, etag }
      // A 304 replaces the headers of the kept copy, so it repeats the policy of a page.
      if (isKnown(call.header('if-none-match'), etag)) return { status: 304, headers: kept, body: '' }
      return {
        status: 200,
        headers: { ...kept, 'content-type': contentType, ...(coding && { 'content-encoding': coding }) },
        body: shrunk ?? plain,
      }
    },
  }
}

interface RenderedContent {
  readonly plain: Uint8Array
  readonly hash: string
  readonly isCompressible: boolean
}

function render(body: StaticContentOptions['body'], contentType: string): RenderedContent {
  const content = typeof body === 'function' ? body() : body
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  const isCompressible = compressibleType.test(contentType) && plain.length >= leastBytes
  return { plain, hash: contentHash(plain), isCompressible }
}

/** Names content in a path or a tag: 128 bits of its SHA-256. */
export function contentHash(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest().subarray(0, 16).toString('base64url')
}

const compressibleType = /^(text\/|application\/(json|javascript|manifest\+json|wasm)|image\/svg\+xml)/

/** Weak comparison, as If-None-Match demands. */
export function isKnown(ifNoneMatch: HeaderValue, etag: string): boolean {
  if (ifNoneMatch === 'absent' || ifNoneMatch === 'repeated') return false
  if (ifNoneMatch.value.trim() === '*') return true
  return ifNoneMatch.value.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
