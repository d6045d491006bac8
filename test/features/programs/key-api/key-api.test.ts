import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../src/contract/validate.ts'
import {
  keyReadOperations,
  OwnCharge,
  OwnChargePage,
  OwnKey,
} from '../../../../src/features/programs/key-api/contract.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, type HttpResponse, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { engines } from '../../../../testkit/store/engines.ts'

const price = 3
const isKey = compile(OwnKey)
const isCharge = compile(OwnCharge)
const isPage = compile(OwnChargePage)

interface HeldKey {
  readonly keyId: string
  readonly apiKey: string
}

describe.each(engines)('what a key may know on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let requests = 0

  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' },
      file: {
        sessions: { lifetimeSeconds: 31_536_000 },
        models: { providers: { model_provider_b: { adapter: 'disabled' } } },
        limits: {
          sessionWritesPerProject: { max: 100_000, windowSeconds: 60 },
          readsPerSession: { max: 100_000, windowSeconds: 60 },
          sendCodePerRequester: { max: 1000, windowSeconds: 600 },
          callsPerKey: { max: 40, windowSeconds: 60 },
          keyReadsPerKey: { max: 200, windowSeconds: 60 },
        },
      },
    })
  })
  afterAll(() => gateway.stop())

  const newIntent = () => `intent ${++requests}`
  const read = (path: string, apiKey: string | null, headers: Record<string, string> = {}) =>
    gateway.send('GET', path, { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }), ...headers })
  const chat = ({ apiKey }: HeldKey, key = newIntent(), body: object = { prompt: 'hello' }) =>
    gateway.call(apiKey, '/v1/models/chat', key, body)

  async function join({ amountFen = 10_000 } = {}): Promise<Browser> {
    const owner = new Browser(gateway)
    await owner.register()
    if (amountFen > 0) await owner.recharge(amountFen)
    return owner
  }
  async function create(owner: Browser, settings: object = {}): Promise<HeldKey> {
    const body = { name: 'A key', scopes: ['models:invoke'], ...settings }
    return (await owner.post('/v1/console/keys', body, { 'idempotency-key': newIntent() })).body
  }
  async function rotate(owner: Browser, { keyId }: HeldKey, graceSeconds = 3600): Promise<HeldKey> {
    const path = `/v1/console/keys/${keyId}/rotate`
    return (await owner.post(path, { graceSeconds }, { 'idempotency-key': newIntent() })).body
  }
  const update = (owner: Browser, { keyId }: HeldKey, changes: object) =>
    owner.post(`/v1/console/keys/${keyId}/update`, changes)
  async function know({ apiKey }: HeldKey): Promise<OwnKey> {
    const response = await read('/v1/key', apiKey)
    expect(response.status, response.text).toBe(200)
    expect(isKey(response.body), response.text).toEqual({ ok: true })
    return response.body
  }
  async function list({ apiKey }: HeldKey, query = ''): Promise<OwnChargePage> {
    const response = await read(`/v1/charges${query}`, apiKey)
    expect(response.status, response.text).toBe(200)
    expect(isPage(response.body), response.text).toEqual({ ok: true })
    return response.body
  }

  it('what a key may know is its settings, its limits and the balance', async () => {
    const owner = await join()
    const key = await create(owner, { budget: { credits: 10, per: 'day' }, allowedAddresses: ['127.0.0.0/8'] })
    await chat(key)
    const known = await know(key)
    expect(known).toMatchObject({
      keyId: key.keyId,
      name: 'A key',
      scopes: ['models:invoke'],
      state: 'active',
      expiresAt: null,
      allowedAddresses: ['127.0.0.0/8'],
      rateLimit: { max: 40, windowSeconds: 60, remaining: 39 },
      budget: { credits: 10, per: 'day', spent: price, remaining: 7, resetsAt: '2026-09-03T16:00:00.000Z' },
      credits: { available: 1000 - price, reserved: 0 },
    })
    expect(Date.parse(known.rateLimit.resetsAt)).toBeGreaterThan(clock.now)
    const [listed] = (await look(owner, 'console.keys.list')).items
    expect(known.maskedKey).toBe(listed.displayPrefix)
    // Reads do not count as calls, and a window that has ended counts nothing.
    expect((await know(key)).rateLimit.remaining).toBe(39)
    clock.advanceSeconds(60)
    expect((await know(key)).rateLimit.remaining).toBe(40)
  })

  it('what a key may know is the balance only if the payer allows it, and a rotation keeps that', async () => {
    const owner = await join({ amountFen: 0 })
    const key = await create(owner)
    expect((await know(key)).credits).toEqual({ available: 0, reserved: 0 })
    expect((await chat(key)).headers).toMatchObject({ 'limit-source': 'credits', 'limit-remaining': '0' })
    expect((await update(owner, key, { showsBalance: false })).body).toMatchObject({ showsBalance: false })
    expect((await know(key)).credits).toBeNull()
    const refused = await chat(key)
    expect(refused).toMatchObject({ status: 402, headers: { 'limit-source': 'credits', 'retry-hint': 'never' } })
    expect(refused.headers).not.toHaveProperty('limit-remaining')
    expect(refused.headers).not.toHaveProperty('limit-resets-at')
    const next = await rotate(owner, key)
    expect((await know(next)).credits).toBeNull()
    expect(
      (await look(owner, 'console.keys.list')).items.map((one: { showsBalance: boolean }) => one.showsBalance),
    ).toEqual([false, false])
    const hidden = await create(owner, { showsBalance: false })
    expect((await know(hidden)).credits).toBeNull()
    expect((await update(owner, key, { showsBalance: 'no' })).body.error.code).toBe('INVALID_JSON')
  })

  it('what a key may know is which limit refused a call', async () => {
    const owner = await join()
    const budgets = [
      { per: 'day', resetsAt: '2026-09-03T16:00:00.000Z' },
      { per: 'month', resetsAt: '2026-09-30T16:00:00.000Z' },
      { per: 'total', resetsAt: undefined },
    ]
    for (const { per, resetsAt } of budgets) {
      const key = await create(owner, { budget: { credits: 5, per }, showsBalance: false })
      await chat(key)
      const { status, headers } = await chat(key)
      expect(status).toBe(402)
      expect([headers['limit-source'], headers['limit-remaining'], headers['limit-resets-at']]).toEqual([
        'key_budget',
        '2',
        resetsAt,
      ])
    }
  })

  it('what a key may know is the charges of its chain, in both directions, and of no other key', async () => {
    const owner = await join()
    const [key, other, stranger] = [await create(owner), await create(owner), await create(await join())]
    const before = await chat(key, 'before')
    const after = await rotate(owner, key)
    const later = await chat(after, 'after')
    const theirs = await chat(other, 'other')
    const ids = [later, before].map(({ headers }) => headers['x-charge-id'])
    for (const of of [key, after]) {
      const { items, nextCursor } = await list(of)
      expect(items.map(({ chargeId }) => chargeId)).toEqual(ids)
      expect(nextCursor).toBeNull()
      expect((await read(`/v1/charges/${ids[1]}`, of.apiKey)).body).toEqual(items[1])
      expect(isCharge(items[1])).toEqual({ ok: true })
      expect(items[1]).toMatchObject({
        keyId: key.keyId,
        operation: 'model.chat',
        state: 'settled',
        credits: price,
        requestId: before.headers['x-request-id'],
        reason: null,
        resolution: null,
        replayable: true,
      })
      expect((await list(of, '?idempotencyKey=before')).items).toEqual([items[1]])
      expect((await list(of, '?idempotencyKey=other')).items).toEqual([])
    }
    const refusals = await Promise.all(
      [theirs.headers['x-charge-id'], 'chg_unknown', 'nonsense', 'chg_%25'].map((id) =>
        read(`/v1/charges/${id}`, key.apiKey),
      ),
    )
    expect(refusals.map(({ status, text }) => ({ status, text }))).toEqual(
      refusals.map(() => ({ status: 404, text: refusals[0]!.text })),
    )
    expect(refusals[0]!.body.error.code).toBe('CHARGE_NOT_FOUND')
    expect((await read(`/v1/charges/${ids[0]}`, stranger.apiKey)).text).toBe(refusals[0]!.text)
    expect((await list(stranger)).items).toEqual([])
  })

  it('what a key may know is what became of a call that was refused', async () => {
    const key = await create(await join())
    const refused = await chat(key, 'disabled', { prompt: 'hello', provider: 'model_provider_b' })
    expect(refused.body.error.code).toBe('PROVIDER_DISABLED')
    const [charge] = (await list(key)).items
    expect(charge).toMatchObject({
      chargeId: refused.headers['x-charge-id'],
      state: 'released',
      reason: { code: 'PROVIDER_DISABLED' },
      replayable: false,
    })
    // Its Idempotency-Key is free again.
    expect((await list(key, '?idempotencyKey=disabled')).items).toEqual([])
  })

  it('what a key may know can be read page by page', async () => {
    const owner = await join()
    const [key, other] = [await create(owner), await create(owner)]
    const made: unknown[] = []
    for (let i = 0; i < 7; i += 1) {
      made.unshift((await chat(key)).headers['x-charge-id'])
      await chat(other)
    }
    const found: unknown[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(20)
      const page: OwnChargePage = await list(key, `?limit=2${cursor && `&after=${cursor}`}`)
      found.push(...page.items.map(({ chargeId }) => chargeId))
      cursor = page.nextCursor
    }
    expect(found).toEqual(made)
    for (const query of [
      '?limit=0',
      '?limit=101',
      '?after=chg_1',
      '?idempotencyKey=x&after=1',
      '?idempotencyKey=',
      '?x=1',
    ])
      expect((await read(`/v1/charges${query}`, key.apiKey)).body.error.code, query).toBe('REQUEST_TARGET_INVALID')
  })

  it('what a key may know is refused to callers that may not use the key, and after too many reads', async () => {
    const owner = await join()
    const key = await create(owner, { allowedAddresses: ['127.0.0.1'] })
    const codeOf = ({ status, body }: HttpResponse) => [status, body.error?.code]
    for (const path of ['/v1/key', '/v1/charges', '/v1/charges/chg_1']) {
      expect(codeOf(await read(path, null))).toEqual([401, 'UNAUTHORIZED'])
      expect(codeOf(await read(path, `gk_live_${'x'.repeat(43)}`))).toEqual([401, 'UNAUTHORIZED'])
      expect(codeOf(await read(path, key.apiKey, { 'x-forwarded-for': '203.0.113.7' }))).toEqual([403, 'FORBIDDEN'])
    }
    const expiring = await create(owner, { expiresAt: new Date(clock.now + 1000).toISOString() })
    await know(expiring)
    clock.advanceSeconds(1)
    expect(codeOf(await read('/v1/key', expiring.apiKey))).toEqual([401, 'KEY_EXPIRED'])
    for (let reads = 0; reads < 200; reads += 1) await read('/v1/key', key.apiKey)
    const limited = await read('/v1/charges', key.apiKey)
    expect(codeOf(limited)).toEqual([429, 'RATE_LIMITED'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(limited.headers['retry-hint']).toBe('same-key')
    await owner.post(`/v1/keys/${key.keyId}/revoke`, {})
    expect(codeOf(await read('/v1/key', key.apiKey))).toEqual([401, 'UNAUTHORIZED'])
  })

  it('what a key may know is described by a document of its own', async () => {
    const { body } = await gateway.send('GET', '/key/openapi.json')
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(described).toEqual([
      'get /v1/key',
      'get /v1/charges',
      'get /v1/charges/{chargeId}',
      'get /v1/charges/{chargeId}/receipt.jws',
    ])
    expect(keyReadOperations).toHaveLength(4)
  })

  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('call' as const), of: fc.nat(4), again: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused' as const), of: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('rotate' as const), of: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('budget' as const),
        of: fc.nat(4),
        credits: fc.integer({ min: 1, max: 12 }),
        per: fc.constantFrom('day', 'month', 'total', null),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('shows' as const), of: fc.nat(4), value: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }) },
  )

  it('what a key may know agrees with the console after any mixture of calls, budgets, rotations and refusals', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const owner = await join({ amountFen: 400 })
        const keys = [await create(owner), await create(owner, { budget: { credits: 9, per: 'day' } })]
        const charged = new Map<string, string>()
        let last = newIntent()
        for (const one of steps) {
          if (one.kind === 'wait') {
            clock.advanceSeconds(one.hours * 3600)
            continue
          }
          const key = keys[one.of % keys.length]!
          if (one.kind === 'call') {
            if (!one.again) last = newIntent()
            const { headers } = await chat(key, last)
            const chargeId = headers['x-charge-id']
            if (typeof chargeId === 'string' && !charged.has(chargeId)) charged.set(chargeId, key.keyId)
          } else if (one.kind === 'refused') await chat(key, newIntent(), { prompt: '' })
          else if (one.kind === 'rotate') {
            const next = await rotate(owner, key)
            if (next.apiKey) keys.push(next)
          } else if (one.kind === 'budget') {
            const { credits, per } = one
            await update(owner, key, { budget: per === null ? null : { credits, per } })
          } else await update(owner, key, { showsBalance: one.value })
        }
        const listed: ConsoleKey[] = (await look(owner, 'console.keys.list')).items
        const { credits } = (await owner.get('/v1/me')).body
        const byId = new Map(listed.map((key) => [key.keyId, key]))
        const chainOf = (keyId: string): string => {
          const before = byId.get(keyId)!.rotatedFromKeyId
          return before === null ? keyId : chainOf(before)
        }
        for (const key of keys) {
          const shown = byId.get(key.keyId)!
          if (shown.state === 'expired') {
            expect((await read('/v1/key', key.apiKey)).body.error.code).toBe('KEY_EXPIRED')
            continue
          }
          const known = await know(key)
          expect(known).toMatchObject({
            name: shown.name,
            maskedKey: shown.displayPrefix,
            state: shown.state,
            expiresAt: shown.expiresAt,
            credits: shown.showsBalance ? credits : null,
            budget: shown.budget && {
              ...shown.budget,
              spent: shown.budgetSpent,
              remaining: Math.max(0, shown.budget.credits - shown.budgetSpent!),
              resetsAt: shown.budgetResetsAt,
            },
          })
          const chain = chainOf(key.keyId)
          const own = [...charged].filter(([, keyId]) => chainOf(keyId) === chain).map(([chargeId]) => chargeId)
          const { items } = await list(key, '?limit=100')
          expect(items.map(({ chargeId }) => chargeId).sort()).toEqual(own.sort())
        }
      }),
      { numRuns: 12, seed: 33 },
    )
  })
})

interface ConsoleKey {
  readonly keyId: string
  readonly name: string | null
  readonly displayPrefix: string
  readonly state: string
  readonly expiresAt: string | null
  readonly rotatedFromKeyId: string | null
  readonly showsBalance: boolean
  readonly budget: { readonly credits: number; readonly per: string } | null
  readonly budgetSpent: number | null
  readonly budgetResetsAt: string | null
}
