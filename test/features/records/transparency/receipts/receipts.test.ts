import { createHash } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkDocument } from '../../../../../console/site/verify/history.ts'
import { verifyConsistency, verifyReceipt, verifyStatement } from '../../../../../sdk/src/index.ts'
import { type Gateway, startGateway, TestClock } from '../../../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../../../testkit/gateway/paying-customer.ts'
import { leaf, openNote, rootByPath } from '../../../../../testkit/receipts/rfc-tree.ts'
import { engines } from '../../../../../testkit/store/engines.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was signed
const payloadOf = (jws: string): any => JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString())

const idOf = (response: { headers: Record<string, unknown> }) => String(response.headers['x-charge-id'])

describe.each(engines)('receipts on %s', (engine) => {
  let gateway: Gateway
  let payer: PayingCustomer
  const clock = new TestClock()
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read, file: { receipts: { header: true } } })
    payer = await PayingCustomer.join(gateway)
  })
  afterAll(() => gateway.stop())

  const jwks = async () => (await gateway.send('GET', '/.well-known/jwks.json')).body
  const checkpoint = async () => (await gateway.send('GET', '/transparency/checkpoint')).text

  const chat = () => payer.call('model.chat', { prompt: 'Hello' })

  async function included(path: string): Promise<string> {
    return vi.waitFor(
      async () => {
        const response = await payer.browser.get(path)
        expect(response.status, response.text).toBe(200)
        expect(payloadOf(response.text).status).toBe('included')
        return response.text
      },
      { timeout: 20_000 },
    )
  }

  test('a settled call has a receipt that two verifiers accept', async () => {
    const response = await chat()
    const chargeId = idOf(response)
    const jws = await included(`/v1/console/usage/${chargeId}/receipt.jws`)
    const keys = await jwks()
    const { steps, ok } = await verifyReceipt(jws, { jwks: keys })
    expect(steps).toMatchObject([
      { name: 'signature', ok: true },
      { name: 'canonical', ok: true },
      { name: 'inclusion', ok: true },
      { name: 'checkpoint', ok: true },
    ])
    expect(ok).toBe(true)
    const receipt = payloadOf(jws)
    expect(receipt).toMatchObject({
      ...{
        type: 'charge',
        issuer: 'http://localhost:8787',
        projectId: payer.projectId,
        chargeId,
        operation: 'model.chat',
      },
      ...{ state: 'settled', status: 'included' },
      requestSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      idempotencyKeySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(receipt.responseSha256).toBe(createHash('sha256').update(response.text).digest('hex'))
    expect(JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString())).toEqual({
      ...{ alg: 'EdDSA', kid: keys.keys[0].kid, typ: 'receipt+jws' },
    })
    const { size, root, origin } = openNote(receipt.checkpoint, keys.keys[0].x)
    expect(origin).toBe('localhost:8787/transparency')
    expect(receipt.entries.map((row: { entry: { kind: string } }) => row.entry.kind)).toEqual(['reserve', 'settle'])
    for (const { entry, salt, index, proof } of receipt.entries) {
      const sorted = JSON.stringify(entry, Object.keys(entry).sort())
      const hash = leaf(Buffer.concat([Buffer.from(sorted), Buffer.from(salt, 'base64')]))
      const path = proof.map((part: string) => Buffer.from(part, 'base64'))
      expect(rootByPath(hash, index, size, path).equals(root)).toBe(true)
    }
  })

  test('the header of a settled call is a pending receipt, and a replay has none', async () => {
    const key = payer.newKey()
    const first = await payer.call('model.chat', { prompt: 'Once' }, key)
    const jws = String(first.headers.receipt)
    expect(payloadOf(jws)).toMatchObject({ status: 'pending', checkpoint: null, chargeId: idOf(first) })
    const { steps } = await verifyReceipt(jws, { jwks: await jwks() })
    expect(steps.map(({ name, ok }) => [name, ok])).toEqual([
      ['signature', true],
      ['canonical', true],
      ['inclusion', false],
      ['checkpoint', false],
    ])
    const again = await payer.call('model.chat', { prompt: 'Once' }, key)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.headers.receipt).toBeUndefined()
  })

  test('a chat completion has the header too, but neither its replay nor a stream', async () => {
    const send = (key: string, stream: boolean) =>
      gateway.send(
        'POST',
        '/v1/chat/completions',
        { authorization: `Bearer ${payer.apiKey}`, 'idempotency-key': key, 'content-type': 'application/json' },
        JSON.stringify({
          model: 'model_provider_a/local-small',
          messages: [{ role: 'user', content: 'Hello' }],
          stream,
        }),
      )
    const key = payer.newKey()
    const first = await send(key, false)
    expect(first.status, first.text).toBe(200)
    expect(payloadOf(String(first.headers.receipt))).toMatchObject({ state: 'settled', chargeId: idOf(first) })
    for (const other of [await send(key, false), await send(payer.newKey(), true)]) {
      expect([other.status, other.headers.receipt]).toEqual([200, undefined])
    }
  })

  test('the tree grows by appending: a kept checkpoint stays the beginning', async () => {
    await included(`/v1/console/usage/${idOf(await chat())}/receipt.jws`)
    const old = await checkpoint()
    const { size } = openNote(old, (await jwks()).keys[0].x)
    const path = `/v1/console/usage/${idOf(await chat())}/receipt.jws`
    await included(path)
    const jws = await included(`${path}?since=${size}`)
    const keys = await jwks()
    expect(await verifyReceipt(jws, { jwks: keys, since: old })).toMatchObject({ ok: true })
    const { consistency, checkpoint: newer } = payloadOf(jws)
    expect(consistency.size).toBe(size)
    expect(await verifyConsistency(old, newer, consistency.proof, { jwks: keys })).toMatchObject({ ok: true })
    expect(await verifyConsistency(newer, old, consistency.proof, { jwks: keys })).toMatchObject({ ok: false })
    const without = await included(path)
    expect((await verifyReceipt(without, { jwks: keys, since: old })).steps.at(-1)).toMatchObject({
      ...{ name: 'consistency', ok: false },
      detail: expect.stringContaining('annot tell offline'),
    })
    for (const since of ['999999', 'x', '-1']) {
      expect((await payer.browser.get(`${path}?since=${since}`)).body.error.code).toBe('SINCE_INVALID')
    }
  })

  test('a key reads receipts of its own charges only, and none of another project', async () => {
    const chargeId = idOf(await chat())
    const path = `/v1/charges/${chargeId}/receipt.jws`
    const read = (apiKey: string) => gateway.send('GET', path, { authorization: `Bearer ${apiKey}` })
    const own = await read(payer.apiKey)
    expect([own.status, own.headers['content-type']]).toEqual([200, 'application/jose'])
    expect(payloadOf(own.text).chargeId).toBe(chargeId)
    const other = await PayingCustomer.join(gateway)
    const { apiKey: sibling } = await payer.browser.createKey(['models:invoke'])
    for (const key of [other.apiKey, sibling]) {
      expect(await read(key)).toMatchObject({ status: 404, body: { error: { code: 'CHARGE_NOT_FOUND' } } })
    }
    const refusals = [
      [`usage/${chargeId}/receipt.jws`, 'CHARGE_NOT_FOUND'],
      ['orders/ord_unknown/receipt.jws', 'ORDER_NOT_FOUND'],
      ['ledger/999/receipt.jws', 'ENTRY_NOT_FOUND'],
      ['ledger/0/receipt.jws', 'ENTRY_NOT_FOUND'],
      ['statements/2026-10.jws', 'STATEMENT_NOT_FOUND'],
      ['statements/2026-08.jws', 'STATEMENT_NOT_FOUND'],
      ['statements/2026-13.jws', 'STATEMENT_NOT_FOUND'],
      ['statements/2026-08.jsonl', 'STATEMENT_NOT_FOUND'],
      ['statements/2026-10', 'STATEMENT_NOT_FOUND'],
      ['statements/2026-08', 'STATEMENT_NOT_FOUND'],
      ['statements/2026-13', 'STATEMENT_NOT_FOUND'],
      ['statements/september', 'STATEMENT_NOT_FOUND'],
    ] as const
    for (const [at, code] of refusals) {
      expect([at, (await other.browser.get(`/v1/console/${at}`)).body.error.code]).toEqual([at, code])
    }
    expect((await gateway.send('GET', '/key/openapi.json')).body.paths).toHaveProperty(
      '/v1/charges/{chargeId}/receipt.jws',
    )
  })

  test('a key that may not read the balance gets receipts without it, which can be verified', async () => {
    const { apiKey, keyId } = await payer.browser.createKey(['models:invoke'])
    expect((await payer.browser.post(`/v1/console/keys/${keyId}/update`, { showsBalance: false })).status).toBe(200)
    const response = await gateway.call(apiKey, '/v1/models/chat', payer.newKey(), { prompt: 'Hello' })
    const chargeId = idOf(response)
    const path = `/v1/charges/${chargeId}/receipt.jws`
    const shown = payloadOf(await included(`/v1/console/usage/${chargeId}/receipt.jws`))
    const jws = (await gateway.send('GET', path, { authorization: `Bearer ${apiKey}` })).text
    for (const { entries } of [payloadOf(jws), payloadOf(String(response.headers.receipt))]) {
      expect(entries.map((entry: object) => Object.keys(entry).sort())).toEqual(
        entries.map(() => ['index', 'kind', 'leaf', 'proof', 'seq']),
      )
    }
    expect(shown.entries[0].entry.available).toEqual(expect.any(Number))
    expect(await verifyReceipt(jws, { jwks: await jwks() })).toMatchObject({ ok: true })
  })

  test('an order and its ledger entry have the same receipt', async () => {
    const { items } = (await payer.browser.get('/v1/console/orders')).body
    const order = payloadOf(await included(`/v1/console/orders/${items[0].orderId}/receipt.jws`))
    expect(order).toMatchObject({ type: 'order', orderId: items[0].orderId, state: 'credited', credits: 10_000 })
    const jws = await included('/v1/console/ledger/1/receipt.jws')
    expect(payloadOf(jws).orderId).toBe(order.orderId)
    expect(await verifyReceipt(jws, { jwks: await jwks() })).toMatchObject({ ok: true })
  })

  test('the statement of a month adds up, and its entries give its digest', async () => {
    await included(`/v1/console/usage/${idOf(await chat())}/receipt.jws`)
    const jws = (await payer.browser.get('/v1/console/statements/2026-09.jws?since=0')).text
    const entries = (await payer.browser.get('/v1/console/statements/2026-09.jsonl')).text
    const keys = await jwks()
    const verified = await verifyStatement(jws, { jwks: keys, entries })
    expect(verified.steps.filter(({ ok }) => !ok)).toEqual([])
    const { available, reserved } = await payer.credits()
    const lines = entries.trim().split('\n')
    expect(payloadOf(jws)).toMatchObject({
      ...{
        type: 'statement',
        month: '2026-09',
        opening: { available: 0, reserved: 0 },
        closing: { available, reserved },
      },
      ...{ count: lines.length, firstSeq: 1, lastSeq: lines.length, consistency: { size: 0, proof: [] } },
    })
    const { body: shown } = await payer.browser.get('/v1/console/statements/2026-09')
    const { opening, closing, count, sums } = payloadOf(jws)
    expect(shown).toMatchObject({ opening, closing, entries: count, months: ['2026-09'] })
    expect(shown.totals).toMatchObject({ recharged: sums.credit, spent: sums.settle, held: sums.reserve })
    const csv = (await payer.browser.get('/v1/console/ledger.csv?kind=settle&from=2026-09-01&to=2026-09-30')).text
    expect(csv.trim().split('\n').slice(1).length * 3).toBe(shown.totals.spent)
    const less = lines.slice(1).join('\n')
    expect(await verifyStatement(jws, { jwks: keys, entries: less })).toMatchObject({ ok: false })
  })

  test('a receipt that was kept is compared with a newer checkpoint that was seen', async () => {
    const jws = await included(`/v1/console/usage/${idOf(await chat())}/receipt.jws`)
    const { size } = openNote(payloadOf(jws).checkpoint, (await jwks()).keys[0].x)
    await included(`/v1/console/usage/${idOf(await chat())}/receipt.jws`)
    const seen = [await checkpoint()]
    expect(Number(seen[0]!.split('\n')[1])).toBeGreaterThan(size)
    const tiles = async (path: string) => {
      const headers = { host: 'localhost:8787' }
      const { body } = await request(`http://127.0.0.1:${gateway.app.public.port}/transparency/${path}`, { headers })
      return new Uint8Array(await body.arrayBuffer())
    }
    const options = { jwks: await jwks(), seen }
    const checked = await checkDocument(jws, { ...options, tiles })
    expect(checked).toMatchObject({ ok: true, isFirst: false })
    expect(checked.steps.at(-1)).toMatchObject({ name: 'consistency', ok: true })
    const without = await checkDocument(jws, { ...options, tiles: async () => null })
    expect(without).toMatchObject({ ok: false, isFirst: false })
  })

  test('the sample of /verify has the fields of a receipt', async () => {
    const jws = await included(`/v1/console/usage/${idOf(await chat())}/receipt.jws?since=1`)
    const sample = (await gateway.send('GET', '/verify/sample.json')).body
    expect(Object.keys(payloadOf(sample.jws))).toEqual(Object.keys(payloadOf(jws)))
    expect(Object.keys(sample.jwks.keys[0]).sort()).toEqual(Object.keys((await jwks()).keys[0]).sort())
  })

  test('the page that verifies needs no sign-in, and runs the code of the SDK', async () => {
    const page = await gateway.send('GET', '/verify')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const [, path] of page.text.matchAll(/(?:href|src)="(\/verify\/[^"]+)"/g)) {
      expect([path, (await gateway.send('GET', path!)).status]).toEqual([path, 200])
    }
    for (const name of ['history', 'merkle', 'seen', 'signed', 'verify']) {
      const script = await gateway.send('GET', `/verify/${name}.js`)
      expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
      expect(script.text).not.toMatch(/\.ts'|: readonly /)
    }
  })

  test('keys and checkpoint are public, for a few seconds; tiles for good', async () => {
    const keys = await gateway.send('GET', '/.well-known/jwks.json')
    expect(keys.headers['access-control-allow-origin']).toBe('*')
    expect(keys.body.keys).toEqual([
      {
        ...{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' },
        ...{ x: expect.any(String), kid: expect.any(String), iat: Math.floor(clock.now / 1000) },
      },
    ])
    const { size } = openNote(await checkpoint(), keys.body.keys[0].x)
    const tile = await gateway.send('GET', `/transparency/tile/0/000.p/${size}`)
    expect([tile.status, tile.headers['content-type'], tile.headers['cache-control']]).toEqual([
      ...[200, 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ])
    for (const path of [`0/000.p/${size + 1}`, '0/000', '0/001', '0/x000/000', '0/0', '64/000', '0/000.p/256', 'x']) {
      expect([path, (await gateway.send('GET', `/transparency/tile/${path}`)).status]).toEqual([path, 404])
    }
  })
})
