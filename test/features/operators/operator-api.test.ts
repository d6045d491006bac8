import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorOperations } from '../../../src/app/features.ts'
import { Browser } from '../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../../testkit/gateway/gateway.ts'
import { mediaFile } from '../../../testkit/gateway/media-customer.ts'
import {
  expectInOperatorContract,
  type OperatorBrowser,
  signedInOperator,
} from '../../../testkit/gateway/operator-browser.ts'
import { type FakeMediaProvider, startMediaProvider } from '../../../testkit/providers/media-provider.ts'
import { behaves, startUpstream, type Upstream } from '../../../testkit/providers/upstream.ts'
import { httpEngines } from '../../../testkit/store/engines.ts'

const tests = join(import.meta.dirname, '..')
const reason = 'because of a test'

describe.each(httpEngines)("the operator's API on %s", (engine) => {
  let gateway: Gateway
  let upstream: Upstream
  let mediaProvider: FakeMediaProvider
  let payer: Browser
  let admin: OperatorBrowser
  let apiKey: string
  let keyId: string
  let accountId: string
  let projectId: string
  /** Operations that were answered with success. */
  const succeeded = new Set<string>()

  beforeAll(async () => {
    upstream = await startUpstream(behaves.reset())
    mediaProvider = await startMediaProvider()
    const uncertain = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-name' } }
    gateway = await startGateway({
      engine,
      file: {
        models: { providers: { model_provider_b: uncertain } },
        ...mediaFile(mediaProvider),
        operators: { approvalAboveCredits: 1000 },
        limits: { sessionWritesPerProject: { max: 10_000, windowSeconds: 60 } },
      },
    })
    payer = new Browser(gateway)
    const registered = (await payer.register()).body
    accountId = registered.account.accountId
    projectId = (await payer.get('/v1/me')).body.project.projectId
    await payer.recharge(10_000)
    const key = await payer.createKey(['models:invoke', 'shopping:search', 'pick:read', 'pick:link', 'media:run'])
    apiKey = key.apiKey
    keyId = key.keyId
    admin = await signedInOperator(gateway, 'admin', 'admin')
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.close()
    await mediaProvider.close()
  })

  const pathOf = (id: string, parameters: Record<string, string>, query = '') => {
    const operation = operatorOperations.find((one) => one.id === id)!
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name]!))
    return { method: operation.method, path: `${path}${query && `?${query}`}` }
  }
  /** Sends an operation and holds its response against the contract. */
  async function ask(
    id: string,
    {
      at = {},
      body,
      query,
      as = admin,
    }: { at?: Record<string, string>; body?: object; query?: string; as?: OperatorBrowser } = {},
  ) {
    const { method, path } = pathOf(id, at, query)
    const response = method === 'GET' ? await as.get(path) : await as.post(path, body ?? {})
    expectInOperatorContract(id, response)
    if (response.status < 300) succeeded.add(id)
    return response
  }
  const chat = (idempotencyKey: string, provider = 'model_provider_a') =>
    gateway.call(apiKey, '/v1/models/chat', idempotencyKey, { provider, prompt: 'hello' })

  test('the overview counts calls and credits, and responds 304 to a client that has it', async () => {
    expect((await chat('counted')).status).toBe(200)
    expect((await gateway.call(apiKey, '/v1/models/chat', 'bad', { prompt: '' })).status).toBe(400)
    const read = async () => (await ask('operator.overview')).body
    await expect
      .poll(async () => (await read()).instance.operations)
      .toMatchObject([
        {
          operation: 'model.chat',
          calls: 2,
          failed: 0,
          rejected: 1,
          credits: 3,
          latency: { p50Ms: expect.any(Number) },
        },
      ])
    const overview = await read()
    expect(overview.instance.codes).toEqual([{ code: 'INVALID_PROMPT', calls: 1 }])
    expect(overview.instance.minutes.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(2)
    expect(overview.instances).toMatchObject([{ isThis: true, isLive: true }])
    const { bought, granted, withdrawn, spent, reserved, available } = overview.credits
    expect(bought + granted - withdrawn).toBe(spent + reserved + available)
    expect(bought).toBe(1000)
    const first = await admin.get('/api/overview')
    const second = await admin.get('/api/overview', { 'if-none-match': String(first.headers.etag) })
    expect([200, 304]).toContain(second.status)
    await expect
      .poll(async () => {
        const { etag } = (await admin.get('/api/overview')).headers
        return (await admin.get('/api/overview', { 'if-none-match': String(etag) })).status
      })
      .toBe(304)
  })

  test('an account is found by phone, email, id and key, and shown with all that belongs to it', async () => {
    const phone = gateway.messages[0]!.phone
    for (const query of [
      { phone },
      { email: 'li@example.com' },
      { id: accountId },
      { id: projectId },
      { keyPrefix: apiKey },
    ]) {
      const { items } = (await ask('operator.accounts.find', { body: query })).body
      expect(items).toMatchObject([{ accountId, projectId, state: 'active' }])
    }
    expect((await ask('operator.find', { body: { q: phone } })).body.items).toMatchObject([{ accountId, projectId }])
    expect((await ask('operator.accounts.find', { body: {} })).body.error.code).toBe('QUERY_INVALID')
    expect((await ask('operator.accounts.show', { at: { accountId } })).body).toMatchObject({
      accountId,
      balance: { credited: 1000, settled: 3 },
      keys: [{ keyId }],
    })
    const kinds = (await ask('operator.accounts.ledger', { at: { accountId } })).body.items.map(
      ({ kind }: { kind: string }) => kind,
    )
    expect(kinds).toEqual(['settle', 'reserve', 'credit'])
    expect((await ask('operator.accounts.orders', { at: { accountId } })).body.items).toHaveLength(1)
    expect((await ask('operator.accounts.charges', { at: { accountId } })).body.items).toHaveLength(1)
    expect((await ask('operator.accounts.sign_ins', { at: { accountId } })).body.items).toHaveLength(1)
    const unknown = await ask('operator.accounts.show', { at: { accountId: 'acc_nobody' } })
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'ACCOUNT_NOT_FOUND' } } })
  })

  test('accounts are listed by age, by what they spent, and those that are suspended', async () => {
    const listed = async (query = '') =>
      (await ask('operator.accounts.list', { query })).body.items.map((item: { accountId: string }) => item.accountId)
    const other = new Browser(gateway)
    const { account } = (await other.register()).body
    expect((await listed()).slice(0, 2)).toEqual([account.accountId, accountId])
    expect(await listed('order=newest&limit=1')).toEqual([account.accountId])
    expect(await listed('order=suspended')).toEqual([])
    await ask('operator.accounts.suspend', { at: { accountId: account.accountId }, body: { reason } })
    expect(await listed('order=suspended')).toEqual([account.accountId])
    expect((await ask('operator.accounts.list', { query: 'order=spending' })).status).toBe(200)
    expect((await ask('operator.accounts.list', { query: 'order=oldest' })).status).toBe(400)
  })

  test('payments are listed, refunded once, with approval above the limit, and compared with the bill', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    const key = { 'idempotency-key': 'paid' }
    const created = await payer.post('/v1/console/payments', { amountFen: 20_000, method: 'simulated' }, key)
    const { paymentId } = created.body
    const at = { paymentId }
    expect((await ask('operator.payments.list', { query: 'state=waiting' })).body.items).toMatchObject([{ paymentId }])
    const early = await ask('operator.payments.refund', { at, body: { amountFen: 100, reference: 'early', reason } })
    expect(early).toMatchObject({ status: 404, body: { error: { code: 'PAYMENT_NOT_FOUND' } } })
    await gateway.send('POST', new URL(created.body.qrText).pathname, form, 'action=pay')
    const shown = async () => (await ask('operator.payments.show', { at })).body
    await expect.poll(async () => (await shown()).state).toBe('paid')
    expect((await ask('operator.payments.list', { query: 'state=paid' })).body).toMatchObject({
      items: [{ paymentId, projectId, amountFen: 20_000, note: null }],
      nextAfter: null,
    })

    const refund = (amountFen: number, reference: string) =>
      ask('operator.payments.refund', { at, body: { amountFen, reference, reason } })
    expect((await refund(1500, 'r 1')).body).toMatchObject({ state: 'refunded', credits: 150, replayed: false })
    expect((await refund(1500, 'r 1')).body).toMatchObject({ state: 'refunded', replayed: true })
    for (const [amountFen, reference, code] of [
      [1600, 'r 1', 'REFERENCE_ALREADY_USED'],
      [105, 'r 2', 'REFUND_AMOUNT_INVALID'],
      [18_600, 'r 2', 'REFUND_AMOUNT_INVALID'],
      ['100', 'r 2', 'REFUND_AMOUNT_INVALID'],
    ] as const)
      expect((await refund(amountFen as number, reference)).body.error.code).toBe(code)
    // With the refund before, more than 1,000 credits in 24 hours.
    const waiting = await refund(9000, 'r 3')
    expect(waiting).toMatchObject({ status: 202, body: { state: 'pending', approvalId: expect.any(String) } })
    const { approvalId } = waiting.body
    expect((await ask('operator.approvals.list', { query: 'state=pending' })).body.items).toMatchObject([
      { id: approvalId, paymentId, amountFen: 9000, reference: 'r 3' },
    ])
    expect(await shown()).toMatchObject({ approvalId })
    expect((await ask('operator.approvals.approve', { at: { approvalId } })).body.error.code).toBe(
      'APPROVAL_OWN_REQUEST',
    )
    await ask('operator.approvals.reject', { at: { approvalId } })
    expect((await shown()).refunds.map(({ state }: { state: string }) => state)).toEqual(['refunded', 'returned'])

    const lie = (name: string) => gateway.send('POST', new URL(created.body.qrText).pathname, form, `lie=${name}`)
    await lie('refund_unclear')
    const unclear = (await refund(2000, 'r 4')).body
    expect(unclear).toMatchObject({ state: 'review', note: 'ABNORMAL' })
    await lie('refund_unclear')
    const inReview = async () => (await ask('operator.payments.list', { query: 'refunds=review' })).body.items
    expect(await inReview()).toMatchObject([{ paymentId }])
    const decide = (outcome: string, refundId = unclear.refundId) =>
      ask('operator.refunds.decide', { at: { refundId }, body: { outcome, reason } })
    expect((await decide('lost')).body.error.code).toBe('REFUND_OUTCOME_INVALID')
    expect((await decide('returned', 'rfd_nobody')).body.error.code).toBe('REFUND_NOT_FOUND')
    expect(await decide('returned')).toMatchObject({ status: 200, body: { state: 'returned', approvalId: null } })
    expect(await decide('refunded')).toMatchObject({
      status: 409,
      body: { error: { code: 'REFUND_NOT_IN_REVIEW' } },
    })
    expect(await inReview()).toEqual([])

    const date = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const compared = await ask('operator.payment_comparisons.run', { body: { date } })
    expect(compared.body.items).toMatchObject([{ date, method: 'simulated', bill: 'read', payments: 1, openCount: 0 }])
    const list = (await ask('operator.payment_comparisons.list')).body
    expect(list).toMatchObject({ items: compared.body.items, methods: ['simulated'], nextAfter: null })
    expect((await ask('operator.payment_comparisons.list', { query: 'onlyOpen=yes' })).body.items).toEqual([])
    const day = await ask('operator.payment_comparisons.show', { at: { date, method: 'simulated' } })
    expect(day.body).toMatchObject({ items: [], comparison: { date } })
    await lie('bill_missing')
    const run = async () => (await ask('operator.payment_comparisons.run', { body: { date } })).body.items
    expect(await run()).toMatchObject([{ openCount: 1, settledCount: 0 }])
    const ofDay = { date, method: 'simulated' }
    const [missing] = (await ask('operator.payment_comparisons.show', { at: ofDay })).body.items
    expect(missing).toMatchObject({ kind: 'not_there', paymentId, outcome: 'open', settled: null })
    const settle = (differenceId: string) =>
      ask('operator.payment_comparisons.settle', { at: ofDay, body: { differenceId, reason } })
    const settled = {
      ...missing,
      outcome: 'settled',
      settled: { by: expect.any(String), at: expect.any(String), reason },
    }
    expect((await settle(missing.differenceId)).body).toEqual({ difference: settled, openCount: 0 })
    expect((await settle(missing.differenceId)).body.error.code).toBe('DIFFERENCE_NOT_OPEN')
    expect((await settle('dif_1')).body.error.code).toBe('DIFFERENCE_NOT_FOUND')
    expect(await run()).toMatchObject([{ openCount: 0, settledCount: 1 }])
    expect((await ask('operator.payment_comparisons.show', { at: ofDay })).body.items).toEqual([settled])
    await lie('bill_missing')
    for (const [body, code] of [
      [{ date: '2126-01-01' }, 'DATE_INVALID'],
      [{ date: '2026-02-30' }, 'DATE_INVALID'],
      [{ date, method: 'cash' }, 'PAYMENT_METHOD_INVALID'],
    ] as const)
      expect((await ask('operator.payment_comparisons.run', { body })).body.error.code).toBe(code)
    const never = await ask('operator.payment_comparisons.show', { at: { date: '2020-01-01', method: 'simulated' } })
    expect(never.body.error.code).toBe('COMPARISON_NOT_FOUND')
    const unknown = await ask('operator.payments.show', { at: { paymentId: 'pay_nobody' } })
    expect(unknown.body.error.code).toBe('PAYMENT_NOT_FOUND')
  })

  test('a payment with another amount is ended once, and says so until then', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787' }
    const created = await payer.post(
      ...(['/v1/console/payments', { amountFen: 3000, method: 'simulated' }, { 'idempotency-key': 'ended' }] as const),
    )
    const { paymentId, qrText } = created.body
    const at = { paymentId }
    await gateway.send('POST', new URL(qrText).pathname, form, 'action=pay_other')
    const shown = async () => (await ask('operator.payments.show', { at })).body
    await expect.poll(async () => (await shown()).state).toBe('review')
    const open = async () => (await ask('operator.payments.list', { query: 'decision=open' })).body.items
    expect(await open()).toMatchObject([{ paymentId, uncredited: [{ amountFen: 3100, state: 'open' }] }])
    // The overview is at most a second old.
    const overview = async () => (await ask('operator.overview')).body
    await expect.poll(async () => (await overview()).openMoney.paymentsInReview, { timeout: 5000 }).toBe(1)
    expect((await overview()).lastDays).toMatchObject([{ rechargedFen: 0 }, { refundedFen: 0 }])
    const end = (outcome: string) => ask('operator.payments.end', { at, body: { outcome, reason } })
    expect((await end('keep')).body.error.code).toBe('PAYMENT_OUTCOME_INVALID')
    expect(await end('credit')).toMatchObject({
      status: 200,
      body: { paymentId, outcome: 'credit', endedFen: 3100, state: 'paid', amountFen: 3100, approvalId: null },
    })
    expect((await end('refund')).body.error.code).toBe('PAYMENT_NOT_IN_REVIEW')
    expect(await open()).toEqual([])
    await expect.poll(async () => (await overview()).openMoney.paymentsInReview, { timeout: 5000 }).toBe(0)
  })

  test('a suspended account is refused at its next call, and a reinstated one is not', async () => {
    const at = { accountId }
    expect((await ask('operator.accounts.suspend', { at, body: {} })).body.error.code).toBe('REASON_INVALID')
    const suspended = await ask('operator.accounts.suspend', { at, body: { reason } })
    expect(suspended.body).toMatchObject({ state: 'suspended', suspensionReason: reason })
    expect((await chat('suspended')).body.error.code).toBe('UNAUTHORIZED')
    expect((await payer.get('/v1/me')).status).toBe(401)
    expect((await ask('operator.accounts.reinstate', { at, body: { reason } })).body.state).toBe('active')
    expect((await chat('reinstated')).status).toBe(200)
    await ask('operator.accounts.sign_out', { at, body: { reason } })
    const recovery = await ask('operator.accounts.recover', { at, body: { reason } })
    expect(recovery).toMatchObject({ status: 200, body: { accountId, state: 'active' } })
    expect(recovery.body.recovery.link).toMatch(/^http:\/\/localhost:8787\/console\/recover#challenge=gvc_\w+$/)
    const again = await ask('operator.accounts.recover', { at, body: { reason } })
    expect(again).toMatchObject({ status: 503, body: { error: { code: 'RECOVERY_UNAVAILABLE' } } })
  })

  test('credits are granted once per reference, and more than the limit waits for a second operator', async () => {
    const body = { projectId, credits: 300, reference: 'transfer 1', reason }
    expect((await ask('operator.credits.grant', { body })).body).toMatchObject({ credits: 300, replayed: false })
    expect((await ask('operator.credits.grant', { body })).body).toMatchObject({ credits: 300, replayed: true })
    expect((await ask('operator.credits.grant', { body: { ...body, credits: 400 } })).body.error.code).toBe(
      'REFERENCE_ALREADY_USED',
    )
    for (const credits of [0, 1.5, -1, '5']) {
      const refused = await ask('operator.credits.grant', { body: { ...body, credits } })
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'CREDITS_INVALID' } } })
    }
    const withdrawn = await ask('operator.credits.withdraw', { body: { ...body, credits: 100 } })
    expect(withdrawn.body).toMatchObject({ credits: 100 })
    const second = await signedInOperator(gateway, 'second', 'treasurer')
    const asked = await ask('operator.credits.grant', { body: { ...body, credits: 5000, reference: 'transfer 2' } })
    expect(asked).toMatchObject({ status: 202, body: { approval: { state: 'pending' } } })
    const { id: approvalId } = asked.body.approval
    expect((await ask('operator.approvals.list', { query: 'state=pending' })).body.items).toMatchObject([
      { id: approvalId, requestedBy: 'admin', credits: 5000 },
    ])
    const own = await ask('operator.approvals.approve', { at: { approvalId } })
    expect(own).toMatchObject({ status: 403, body: { error: { code: 'APPROVAL_OWN_REQUEST' } } })
    const approved = await ask('operator.approvals.approve', { at: { approvalId }, as: second })
    expect(approved.body).toMatchObject({ approval: { state: 'approved' }, credits: 5000 })
    const again = await ask('operator.approvals.reject', { at: { approvalId } })
    expect(again.body.error.message).toContain('by second')
    const third = await ask('operator.credits.withdraw', { body: { ...body, credits: 1001, reference: 'refund' } })
    await ask('operator.approvals.reject', { at: { approvalId: third.body.approval.id } })
  })

  test('of two operators who decide a review at once one wins, and the other learns who did', async () => {
    const held = await Promise.all(['r1', 'r2', 'r3'].map((key) => chat(key, 'model_provider_b')))
    const ids: string[] = held.map(({ body }) => body.chargeId)
    const listed = (await ask('operator.reviews.list')).body.items
    expect(listed.map(({ chargeId }: { chargeId: string }) => chargeId).sort()).toEqual([...ids].sort())
    const ofProvider = async (name: string) =>
      (await ask('operator.reviews.list', { query: `provider=${name}` })).body.items.length
    expect([await ofProvider('model_provider_b'), await ofProvider('model_provider_a')]).toEqual([3, 0])
    expect(listed[0].provider).toBe('model_provider_b')
    const other = await signedInOperator(gateway, 'other', 'support')
    const [mine, theirs] = await Promise.all([
      ask('operator.reviews.decide', { body: { chargeIds: ids, decision: 'settled', reason } }),
      ask('operator.reviews.decide', { body: { chargeIds: ids, decision: 'released', reason }, as: other }),
    ])
    for (const [index, chargeId] of ids.entries()) {
      const [a, b] = [mine.body.items[index], theirs.body.items[index]]
      expect([a.chargeId, b.chargeId]).toEqual([chargeId, chargeId])
      const [winner, loser] = a.error === null ? ['admin', b] : ['other', a]
      expect(a.error === null ? a : b).toMatchObject({ credits: 3, decidedAt: expect.stringMatching(/Z$/) })
      expect([a.error, b.error].filter((error) => error === null)).toHaveLength(1)
      expect(loser).toMatchObject({ decision: null, decidedAt: null, credits: null, error: { code: 'NOT_IN_REVIEW' } })
      expect(loser.error.message).toContain(`decided by ${winner}`)
      const first = winner === 'admin' ? 'settled' : 'released'
      expect(loser.earlier).toMatchObject({ by: expect.stringContaining(winner!), decision: first, reason })
    }
    const wrong = await ask('operator.reviews.decide', { body: { chargeIds: [], decision: 'settled', reason } })
    expect(wrong.body.error.code).toBe('CHARGES_INVALID')
    const nothing = await ask('operator.reviews.decide', {
      body: { chargeIds: ['chg_nothing'], decision: 'settled', reason },
    })
    expect(nothing.body.items).toMatchObject([{ error: { code: 'CHARGE_NOT_FOUND' } }])
  })

  test('a provider that is out of service is not called and costs nothing', async () => {
    const credits = async () => (await ask('operator.accounts.show', { at: { accountId } })).body.balance
    const before = await credits()
    const at = { kind: 'model', name: 'model_provider_b' }
    const out = await ask('operator.providers.take_out', { at, body: { reason } })
    expect(out.body).toMatchObject({ state: 'out_of_service', changedBy: 'admin' })
    const calls = upstream.calls.length
    expect((await chat('out', 'model_provider_b')).body.error.code).toBe('PROVIDER_DISABLED')
    expect((await chat('other provider')).status).toBe(200)
    expect(upstream.calls).toHaveLength(calls)
    expect(await credits()).toMatchObject({ reserved: before.reserved, available: before.available - 3 })
    expect((await ask('operator.providers.put_back', { at, body: { reason } })).body.state).toBe('in_service')
    expect((await chat('back', 'model_provider_b')).status).toBe(202)
    const listed = (await ask('operator.providers.list')).body.items
    expect(listed.find(({ name }: { name: string }) => name === 'model_provider_b')).toMatchObject({
      adapter: 'openai',
      breaker: expect.any(String),
      outcomes: { uncertain: 4 },
    })
    // The last day counts the same calls; being out of service is not a failure.
    const day = (await ask('operator.providers.day')).body.items
    expect(day.find(({ name }: { name: string }) => name === 'model_provider_b')).toMatchObject({
      ...{ kind: 'model', calls: 4, confirmed: 0, rejected: 0, failed: 0, uncertain: 4 },
      latency: { p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
    })
    const unknown = await ask('operator.providers.take_out', {
      at: { kind: 'shop', name: 'unknown' },
      body: { reason },
    })
    expect(unknown.body.error.code).toBe('PROVIDER_NOT_FOUND')
  })

  test('a shop that is out of service is left out of a search, and all of them refuse it', async () => {
    const search = (key: string) => gateway.call(apiKey, '/v1/shopping/search', key, { query: 'tea' })
    expect((await search('all shops')).status).toBe(200)
    const shops = (await ask('operator.providers.list')).body.items.filter(
      ({ kind }: { kind: string }) => kind === 'shop',
    )
    for (const { kind, name } of shops)
      await ask('operator.providers.take_out', { at: { kind, name }, body: { reason } })
    // Not even from the cache.
    expect((await search('no shop')).body.error.code).toBe('PROVIDER_DISABLED')
    for (const { kind, name } of shops)
      await ask('operator.providers.put_back', { at: { kind, name }, body: { reason } })
    expect((await search('all again')).status).toBe(200)
  })

  test('a reconciliation runs in the background, one at a time, and its result is kept', async () => {
    const starts = await Promise.all([ask('operator.reconcile.start'), ask('operator.reconcile.start')])
    expect(starts.map(({ status }) => status).sort()).toEqual([202, 409])
    const { runId } = starts.find(({ status }) => status === 202)!.body
    const show = async () => (await ask('operator.reconcile.show', { at: { runId } })).body
    await expect.poll(async () => (await show()).state, { timeout: 20_000 }).toBe('sound')
    expect(await show()).toMatchObject({ startedBy: 'admin', differenceCount: 0, size: { projects: 2 } })
    expect((await ask('operator.reconcile.list')).body.items).toMatchObject([{ runId, state: 'sound' }])
    const unknown = await ask('operator.reconcile.show', { at: { runId: 'run_nothing' } })
    expect(unknown.body.error.code).toBe('RECONCILE_RUN_NOT_FOUND')
  })

  test('settings show no secret, and doctor says what it finds', async () => {
    const settings = await ask('operator.settings')
    const settingOf = (key: string) => settings.body.items.find((item: { key: string }) => item.key === key).value
    expect(settingOf('GATEWAY_SECRET')).toBe('set')
    expect(settingOf('operators.approvalAboveCredits')).toBe(1000)
    expect(settings.text).not.toContain('the secret of the tests')
    if (engine === 'postgres') expect(settingOf('DATABASE_URL')).not.toContain('@')
    const { findings } = (await ask('operator.doctor')).body
    expect(findings.find(({ check }: { check: string }) => check === 'store')).toMatchObject({ level: 'ok' })
    const chinese = (await ask('operator.doctor', { query: 'language=zh' })).body.findings
    expect(chinese.map(({ level }: { level: string }) => level)).toEqual(
      findings.map(({ level }: { level: string }) => level),
    )
    for (const { check, what, remedy } of chinese)
      for (const said of [check, what, ...(remedy === null ? [] : [remedy])]) expect(said).toMatch(/\p{Script=Han}/u)
  })

  test('an administrator adds, resets and disables operators', async () => {
    const added = await ask('operator.operators.add', { body: { name: 'new', role: 'viewer', reason } })
    expect(added.body).toMatchObject({ name: 'new', role: 'viewer', totpUri: expect.stringMatching(/^otpauth:/) })
    const twice = await ask('operator.operators.add', { body: { name: 'NEW', role: 'viewer', reason } })
    expect(twice.body.error.code).toBe('OPERATOR_ALREADY_EXISTS')
    expect((await ask('operator.operators.reset', { at: { name: 'new' }, body: { reason } })).status).toBe(200)
    const disabled = await ask('operator.operators.disable', { at: { name: 'new' }, body: { reason } })
    expect(disabled.body).toMatchObject({ name: 'new', state: 'disabled' })
    expect((await ask('operator.operators.list')).body.items).toContainEqual(disabled.body)
    const unknown = await ask('operator.operators.disable', { at: { name: 'unknown' }, body: { reason } })
    expect(unknown.body.error.code).toBe('OPERATOR_NOT_FOUND')
  })

  test('the overview counts a media job among the calls, and its credits once it is settled', async () => {
    const created = await gateway.call(apiKey, '/v1/media/jobs', 'a video', { prompt: 'a lake', seconds: 4 })
    expect(created.status).toBe(202)
    const jobs = async () =>
      (await ask('operator.overview')).body.instance.operations.filter(
        ({ operation }: { operation: string }) => operation === 'media.video',
      )
    await expect
      .poll(jobs, { timeout: 20_000 })
      .toMatchObject([{ calls: 1, failed: 0, credits: created.body.reservedCredits }])
  })

  test('a key is revoked from its next call on', async () => {
    expect((await ask('operator.keys.revoke', { at: { keyId }, body: { reason } })).body.revokedAt).toBeTruthy()
    expect((await chat('revoked')).body.error.code).toBe('UNAUTHORIZED')
    const unknown = await ask('operator.keys.revoke', { at: { keyId: 'key_nothing' }, body: { reason } })
    expect(unknown.body.error.code).toBe('KEY_NOT_FOUND')
  })

  test('the audit log has every action, page by page, filtered, and as CSV', async () => {
    const granted = (await ask('operator.audit.list', { query: `object=${projectId}&action=credits.grant` })).body.items
    expect(granted).toMatchObject([
      { by: 'admin', via: 'web', action: 'credits.grant', object: projectId, reason, before: {}, after: {} },
    ])
    const all: string[] = []
    for (let query = 'limit=7&order=oldest'; query !== ''; ) {
      const { items, nextAfter } = (await ask('operator.audit.list', { query })).body
      all.push(...items.map(({ id }: { id: string }) => id))
      query = nextAfter === null ? '' : `limit=7&order=oldest&after=${nextAfter}`
    }
    expect(new Set(all).size).toBe(all.length)
    const csv = await ask('operator.audit.csv')
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(all.length + 1)
    expect((await ask('operator.audit.csv', { query: 'by=unknown' })).text.trimEnd().split('\r\n')).toHaveLength(1)
    const wrong = await ask('operator.audit.list', { query: 'limit=0' })
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'REQUEST_TARGET_INVALID' } } })
  })

  test('what needs no sign-in conforms too', async () => {
    for (const id of ['operator.healthz', 'operator.readyz', 'operator.metrics', 'operator.openapi', 'operator.me']) {
      expect((await ask(id)).status).toBe(200)
    }
  })

  test('every operation was answered with success', () => {
    const proved = succeeded.union(provedElsewhere())
    expect(operatorOperations.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([])
  })
})

/** What other tests expect to succeed. */
const provedElsewhere = (): Set<string> =>
  new Set(
    globSync('**/*.test.ts', { cwd: tests }).flatMap((file) =>
      [...readFileSync(join(tests, file), 'utf8').matchAll(/expectOperated\('([\w.]+)'/g)].map(([, id]) => id!),
    ),
  )

test('a provider is taken out of service on all instances', async () => {
  const one = await startGateway({ engine: 'postgres' })
  const two = await startGateway({ database: one.database })
  try {
    const payer = new Browser(one)
    await payer.register()
    await payer.recharge(10_000)
    const { apiKey } = await payer.createKey(['models:invoke'])
    const admin = await signedInOperator(one, 'admin', 'admin')
    let calls = 0
    const chat = async () => {
      calls += 1
      const response = await two.call(apiKey, '/v1/models/chat', `call ${calls}`, { prompt: 'hello' })
      return response.body.error?.code ?? response.status
    }
    expect(await chat()).toBe(200)
    await admin.post('/api/providers/model/model_provider_a/take-out', { reason })
    await expect.poll(chat).toBe('PROVIDER_DISABLED')
    await admin.post('/api/providers/model/model_provider_a/put-back', { reason })
    await expect.poll(chat).toBe(200)
    const elsewhere = (await admin.get('/api/overview')).body.instances
    expect(elsewhere).toHaveLength(2)
  } finally {
    await two.stop()
    await one.stop()
  }
})

test('a media provider that is out of service takes no new jobs', async () => {
  const gateway = await startGateway()
  try {
    const payer = new Browser(gateway)
    await payer.register()
    await payer.recharge(1000)
    const { apiKey } = await payer.createKey(['media:run'])
    const admin = await signedInOperator(gateway, 'admin', 'admin')
    const name = (await admin.get('/api/providers')).body.items.find(
      (provider: { kind: string }) => provider.kind === 'media',
    ).name as string
    const create = async (key: string) => {
      const response = await gateway.call(apiKey, '/v1/media/jobs', key, { prompt: 'a cat' })
      return response.body.error?.message ?? response.status
    }
    expect(await create('first')).toBe(202)
    await admin.post(`/api/providers/media/${name}/take-out`, { reason })
    expect(await create('second')).toMatch(/out of service/)
    const { items } = (await admin.get('/api/providers')).body
    expect(items).toContainEqual(expect.objectContaining({ kind: 'media', state: 'out_of_service' }))
    await admin.post(`/api/providers/media/${name}/put-back`, { reason })
    expect(await create('third')).toBe(202)
  } finally {
    await gateway.stop()
  }
})
