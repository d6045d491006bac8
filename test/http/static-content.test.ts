import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { contentHash, createStaticContent } from '../../src/http/static/static-content.ts'

const asking = (headers: Record<string, string>) => ({
  header: (name: string) => (headers[name] === undefined ? ('absent' as const) : { value: headers[name] }),
})
const long = 'the same words again and again. '.repeat(200)
const text = createStaticContent({ body: long, contentType: 'text/plain; charset=utf-8' })

test('every encoding decodes to the same content', async () => {
  const [br, gzip, plain] = await Promise.all([
    text.respond(asking({ 'accept-encoding': 'br' })),
    text.respond(asking({ 'accept-encoding': 'gzip' })),
    text.respond(asking({})),
  ])
  expect(brotliDecompressSync(br.body as Uint8Array).toString()).toBe(long)
  expect(gunzipSync(gzip.body as Uint8Array).toString()).toBe(long)
  expect(Buffer.from(plain.body as Uint8Array).toString()).toBe(long)
  expect([br, gzip, plain].map(({ headers }) => headers!['content-encoding'])).toEqual(['br', 'gzip', undefined])
})

test('content is compressed once and cached, however many clients ask at once', async () => {
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => text.respond(asking({ 'accept-encoding': 'br' }))),
  )
  for (const { body } of responses) expect(body).toBe(responses[0]!.body)
  expect((await text.respond(asking({ 'accept-encoding': 'br' }))).body).toBe(responses[0]!.body)
})

test('a strong ETag identifies the content in its encoding', async () => {
  const tagOf = async (coding: string, body = long) =>
    (await createStaticContent({ body, contentType: 'text/plain' }).respond(asking({ 'accept-encoding': coding })))
      .headers!.etag
  const tags = await Promise.all([tagOf(''), tagOf('br'), tagOf('gzip'), tagOf('', `${long}.`)])
  expect(new Set(tags).size).toBe(4)
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
  expect(await tagOf('br')).toBe(tags[1])
})

test.each([
  ['the tag itself', (tag: string) => tag, 304],
  ['the tag in a list', (tag: string) => `"x", ${tag}`, 304],
  ['the weak form of the tag', (tag: string) => `W/${tag}`, 304],
  ['anything', () => '*', 304],
  ['another tag', () => '"x"', 200],
  ['the tag without quotes', (tag: string) => tag.slice(1, -1), 200],
  ['nothing', () => '', 200],
])('If-None-Match with %s', async (_, header, status) => {
  const tag = (await text.respond(asking({}))).headers!.etag!
  expect((await text.respond(asking({ 'if-none-match': header(tag) }))).status).toBe(status)
})

test('the ETag of one encoding does not match another', async () => {
  const { headers } = await text.respond(asking({ 'accept-encoding': 'br' }))
  expect((await text.respond(asking({ 'if-none-match': headers!.etag! }))).status).toBe(200)
})

test('a 304 repeats ETag, caching and policy headers, and none about a body', async () => {
  const page = createStaticContent({
    body: long,
    contentType: 'text/html',
    headers: { 'content-security-policy': "default-src 'self'" },
  })
  const full = await page.respond(asking({ 'accept-encoding': 'br' }))
  const { 'content-type': _, 'content-encoding': __, ...kept } = full.headers!
  expect(await page.respond(asking({ 'accept-encoding': 'br', 'if-none-match': full.headers!.etag! }))).toEqual({
    status: 304,
    headers: kept,
    body: '',
  })
})

test('hashed content may be cached forever; the rest is revalidated before each use', async () => {
  const hashed = createStaticContent({ body: long, contentType: 'text/javascript', isImmutable: true })
  expect((await hashed.respond(asking({}))).headers!['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await text.respond(asking({}))).headers!['cache-control']).toBe('no-cache')
})

test('content that would not shrink is sent uncompressed, without Vary', async () => {
  const short = createStaticContent({ body: 'short', contentType: 'text/plain' })
  const image = createStaticContent({ body: Buffer.alloc(5000), contentType: 'image/png' })
  for (const content of [short, image]) {
    const { headers } = await content.respond(asking({ 'accept-encoding': 'br, gzip' }))
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('vary')
  }
  expect((await text.respond(asking({}))).headers!.vary).toBe('accept-encoding')
})

test('different content has a different hash, which is safe in a path', () => {
  expect(contentHash('a')).toMatch(/^[\w-]{22}$/)
  expect(contentHash('a')).not.toBe(contentHash('b'))
  expect(contentHash('a')).toBe(contentHash(Buffer.from('a')))
})
