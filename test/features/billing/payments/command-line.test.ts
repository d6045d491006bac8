import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { verifyReceipt } from '../../../../sdk/src/index.ts'
import { dayOf, dayText } from '../../../../src/base/time.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { type RunOptions, runCommand } from '../../../../testkit/gateway/run-command.ts'
import { pemPair } from '../../../../testkit/payments/keys.ts'
import { engines, openDatabase } from '../../../../testkit/store/engines.ts'

describe.each(engines)('payments on the command line, on %s', (engine) => {
  let gateway: Gateway
  let payer: Browser
  beforeAll(async () => {
    gateway = await startGateway({ engine, file: { operators: { approvalAboveCredits: 100 } } })
    payer = new Browser(gateway)
    await payer.register()
  })
  afterAll(() => gateway.stop())

  let keys = 0
  async function pay(amountFen: number): Promise<string> {
    keys += 1
    const key = { 'idempotency-key': `key ${keys}` }
    const { body } = await payer.post('/v1/console/payments', { amountFen, method: 'simulated' }, key)
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    await gateway.send('POST', new URL(body.qrText).pathname, form, 'action=pay')
    const state = async () => (await payer.get(`/v1/console/payments/${body.paymentId}`)).body.state
    await expect.poll(state).toBe('paid')
    return body.paymentId
  }
  const runAny = async (argv: string[], options?: RunOptions) => {
    const { exitCode, stdout, stderr } = await runCommand(gateway.database, [...argv, '--json'], options)
    return { exitCode, json: stdout ? JSON.parse(stdout) : stderr }
  }
  const run = (...argv: string[]) => runAny(['payments', ...argv])
  const because = ['--reason', 'asked for it', '--by', 'Ana']
  const credits = async () => (await payer.get('/v1/me')).body.credits

  it('a refund takes credits back once, and never more than are available', async () => {
    const paymentId = await pay(2000)
    expect(await credits()).toEqual({ available: 200, reserved: 0 })
    const first = await run('refund', paymentId, '500', '--reference', 'ticket 1', ...because)
    expect(first).toMatchObject({
      exitCode: 0,
      json: { paymentId, amountFen: 500, credits: 50, reference: 'ticket 1', state: 'refunded', replayed: false },
    })
    const again = await run('refund', paymentId, '500', '--reference', 'ticket 1', ...because)
    expect(again).toEqual({ exitCode: 0, json: { ...first.json, replayed: true } })
    expect(await credits()).toEqual({ available: 150, reserved: 0 })
    for (const [fen, code] of [
      ['505', 'REFUND_AMOUNT_INVALID'],
      ['1600', 'REFUND_AMOUNT_INVALID'],
    ] as const)
      expect(await run('refund', paymentId, fen, '--reference', fen, ...because)).toMatchObject({
        exitCode: 1,
        json: { error: { code } },
      })
    const { items } = (await payer.get('/v1/console/ledger')).body
    expect(
      items.slice(0, 2).map(({ kind, reference }: { kind: string; reference: string }) => [kind, reference]),
    ).toEqual([
      ['withdraw', first.json.refundId],
      ['reserve', first.json.refundId],
    ])
    // The receipt of the order shows the refund too.
    const jwks = (await gateway.send('GET', '/.well-known/jwks.json')).body
    const { steps, payload } = await vi.waitFor(async () => {
      const jws = (await payer.get(`/v1/console/ledger/${items[0].seq}/receipt.jws`)).text
      const verified = await verifyReceipt(jws, { jwks })
      expect(verified.payload!.status).toBe('included')
      return verified
    }, 10_000)
    expect(steps.filter(({ ok }) => !ok)).toEqual([])
    expect(payload).toMatchObject({ type: 'order', credits: 200, entries: [{}, {}, {}] })
  })

  it('what is not available is not refunded, and the provider is not asked', async () => {
    const paymentId = await pay(1000)
    const { available } = await credits()
    const { projectId } = (await payer.get('/v1/me')).body.project
    const taken = ['credits', 'withdraw', projectId, String(available - 10), '--reference', 'x', ...because]
    await runCommand(gateway.database, taken)
    expect(await run('refund', paymentId, '1000', '--reference', 'ticket 2', ...because)).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'INSUFFICIENT_CREDITS' } },
    })
    expect(await credits()).toEqual({ available: 10, reserved: 0 })
  })

  it('a refund in review is found and ended, by two operators above the limit', async () => {
    const paymentId = await pay(3000)
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    const toggle = () => gateway.send('POST', `/simulated-pay/${paymentId}`, form, 'lie=refund_unclear')
    const before = await credits()
    // With the limit of the gateway, which carries it out.
    const environment = { GATEWAY_CONFIG: join(gateway.database.dataDir, 'config.json') }
    const limited = (...argv: string[]) => runAny(argv, { environment })
    const approve = async () => {
      const { id } = (await limited('approvals', 'list')).json.items[0]
      return limited('approvals', 'approve', id, '--by', 'Bea')
    }
    await toggle()
    const large = await limited('payments', 'refund', paymentId, '2000', '--reference', 'large', ...because)
    expect(large).toMatchObject({ exitCode: 0, json: { state: 'pending' } })
    const { refundId } = large.json
    await approve()
    const state = async () => (await run('show', paymentId)).json.refunds[0].state
    await expect.poll(state, { timeout: 10_000 }).toBe('review')
    await toggle()
    expect((await run('list', '--refunds-in-review')).json.items).toMatchObject([{ paymentId }])
    expect(await limited('payments', 'refund-done', refundId, ...because)).toMatchObject({
      exitCode: 0,
      json: { refundId, paymentId, credits: 200, state: 'review', approvalId: expect.any(String) },
    })
    expect(await credits()).toEqual({ available: before.available - 200, reserved: 200 })
    expect((await approve()).exitCode).toBe(0)
    expect(await credits()).toEqual({ available: before.available - 200, reserved: 0 })
    for (const [id, code] of [
      [refundId, 'REFUND_NOT_IN_REVIEW'],
      ['rfd_00000000000000000000', 'REFUND_NOT_FOUND'],
    ])
      expect(await run('refund-failed', id, ...because)).toMatchObject({ exitCode: 1, json: { error: { code } } })
    expect((await run('list', '--refunds-in-review')).json.items).toEqual([])
  })

  it('a bill that cannot be read has an exit code of its own, and the other methods are compared', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { privateKey, publicKey } = pemPair()
    const keys = { privateKeyEnv: 'TEST_ALIPAY_KEY', publicKeyEnv: 'TEST_ALIPAY_PUBLIC' }
    const gatewayUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/gateway.do`
    const alipay = { gatewayUrl, appId: '2021000000000001', sellerId: '2088000000000001', timeoutMs: 100, ...keys }
    const file = join(gateway.database.dataDir, 'silent.json')
    await writeFile(file, JSON.stringify({ payments: { alipay } }))
    const environment = { GATEWAY_CONFIG: file, TEST_ALIPAY_KEY: privateKey, TEST_ALIPAY_PUBLIC: publicKey }
    const compare = ['payments', 'compare', '--date', '2026-01-31']
    expect(await runAny(compare, { environment })).toMatchObject({
      exitCode: 3,
      json: {
        date: '2026-01-31',
        methods: [{ method: 'simulated', bill: 'none' }],
        unavailable: [{ method: 'alipay', reason: expect.stringContaining('gave no response') }],
      },
    })
    const shown = await runCommand(gateway.database, [...compare, '--method', 'alipay'], { environment })
    expect(shown).toMatchObject({ exitCode: 3, stdout: '' })
    expect(shown.stderr).toContain('The bill of alipay cannot be read: ')
    silent.closeAllConnections()
    silent.close()
  })

  it('the command line lists, shows and compares payments, and the books are right', async () => {
    const paymentId = await pay(300)
    expect((await run('list', '--state', 'paid')).json.items[0].paymentId).toBe(paymentId)
    expect((await run('show', paymentId)).json).toMatchObject({ paymentId, state: 'paid', refunds: [] })
    const date = dayText(dayOf(Date.now()))
    // The simulated provider never paid the refund in review back.
    const compared = await run('compare', '--date', date)
    expect(compared).toMatchObject({
      exitCode: 1,
      json: {
        date,
        methods: [
          {
            method: 'simulated',
            bill: 'read',
            payments: 4,
            amountFen: 6300,
            differences: [{ kind: 'refund_not_there' }],
          },
        ],
      },
    })
    const { differenceId } = compared.json.methods[0].differences[0]
    const settle = (id: string) => run('settle', id, '--date', date, '--method', 'simulated', ...because)
    expect(await settle(differenceId)).toMatchObject({
      exitCode: 0,
      json: { date, difference: { differenceId, outcome: 'settled', settled: { by: 'Ana' } }, openCount: 0 },
    })
    for (const [id, code] of [
      [differenceId, 'DIFFERENCE_NOT_OPEN'],
      ['dif_nobody', 'DIFFERENCE_NOT_FOUND'],
    ])
      expect(await settle(id)).toMatchObject({ exitCode: 1, json: { error: { code } } })
    expect(await run('compare', '--date', date)).toMatchObject({
      exitCode: 0,
      json: { methods: [{ differences: [{ differenceId, outcome: 'settled' }] }] },
    })
    const store = await openDatabase(gateway.database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
  })

  it('a payment in review is ended by its command, above the limit by two operators', async () => {
    keys += 1
    const key = { 'idempotency-key': `key ${keys}` }
    const { body } = await payer.post('/v1/console/payments', { amountFen: 2000, method: 'simulated' }, key)
    const { paymentId } = body
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    await gateway.send('POST', new URL(body.qrText).pathname, form, 'action=pay_other')
    const shown = async () => (await run('show', paymentId)).json
    await expect.poll(async () => (await shown()).state).toBe('review')
    expect((await run('end', paymentId, '--credit', '--refund', ...because)).exitCode).toBe(2)
    expect(await run('end', paymentId, ...because)).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'PAYMENT_OUTCOME_INVALID' } },
    })
    const environment = { GATEWAY_CONFIG: join(gateway.database.dataDir, 'config.json') }
    const waiting = await runAny(['payments', 'end', paymentId, '--refund', ...because], { environment })
    expect(waiting).toMatchObject({ exitCode: 0, json: { state: 'review', approvalId: expect.any(String) } })
    const approve = ['approvals', 'approve', waiting.json.approvalId, '--by', 'Bea']
    expect((await runAny(approve, { environment })).exitCode).toBe(0)
    await expect.poll(async () => (await shown()).state, { timeout: 10_000 }).toBe('failed')
    expect(await shown()).toMatchObject({ uncredited: [{ amountFen: 2100, state: 'refunded', decidedBy: 'Bea' }] })
  })
})
