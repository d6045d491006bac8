import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyReceipt } from '../../../../sdk/src/index.ts'
import { verifyCommand } from '../../../../sdk/src/verify-command.ts'
import { createHttpServer } from '../../../../src/http/server.ts'
import { type Gateway, startGateway, TestClock, testSecret } from '../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { type Database, migratedDatabase } from '../../../../testkit/store/engines.ts'
import { sqliteFileName } from '../../../../testkit/store/templates.ts'

const wait = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 100 })

describe('a gateway whose checkpoints payers hold', () => {
  const clock = new TestClock()
  const file = { sessions: { lifetimeSeconds: 604_800 } }
  let database: Database
  let copy: string
  let gateway: Gateway
  let payer: PayingCustomer
  beforeAll(async () => {
    database = await migratedDatabase('sqlite')
    copy = await mkdtemp(join(tmpdir(), 'gateway-copy-'))
    gateway = await startGateway({ database, clock: clock.read, file })
    payer = await PayingCustomer.join(gateway)
  })
  afterAll(async () => {
    await gateway.stop()
    await database.remove()
    await rm(copy, { recursive: true, force: true })
  })

  const checkpoint = async () => (await gateway.send('GET', '/transparency/checkpoint')).text
  const jwks = async () => (await gateway.send('GET', '/.well-known/jwks.json')).body
  const sizeOf = (note: string) => Number(note.split('\n')[1])
  const run = (...argv: string[]) =>
    runCommand(database, argv, { clock: clock.read, environment: { GATEWAY_SECRET: testSecret } })
  const chat = async () => String((await payer.call('model.chat', { prompt: 'Hi' })).headers['x-charge-id'])

  async function grown(atLeast: number): Promise<string> {
    return wait(async () => {
      const note = await checkpoint()
      expect(sizeOf(note)).toBeGreaterThanOrEqual(atLeast)
      return note
    })
  }

  async function receipt(chargeId: string, query = '', status = 'included'): Promise<string> {
    return wait(async () => {
      const jws = (await payer.browser.get(`/v1/console/usage/${chargeId}/receipt.jws${query}`)).text
      expect(JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString()).status).toBe(status)
      return jws
    })
  }

  test('a new key signs at once, and checkpoints have both signatures', async () => {
    const before = await grown(1)
    const [old] = (await jwks()).keys
    const rotated = await run('receipts', 'rotate-key', '--reason', 'yearly', '--json')
    expect(rotated).toMatchObject({ exitCode: 0 })
    const { keys } = await wait(async () => {
      const set = await jwks()
      expect(set.keys).toHaveLength(2)
      return set
    })
    expect(keys[0]).toEqual({ ...old, exp: Math.ceil(clock.now / 1000) + 24 * 3600 })
    expect(keys[1]).not.toHaveProperty('exp')
    const both = await wait(async () => {
      const note = await checkpoint()
      expect(note.match(/^— /gm)).toHaveLength(2)
      return note
    })
    expect(both.split('\n\n')[0]).toBe(before.split('\n\n')[0])
    const jws = await receipt(await chat())
    expect(JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()).kid).toBe(keys[1].kid)
    for (const set of [{ keys }, { keys: [keys[1]] }]) {
      expect(await verifyReceipt(jws, { jwks: set })).toMatchObject({ ok: true })
    }
    expect(await verifyReceipt(jws, { jwks: { keys: [old] } })).toMatchObject({ ok: false })
  })

  test('what a leaked key signed counts for nothing once it is revoked', async () => {
    const chargeId = await chat()
    const jws = await receipt(chargeId)
    const leaked = JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()).kid
    expect(await run('receipts', 'rotate-key', '--reason', 'stolen', '--leaked')).toMatchObject({ exitCode: 0 })
    const keys = await wait(async () => {
      const set = await jwks()
      expect(set.revoked).toEqual([{ kid: leaked, at: Math.floor(clock.now / 1000) }])
      return set
    })
    expect(keys.keys.map(({ kid }: { kid: string }) => kid)).not.toContain(leaked)
    const refused = await verifyReceipt(jws, { jwks: keys })
    expect(refused.steps[0]).toMatchObject({ ok: false, detail: expect.stringContaining('revoked') })
    await wait(async () =>
      expect(await verifyReceipt(await receipt(chargeId), { jwks: keys })).toMatchObject({ ok: true }),
    )
  })

  test('an older key than the one before can be revoked, once', async () => {
    const { keys, revoked } = await jwks()
    const [oldest, current] = [keys[0].kid, keys.at(-1).kid]
    const rotate = (kid: string) => run('receipts', 'rotate-key', '--reason', 'stolen', `--leaked=${kid}`)
    const { stdout } = await rotate(oldest)
    expect(stdout).toContain(`${current} also signs checkpoints`)
    expect(stdout).toContain(`${oldest} is revoked.`)
    const set = await wait(async () => {
      const after = await jwks()
      expect(after.revoked).toEqual([{ kid: oldest, at: Math.floor(clock.now / 1000) }, ...revoked])
      return after
    })
    expect(set.keys.map(({ kid }: { kid: string }) => kid)).toEqual([current, expect.any(String)])
    for (const kid of [oldest, 'unknown']) expect((await rotate(kid)).stderr).toContain(`no signing key ${kid}`)
    expect((await jwks()).keys).toHaveLength(2)
  })

  test('the shell command says what holds, offline', async () => {
    const old = await checkpoint()
    const chargeId = await chat()
    await receipt(chargeId)
    const files = { jws: join(copy, 'r.jws'), keys: join(copy, 'jwks.json'), old: join(copy, 'old.checkpoint') }
    await writeFile(files.keys, JSON.stringify(await jwks()))
    await writeFile(files.old, old)
    const lines: string[] = []
    const verify = async (...more: string[]) => {
      lines.length = 0
      return verifyCommand([files.jws, '--keys', files.keys, ...more], (line) => void lines.push(line))
    }
    await writeFile(files.jws, await receipt(chargeId))
    expect(await verify()).toBe(0)
    expect(await verify('--since', files.old)).toBe(1)
    expect(lines.join()).toContain('annot tell offline')
    const tiles = `http://127.0.0.1:${gateway.app.public.port}/transparency`
    vi.stubGlobal('fetch', async (url: string) => {
      const { status } = await gateway.send('HEAD', new URL(url).pathname)
      const { rawBytes } = await rawTile(gateway, new URL(url).pathname)
      return { ok: status === 200, arrayBuffer: async () => rawBytes }
    })
    expect(await verify('--since', files.old, '--tiles', tiles)).toBe(0)
    vi.unstubAllGlobals()
    await writeFile(files.jws, await receipt(chargeId, `?since=${sizeOf(old)}`))
    expect(await verify('--since', files.old, '--json')).toBe(0)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      ok: true,
      steps: expect.arrayContaining([{ name: 'consistency', ok: true, detail: expect.any(String) }]),
    })
    expect(await verifyCommand([files.jws], () => {})).toBeNull()
  })

  test('each day every project gets the checkpoint once, and the audit log is anchored', async () => {
    const events = async () =>
      (await payer.browser.get('/v1/console/events')).body.items.filter(
        ({ type }: { type: string }) => type === 'transparency.checkpoint',
      )
    expect(await events()).toEqual([])
    clock.advanceSeconds(86_400 - 6 * 3600)
    await wait(async () => expect(await events()).toHaveLength(1))
    const [{ data }] = await events()
    expect(data).toEqual({
      checkpoint: expect.stringContaining('localhost:8787/transparency'),
      treeSize: sizeOf(data.checkpoint),
    })
    const proof = await run('audit', 'proof', '--day', '2026-09-04', '--json')
    expect(JSON.parse(proof.stdout).entry).toMatchObject({ type: 'audit.head', day: '2026-09-04', count: 3 })
    expect((await run('audit', 'proof', '--day', '2026-09-09')).exitCode).toBe(1)
    expect(await run('audit', 'verify')).toMatchObject({ exitCode: 0 })
  })

  test('the checkpoint is served from the first request after a start', async () => {
    const before = await checkpoint()
    await gateway.stop()
    const first: number[] = []
    const createServer: typeof createHttpServer = (options) => {
      const server = createHttpServer(options)
      // Before the workers start, which wait for this address.
      const listen: typeof server.listen = async (address) => {
        const bound = await server.listen(address)
        const url = `http://127.0.0.1:${bound.port}/transparency/checkpoint`
        const response = await request(url, { headers: { host: 'localhost:8787' } })
        await response.body.dump()
        first.push(response.statusCode)
        return bound
      }
      return { ...server, listen }
    }
    gateway = await startGateway({ database, clock: clock.read, file, createServer })
    payer = payer.at(gateway)
    expect(first).toEqual([200])
    expect(sizeOf(await checkpoint())).toBeGreaterThanOrEqual(sizeOf(before))
  })

  test('after a restore of an older copy nothing is signed, until an operator announces a fork', async () => {
    const nothing = await run('transparency', 'fork', '--reason', 'no need', '--json')
    expect([nothing.exitCode, JSON.parse(nothing.stdout).error.code]).toEqual([1, 'FORK_NOT_NEEDED'])
    await run('backup', join(copy, 'older.sqlite'))
    const chargeId = await chat()
    const earlier = await receipt(chargeId)
    const lost = await checkpoint()
    await gateway.stop()
    for (const end of ['', '-wal', '-shm']) await rm(join(database.dataDir, `${sqliteFileName}${end}`), { force: true })
    await cp(join(copy, 'older.sqlite'), join(database.dataDir, sqliteFileName))
    gateway = await startGateway({ database, clock: clock.read, file })
    payer = payer.at(gateway)
    await wait(async () => expect(gateway.log.join()).toContain('nothing is signed'))
    const later = await chat()
    await receipt(later, '', 'pending')
    await receipt(later, `?since=${sizeOf(lost)}`, 'pending')
    const beyond = await payer.browser.get(`/v1/console/usage/${later}/receipt.jws?since=${sizeOf(lost) + 1}`)
    expect([beyond.status, beyond.body.error.code]).toEqual([400, 'SINCE_INVALID'])
    expect(await checkpoint()).toBe(lost)
    const reconciled = await run('reconcile', '--json')
    expect([reconciled.exitCode, JSON.parse(reconciled.stdout).differences[0].invariant]).toEqual([1, 'I10'])
    expect((await run('doctor')).stdout).toContain('nothing is signed')
    const checked = await run('restore-check', '--json')
    expect([checked.exitCode, JSON.parse(checked.stdout).treeFault]).toEqual([1, expect.stringContaining('log 1')])
    expect(await run('transparency', 'fork', '--reason', 'the disk failed')).toMatchObject({ exitCode: 0 })
    const jws = await receipt(later)
    expect(await verifyReceipt(jws, { jwks: await jwks() })).toMatchObject({ ok: true })
    expect((await verifyReceipt(jws, { jwks: await jwks(), since: lost })).steps.at(-1)).toMatchObject({ ok: false })
    const forked = await checkpoint()
    expect(forked).toMatch(/^localhost:8787\/transparency\/2\n/)
    const detailOf = async (document: string, since: string) =>
      (await verifyReceipt(document, { jwks: await jwks(), since })).steps.at(-1)!.detail
    expect(await detailOf(jws, lost)).toContain('A fork: the checkpoint you kept is of localhost:8787/transparency,')
    expect(await detailOf(earlier, forked)).toContain('from before the fork')
    expect(await detailOf(jws, 'no checkpoint')).toBe('None of the given keys signed the checkpoint you kept.')
    expect(await run('restore-check')).toMatchObject({ exitCode: 0 })
    expect((await gateway.send('GET', '/transparency/forks/1')).text).toBe(lost)
    expect((await gateway.send('GET', '/transparency/forks/2')).status).toBe(404)
    expect(await run('reconcile')).toMatchObject({ exitCode: 0 })
    expect(JSON.parse((await run('audit', 'list', '--json')).stdout).items.at(-1)).toMatchObject({
      action: 'transparency.fork',
      reason: 'the disk failed',
    })
  })
})

async function rawTile(gateway: Gateway, path: string): Promise<{ rawBytes: ArrayBuffer }> {
  const response = await request(`http://127.0.0.1:${gateway.app.public.port}${path}`, {
    headers: { host: 'localhost:8787' },
  })
  return { rawBytes: await response.body.arrayBuffer() }
}
