import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Gateway, startGateway } from '../../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../../testkit/gateway/paying-customer.ts'

/** As a payer does who does not trust the gateway: Node in a folder that has only the downloaded files. */
describe('verify.mjs', () => {
  let gateway: Gateway
  let payer: PayingCustomer
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'verify-'))
    gateway = await startGateway()
    payer = await PayingCustomer.join(gateway)
    const { text } = await gateway.send('GET', '/verify/verify.mjs')
    await save('verify.mjs', text)
    await save('jwks.json', (await gateway.send('GET', '/.well-known/jwks.json')).text)
  })
  afterAll(async () => {
    await gateway.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const save = (name: string, text: string) => writeFile(join(directory, name), text)
  const verify = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      execFile(process.execPath, ['verify.mjs', ...args], { cwd: directory, env: {} }, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })
  const included = (path: string) =>
    vi.waitFor(
      async () => {
        const { text } = await payer.browser.get(path)
        expect(JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString()).status).toBe('included')
        return text
      },
      { timeout: 20_000 },
    )
  const receiptOf = async (prompt: string) => {
    const { headers } = await payer.call('model.chat', { prompt })
    return `/v1/console/usage/${String(headers['x-charge-id'])}/receipt.jws`
  }

  test('the served file verifies a receipt with plain Node, and refuses one that was changed', async () => {
    await included(await receiptOf('first'))
    const checkpoint = (await gateway.send('GET', '/transparency/checkpoint')).text
    await save('old.checkpoint', checkpoint)
    const path = await receiptOf('second')
    await included(path)
    const jws = await included(`${path}?since=${checkpoint.split('\n')[1]}`)
    await save('receipt.jws', jws)
    const command = ['receipt.jws', '--keys', 'jwks.json', '--since', 'old.checkpoint']
    const { code, stdout, stderr } = await verify(...command)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^passed {2}signature: [\s\S]*^passed {2}consistency: [\s\S]*^Verified\.$/m)
    const [head, body, signature] = jws.split('.')
    const changed = Buffer.from(body!, 'base64url').toString().replace('"credits":3', '"credits":4')
    await save('receipt.jws', [head, Buffer.from(changed).toString('base64url'), signature].join('.'))
    expect(await verify(...command)).toMatchObject({ code: 1, stdout: expect.stringContaining('FAILED  signature') })
  })

  test('the served file says how to use it', async () => {
    const { code, stderr } = await verify()
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^usage: node verify\.mjs FILE\.jws --keys jwks\.json /)])
  })

  test.each([
    ['/verify/verify.mjs', 'text/javascript; charset=utf-8'],
    ['/sdk.tgz', 'application/gzip'],
  ])('%s is a static file that a cache may keep and must revalidate', async (path, type) => {
    const { status, headers } = await gateway.send('GET', path)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, 'no-cache'])
    expect((await gateway.send('GET', path, { 'if-none-match': String(headers.etag) })).status).toBe(304)
    expect((await gateway.send('HEAD', path)).headers['content-length']).toBe(headers['content-length'])
    expect((await gateway.send('GET', '/openapi.json')).body.paths).not.toHaveProperty([path])
  })

  test('the page names the file that it serves', async () => {
    const { text } = await gateway.send('GET', '/verify')
    expect(text).toContain('href="/verify/verify.mjs"')
    expect(text).toContain('node verify.mjs receipt.jws --keys jwks.json')
    expect((await gateway.send('GET', '/llms.txt')).text).toMatch(
      /npm install \S+\/sdk\.tgz[\s\S]*\/verify\/verify\.mjs/,
    )
  })
})
