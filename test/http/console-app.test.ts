import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleAppRoutes } from '../../src/http/static/built-app.ts'
import { type Fixture, host, startFixture } from './fixture.ts'

const script = 'console.log("the console")\n'.repeat(100)
const manifest = {
  '_libraries.js': { file: 'assets/libraries.js' },
  '_table.js': { file: 'assets/table.js', imports: ['_libraries.js'] },
  'src/i18n/en/en.ts': { file: 'assets/en.js' },
  'src/i18n/zh/zh.ts': { file: 'assets/zh.js' },
  '_log.js': { file: 'assets/log.js', imports: ['_libraries.js'] },
  'src/pages/overview/overview.tsx': { file: 'assets/overview.js', imports: ['_libraries.js', '_table.js'] },
  'src/pages/charge-details/charge-details.tsx': { file: 'assets/charge-details.js', imports: ['_log.js'] },
  'src/pages/statement/statement.tsx': { file: 'assets/statement.js' },
  'src/pages/auth/sign-in.tsx': { file: 'assets/sign-in.js' },
}
const html =
  '<!doctype html><meta name="gateway-sms-inbox" content="" /><script type="module" src="/console/assets/libraries.js"></script>'

describe('the files of the console', () => {
  let directory: string
  let fixture: Fixture
  let built: () => Promise<void>
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'console-app-'))
    built = async () => {
      await mkdir(join(directory, 'assets'))
      await writeFile(join(directory, 'index.html'), html)
      await writeFile(join(directory, 'assets/app-1.js'), script)
      await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest))
      await writeFile(join(directory, 'assets/app-1.js.br'), brotliCompressSync(script))
      await writeFile(join(directory, 'assets/app-1.js.gz'), gzipSync(script))
    }
    fixture = await startFixture({
      routes: consoleAppRoutes({
        directory: pathToFileURL(`${directory}/`),
        smsInboxUrl: () => 'http://127.0.0.1:8788/',
        mediaCreditsPerSecond: 5,
        notice: null,
      }),
    })
  })
  afterAll(async () => {
    await fixture.server.close()
    await rm(directory, { recursive: true, force: true })
  })

  async function get(path: string, headers: Record<string, string> = {}) {
    const response = await request(`http://127.0.0.1:${fixture.port}${path}`, { headers: { host, ...headers } })
    const bytes = Buffer.from(await response.body.arrayBuffer())
    return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() }
  }

  test('before the console is built, its page says in one line how to build it; afterwards it is served', async () => {
    const before = await get('/console')
    expect(before.status).toBe(503)
    expect(before.text).toBe('The console is not built: run `npm run build` and load this page again.\n')
    await built()
    expect((await get('/console')).status).toBe(200)
  })

  test.each([
    '/console',
    '/console/',
    '/console/usage/chg_1',
    '/console/playground/pick.compare',
    '/gateway/console/keys?next=x',
  ])(
    '%s serves the one page, revalidated before each use, under a policy that allows no other origin',
    async (path) => {
      const { status, headers, text } = await get(path)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('no-cache')
      expect(text).toContain('content="http://127.0.0.1:8788/"')
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe|data:|https?:|\*/)
      expect((await get(path, { 'if-none-match': String(headers.etag) })).status).toBe(304)
    },
  )

  test.each([
    ['/console', '', ['en', 'overview', 'table']],
    ['/console/', 'zh-CN,zh;q=0.9', ['zh', 'overview', 'table']],
    ['/gateway/console/usage/chg_1', 'zh', ['zh', 'charge-details', 'log']],
    ['/console/statements/2026-07', 'zh', ['zh', 'statement']],
    ['/console/sign-in', 'zh', ['zh', 'sign-in']],
    ['/console/constructor', '', ['en']],
  ])('%s in "%s" names the files that it will need beyond those of every page', async (path, language, names) => {
    const { headers } = await get(path, { 'accept-language': language })
    const links = names.map((name) => `</console/assets/${name}.js>; rel=modulepreload; crossorigin; fetchpriority=low`)
    expect(headers.link).toBe(links.join(', '))
  })

  test('a file with a hash in its name may be cached forever, and is sent as compressed at build time', async () => {
    const plain = await get('/console/assets/app-1.js')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(plain.text).toBe(script)
    const packed = await get('/console/assets/app-1.js', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.bytes).toEqual(brotliCompressSync(script))
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(script)
  })

  test.each([
    '/console/assets/app-2.js',
    '/console/assets/app-1.js.br',
    '/console/assets/..%5cindex.html',
    '/console/nope.js',
    '/console/deep/er/nope.css?v=1',
    '/console/favicon.ico',
    '/console/.env.map',
    '/gateway/console/nope.JSON',
  ])('%s is not a file of the console', async (path) => {
    const { status, headers } = await get(path)
    expect([400, 404]).toContain(status)
    expect(headers['content-type']).toContain('application/json')
  })
})
