import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicOperations } from '../../src/contract/operations.ts'
import { pricingDocument } from '../../src/contract/prices.ts'
import { type DocumentServer, startDocumentServer } from '../../testkit/http/document-server.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

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
  test('a document has an ETag, is revalidated before each use, and is not sent again to a client that has it', async () => {
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

  test('a document responds to HEAD with the same headers and no body', async () => {
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
  expect(Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods))).toHaveLength(
    publicOperations(providerNames).length,
  )
})

describe('/docs', () => {
  test.each(['/docs', '/pricing'])(
    '%s runs only its own scripts, loads only its own files, and reaches nothing',
    async (path) => {
      const { headers, bytes } = await send(path)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      const policy = Object.fromEntries(
        (headers['content-security-policy'] as string).split('; ').map((rule) => {
          const [name, ...sources] = rule.split(' ')
          return [name, sources.join(' ')]
        }),
      )
      const html = bytes.toString()
      const hashOf = (element: string) => {
        const texts = [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text]) => text!)
        expect(texts).toHaveLength(1)
        return `'sha256-${createHash('sha256').update(texts[0]!).digest('base64')}'`
      }
      const hash = expect.stringMatching(/^'self'( 'sha256-[\w+/]{43}='){2}$/)
      expect(policy['script-src']).toContain(hashOf('script'))
      expect(policy['style-src']).toContain(hashOf('style'))
      expect(policy).toEqual({
        'default-src': "'none'",
        'script-src': hash,
        'style-src': hash,
        'img-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
        'require-trusted-types-for': "'script'",
        'trusted-types': "'none'",
      })
      expect(html.replace(/<(style|script)>.*?<\/\1>/gs, '')).not.toMatch(
        /<style|<script(?![^>]* src=)|\s(src|href)="https?:|\s(on\w+|style)="/,
      )
    },
  )

  test.each(['/docs', '/gateway/docs', '/docs/zh', '/gateway/docs/en'])(
    'every link of %s to this origin leads somewhere, and stays below its prefix',
    async (page) => {
      const html = (await send(page)).bytes.toString()
      const prefix = page.startsWith('/gateway') ? '/gateway/' : '/'
      const links = new Set([...html.matchAll(/(?:href|src)="(\/[^"#]*)"/g)].map(([, href]) => href!))
      for (const link of links) {
        expect(link.startsWith(prefix)).toBe(true)
        // The console and the status page are not part of this server.
        if (!/\/(console|status)\b/.test(link))
          expect({ link, ...(await send(link, { method: 'HEAD' })) }).toMatchObject({ status: 200 })
      }
    },
  )

  test('/docs is in the language that the browser asks for, and in a fixed one at a path of its own', async () => {
    const languageOf = async (path: string, accept?: string) => {
      const { headers, bytes } = await send(path, accept === undefined ? {} : { 'accept-language': accept })
      expect(bytes.toString()).toContain(`<html lang="${headers['content-language']}">`)
      return headers['content-language']
    }
    expect(await languageOf('/docs')).toBe('en')
    expect(await languageOf('/docs', 'zh-CN,zh;q=0.9,en;q=0.8')).toBe('zh-CN')
    expect(await languageOf('/docs', 'en-GB,zh;q=0.8')).toBe('en')
    expect(await languageOf('/docs/en', 'zh-CN')).toBe('en')
    expect(await languageOf('/docs/zh', 'en')).toBe('zh-CN')
    expect((await send('/docs')).headers.vary).toBe('accept-encoding, accept-language')
  })

  test.each(['/docs', '/gateway/docs'])(
    'the files of %s may be cached forever, because their names contain a hash, and are small',
    async (page) => {
      const { bytes } = await send(page, { 'accept-encoding': 'br' })
      const html = brotliDecompressSync(bytes).toString()
      const files = new Set([...html.matchAll(/(?:href|src)="([^"]*\/docs\/assets\/[^"]*)"/g)].map(([, file]) => file!))
      expect(files.size).toBe(1)
      let weight = bytes.length
      for (const file of files) {
        expect(file).toMatch(/\/docs\/assets\/[a-z]+-[\w-]{22}\.(css|js|svg)$/)
        const { status, headers, bytes } = await send(file, { 'accept-encoding': 'br' })
        expect(status).toBe(200)
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        weight += bytes.length
      }
      // About 30 KB; the room is for what the contract still gains.
      expect(weight).toBeLessThan(60_000)
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

  test('prices are served at their path and its preview, the same on both', async () => {
    const pricing = await json('/v1/pricing')
    expect(pricing).toEqual(pricingDocument('local-simulated'))
    expect(await json('/gateway/api/pricing')).toEqual(pricing)
    for (const { path } of pricing.operations) expect(path).toMatch(/^\/v1\//)
  })

  test('the old path redirects to the one that the caller should use', async () => {
    const pricing = await json('/v1/pricing')
    expect(await json('/v1/plans')).toEqual({ deprecated: true, canonical: '/v1/pricing', pricing })
    expect(await json('/gateway/api/plans')).toEqual({ deprecated: true, canonical: '/gateway/api/pricing', pricing })
  })
})

describe('where there is nothing', () => {
  const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test('a browser gets a page of the site in its language, with the status 404', async () => {
    const page = await send('/nothing-here', { ...asBrowser, 'accept-language': 'zh-CN', 'if-none-match': '*' })
    expect(page.status).toBe(404)
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-language': 'zh-CN' })
    expect(page.bytes.toString()).toContain('<h1>页面不存在</h1>')
    expect(page.bytes.toString()).toContain('<footer class="foot">')
    expect((await send('/nothing-here', asBrowser)).bytes.toString()).toContain('<h1>Page not found</h1>')
  })

  test.each([
    ['a program', '/nothing-here', { accept: '*/*' }],
    ['a browser at the API', '/v1/nothing-here', asBrowser],
    ['a browser at the API of the preview', '/gateway/api/nothing-here', asBrowser],
    ['a browser that posts', '/nothing-here', { ...asBrowser, method: 'POST' }],
  ])('%s gets the error of the contract', async (_, path, headers) => {
    const { status, bytes } = await send(path, headers)
    expect(status).toBe(404)
    expect(JSON.parse(bytes.toString()).error.code).toBe('NOT_FOUND')
  })
})
