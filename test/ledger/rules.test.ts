import { describe, expect, it } from 'vitest'
import { networksOf } from '../../src/base/addresses.ts'
import type { BatchState } from '../../src/ledger/batch-state.ts'
import type { Admit, Credit, OrderState, Refuse } from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { auditNote, settledResponse } from '../../testkit/store/commands.ts'
import { admit, charge, decideOne, end, now, stateWith } from './rule-inputs.ts'

describe('admission', () => {
  it('admission moves the price from available to reserved and writes a ledger entry', () => {
    const state = stateWith()
    const { results, changes } = decideOne(state, admit())
    expect(results).toEqual([{ kind: 'reserved' }])
    expect(state.balances.get('prj')).toMatchObject({ available: 7, reserved: 3, entries: 8 })
    expect(changes.entries).toEqual([
      {
        entryId: 100,
        previousId: 70,
        projectId: 'prj',
        seq: 8,
        kind: 'reserve',
        amount: 3,
        available: 7,
        reserved: 3,
        chargeId: 'chg',
        lotId: null,
        at: now,
      },
    ])
  })

  it('admission refuses in the order of the contract: key, scope, limit, fault, conflict, credits', () => {
    const everything = {
      credits: 99,
      scope: 'pick:read',
      limit: { max: 0, windowMs: 1000 },
    } as const
    const used = () => stateWith({ charges: [charge({ fingerprint: 'other' })] })
    const code = (state: BatchState, over: Partial<Admit>) => decideOne(state, admit(over)).results[0]
    expect(code(stateWith({ key: { blockedAt: 1, expiresAt: 1 } }), everything)).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(code(stateWith({ key: { expiresAt: now } }), everything)).toMatchObject({ code: 'KEY_EXPIRED' })
    expect(code(used(), everything)).toMatchObject({ code: 'FORBIDDEN' })
    expect(code(used(), { ...everything, scope: 'models:invoke' })).toMatchObject({ code: 'RATE_LIMITED' })
    expect(code(used(), { credits: 99 })).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(code(stateWith(), { credits: 99 })).toMatchObject({ code: 'INSUFFICIENT_PAID_CREDITS' })
  })

  it('admission refuses a key of another project, whatever the command claims', () => {
    expect(decideOne(stateWith({ key: { projectId: 'other' } }), admit()).results[0]).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(decideOne(stateWith(), admit({ keyId: 'unknown' })).results[0]).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('admission admits exactly as many calls of one batch as the credits pay for', () => {
    const batch = Array.from({ length: 5 }, (_, i) => admit({ chargeId: `chg${i}`, idempotencyDigest: `idem${i}` }))
    const { results, changes } = decide(stateWith({ available: 10 }), batch)
    expect(results.map((result) => result.kind)).toEqual(['reserved', 'reserved', 'reserved', 'refused', 'refused'])
    expect(changes.reserved).toHaveLength(3)
  })

  it('admission admits one of two duplicates in a batch, and points the other to it', () => {
    const { results } = decide(stateWith(), [admit(), admit({ chargeId: 'second' })])
    expect(results).toEqual([{ kind: 'reserved' }, { kind: 'under_way', chargeId: 'chg' }])
  })

  it('admission counts calls in fixed windows and states the wait', () => {
    const state = stateWith({ available: 100 })
    const call = (at: number, id: string) =>
      admit({ at, chargeId: id, idempotencyDigest: id, limit: { max: 2, windowMs: 10_000 } })
    const { results } = decide(state, [call(12_000, 'a'), call(13_000, 'b'), call(15_500, 'c'), call(20_000, 'd')])
    expect(results).toEqual([
      { kind: 'reserved' },
      { kind: 'reserved' },
      { kind: 'refused', code: 'RATE_LIMITED', retryAfterSeconds: 5 },
      { kind: 'reserved' },
    ])
  })

  it('admission ignores a window started by a clock far ahead, but not one of a clock slightly ahead', () => {
    const state = stateWith({ available: 100 })
    const call = (at: number, id: string) =>
      admit({ at, chargeId: id, idempotencyDigest: id, limit: { max: 1, windowMs: 10_000 } })
    const { results } = decide(state, [call(86_400_000, 'ahead'), call(12_000, 'now'), call(12_001, 'used up')])
    expect(results.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'refused'])
    expect(results[2]).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 8 })

    const skewed = decide(stateWith({ available: 100 }), [
      call(20_000, 'next window'),
      call(18_000, 'two seconds behind'),
    ])
    expect(skewed.results.map(({ kind }) => kind)).toEqual(['reserved', 'refused'])
  })

  it('admission refuses a faulty call only after key and limit allow it, and counts it only against the limit', () => {
    const state = stateWith()
    const { scope, projectId, keyId, limit, address } = admit()
    const refuse: Refuse = { type: 'refuse', projectId, keyId, scope, limit, address, at: now, fault: 'INVALID_PROMPT' }
    const code = (state: BatchState, over: Partial<Refuse> = {}) => decideOne(state, { ...refuse, ...over }).results[0]
    expect(code(state)).toEqual({ kind: 'refused', code: 'INVALID_PROMPT' })
    expect(state.keys.get('key')).toMatchObject({ windowUsed: 1, calls: 0, lastUsedAt: null })
    expect(code(stateWith({ key: { blockedAt: 1 } }))).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(code(state, { scope: 'pick:read' })).toMatchObject({ code: 'FORBIDDEN' })
    expect(code(state, { limit: { max: 1, windowMs: 60_000 } })).toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('admission replays the stored response, and refuses a pruned one forever', () => {
    const response = { ...settledResponse, body: 'as it was' }
    const settled = charge({ state: 'settled', response })
    expect(decideOne(stateWith({ charges: [settled] }), admit()).results[0]).toEqual({
      kind: 'replay',
      response,
      chargeId: settled.chargeId,
    })
    const pruned = charge({ state: 'settled' })
    expect(decideOne(stateWith({ charges: [pruned] }), admit()).results[0]).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
  })

  it.each([{ operation: 'pick.search' }, { fingerprint: 'other' }, { isolationVersion: 0 }])(
    'admission refuses a key that is bound to %o',
    (difference) => {
      const earlier = charge({ state: 'settled', response: settledResponse, ...difference })
      expect(decideOne(stateWith({ charges: [earlier] }), admit()).results[0]).toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
      })
    },
  )
})

describe('ending', () => {
  it.each([
    ['settled', { available: 10, reserved: 0, settled: 3 }, 'settle'],
    ['released', { available: 13, reserved: 0, settled: 0 }, 'release'],
    ['manual_review', { available: 10, reserved: 3, settled: 0 }, 'review'],
  ] as const)('%s moves the credits once and writes an entry', (to, balance, kind) => {
    const state = stateWith({ charges: [charge()] })
    const first = decideOne(state, end({ to }))
    expect(first.results).toEqual([{ kind: 'ended' }])
    expect(first.changes.entries.map((entry) => entry.kind)).toEqual([kind])
    expect(state.balances.get('prj')).toMatchObject(balance)
    const again = decideOne(state, end({ to }))
    expect(again.results[0]).toMatchObject({ kind: 'already', state: to })
    expect(again.changes.entries).toEqual([])
    expect(state.balances.get('prj')).toMatchObject(balance)
  })

  it('ending frees the key when no response is stored, so that the call may be repeated', () => {
    const state = stateWith({ charges: [charge()] })
    const { results } = decide(state, [end({ to: 'released', response: null }), admit({ chargeId: 'again' })])
    expect(results).toEqual([{ kind: 'ended' }, { kind: 'reserved' }])
  })

  it('ending lets an operator end a review, and only a review', () => {
    const decision = auditNote({ reason: 'seen on the invoice' })
    const state = stateWith({ charges: [charge({ state: 'manual_review' })] })
    expect(decideOne(state, end({ from: 'manual_review', decision })).results).toEqual([{ kind: 'ended' }])
    expect(state.balances.get('prj')).toMatchObject({ reserved: 0, settled: 3 })
    const reserved = stateWith({ charges: [charge()] })
    expect(decideOne(reserved, end({ from: 'manual_review', decision })).results[0]).toMatchObject({ kind: 'already' })
  })

  it('the result is unknown for a charge that was never admitted', () => {
    expect(decideOne(stateWith(), end()).results).toEqual([{ kind: 'unknown' }])
  })
})

describe('credit', () => {
  const order = (over: Partial<OrderState> = {}): OrderState => ({
    orderId: 'ord',
    projectId: 'prj',
    amountFen: 500,
    creditAmount: 50,
    pricingVersion: 'v1',
    createdAt: 1,
    state: 'pending',
    creditedAt: null,
    ...over,
  })
  const credit = (over: Partial<Credit> = {}): Credit => ({
    type: 'credit',
    orderId: 'ord',
    projectId: 'prj',
    lotId: 'lot',
    at: now,
    ...over,
  })

  it('credit adds an order once, however many confirm it at once', () => {
    const state = stateWith({ orders: [order()] })
    const { results, changes } = decide(state, [credit(), credit({ lotId: 'lot2' }), credit({ lotId: 'lot3' })])
    expect(results.map((result) => ('code' in result ? result.code : result.kind))).toEqual([
      'credited',
      'ORDER_CONFIRM_CONFLICT',
      'ORDER_CONFIRM_CONFLICT',
    ])
    expect(changes.credited).toHaveLength(1)
    expect(state.balances.get('prj')).toMatchObject({ available: 60, credited: 60 })
    expect(decideOne(state, credit()).results[0]).toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('credit does not find the order of another project, and refuses one that already has a lot', () => {
    expect(decideOne(stateWith({ orders: [order({ projectId: 'other' })] }), credit()).results[0]).toMatchObject({
      code: 'ORDER_NOT_FOUND',
    })
    const state = stateWith({ orders: [order()] })
    state.creditedOrders.add('ord')
    expect(decideOne(state, credit()).results[0]).toMatchObject({ code: 'ORDER_CREDIT_CONFLICT' })
  })
})

describe('a broken invariant', () => {
  it('a broken invariant stops the batch instead of writing wrong books', () => {
    const state = stateWith({ charges: [charge()] })
    state.balances.get('prj')!.credited += 1
    expect(() => decideOne(state, end())).toThrow('credits appeared or vanished')
  })
})

it('a key is refused from an address that it does not allow, before its rate limit', () => {
  const allowed = networksOf(['203.0.113.0/24', '2001:db8::1'])!
  const from = (address: string) => {
    const state = stateWith({ key: { allowed } })
    const [result] = decide(state, [admit({ address })]).results
    return { result, key: state.keys.get('key')! }
  }
  expect(from('203.0.113.9')).toMatchObject({ result: { kind: 'reserved' }, key: { lastUsedFrom: '203.0.113.x' } })
  expect(from('2001:db8::1')).toMatchObject({ key: { lastUsedFrom: '2001:db8:0:0::/64' } })
  for (const address of ['203.0.114.9', '2001:db8::2', '']) {
    expect(from(address)).toMatchObject({
      result: { kind: 'refused', code: 'FORBIDDEN', because: 'address' },
      key: { windowUsed: 0, lastUsedFrom: null },
    })
  }
})
