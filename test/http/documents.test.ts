import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pricingDocument } from '../../src/contract/prices.ts'
import { type DocumentServer, startDocumentServer } from '../support/http/document-server.ts'

let server: DocumentServer
beforeAll(async () => {
  server = await startDocumentServer()
})
afterAll(() => server.close())

async function send(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  const response = await request(`${server.origin}${path}`, { method: method as 'GET', headers })
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  }
}

const documents = ['/openapi.json', '/llms.txt', '/docs']

describe.each([...documents, ...documents.map((path) => `/gateway${path}`)])('GET %s', (path) => {
  test('has an ETag, is revalidated before each use, and is not sent again to a client that has it', async () => {
    const first = await send(path)
    expect(first.status).toBe(200)
    expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-length': String(first.bytes.length) })
    const again = await send(path, { 'if-none-match': first.headers.etag as string })
    expect(again.status).toBe(304)
    expect(again.bytes.length).toBe(0)
    expect(again.headers.etag).toBe(first.headers.etag)
    expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
    for (const name of ['content-length', 'content-type', 'content-encoding'])
      expect(again.headers[name]).toBeUndefined()
  })

  test('responds to HEAD with the same headers and no body', async () => {
    const [full, head] = await Promise.all([send(path), send(path, { method: 'HEAD' })])
    expect(head.status).toBe(200)
    expect(head.bytes.length).toBe(0)
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
      expect(head.headers[name]).toBe(full.headers[name])
  })
})

test.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
])('%s is compressed for clients that accept it', async (path, contentType) => {
  const [plain, br, gzip] = await Promise.all([
    send(path),
    send(path, { 'accept-encoding': 'gzip;q=0.5, br' }),
    send(path, { 'accept-encoding': 'gzip, br;q=0' }),
  ])
  for (const { headers } of [plain, br, gzip])
    expect(headers).toMatchObject({ 'content-type': contentType, vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(br.headers['content-encoding']).toBe('br')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
  expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
  expect(br.bytes.length).toBeLessThan(plain.bytes.length / 4)
})

test('/openapi.json is the contract of this origin', async () => {
  const document = JSON.parse((await send('/openapi.json')).bytes.toString())
  expect(document.servers[0].url).toBe(server.origin)
  expect(Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods))).toHaveLength(24)
})

describe('/docs', () => {
  test('runs only its own scripts and reaches only its own origin', async () => {
    const { headers, bytes } = await send('/docs')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = Object.fromEntries(
      (headers['content-security-policy'] as string).split('; ').map((rule) => {
        const [name, ...sources] = rule.split(' ')
        return [name, sources.join(' ')]
      }),
    )
    expect(policy).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self' data:",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    })
    const html = bytes.toString()
    expect(html).not.toMatch(/<script(?![^>]* src=)|https?:|\son\w+=/)
  })

  test('links to the other formats without scripts, on every path', async () => {
    const html = (await send('/docs')).bytes.toString()
    const fallback = /<noscript>([\s\S]*)<\/noscript>/.exec(html)![1]!
    const links = [...fallback.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
    expect(links.sort()).toEqual(['llms.txt', 'openapi.json'])
    for (const page of ['/docs', '/gateway/docs'])
      for (const link of links) {
        const { pathname } = new URL(link, `${server.origin}${page}`)
        expect((await send(pathname, { method: 'HEAD' })).status).toBe(200)
      }
  })

  test.each(['/docs', '/gateway/docs'])(
    'the scripts of %s may be cached forever, because their names contain a hash',
    async (page) => {
      const html = (await send(page)).bytes.toString()
      const scripts = [...html.matchAll(/src="([^"]*)"/g)].map(
        ([, source]) => new URL(source!, `${server.origin}${page}`),
      )
      expect(scripts).toHaveLength(2)
      for (const { pathname } of scripts) {
        expect(pathname).toMatch(/\/docs\/assets\/[a-z-]+-[\w-]{22}\.js$/)
        const { status, headers } = await send(pathname, { 'accept-encoding': 'br' })
        expect(status).toBe(200)
        expect(headers).toMatchObject({
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
        })
      }
    },
  )

  test('an asset with another name is not found', async () => {
    const { status, bytes } = await send('/docs/assets/reference.js')
    expect(status).toBe(404)
    expect(JSON.parse(bytes.toString()).error.code).toBe('NOT_FOUND')
  })
})

describe('prices', () => {
  const json = async (path: string) => {
    const { status, headers, bytes } = await send(path)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    return JSON.parse(bytes.toString())
  }

  test('are served at their path and its preview, the same on both', async () => {
    const pricing = await json('/v1/pricing')
    expect(pricing).toEqual(pricingDocument('local-simulated'))
    expect(await json('/gateway/api/pricing')).toEqual(pricing)
    expect(pricing.operations).toHaveLength(9)
    for (const { path } of pricing.operations) expect(path).toMatch(/^\/v1\//)
  })

  test('the old path redirects to the one that the caller should use', async () => {
    const pricing = await json('/v1/pricing')
    expect(await json('/v1/plans')).toEqual({ deprecated: true, canonical: '/v1/pricing', pricing })
    expect(await json('/gateway/api/plans')).toEqual({ deprecated: true, canonical: '/gateway/api/pricing', pricing })
  })
})
