import { describe, expect, it } from 'vitest'
import { networksOf } from '../../src/base/addresses.ts'
import { countsOf, maxCounts } from '../../src/contract/budget-periods.ts'
import { emptyChain } from '../../src/ledger/audit.ts'
import { type Books, idempotencySlot } from '../../src/ledger/books.ts'
import type {
  Admit,
  Balance,
  BudgetState,
  ChargeRecord,
  Command,
  Credit,
  End,
  KeyState,
  OrderState,
  Refuse,
} from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { admission, auditNote, ending, keyState, settledResponse } from '../support/store/commands.ts'

const now = 1_000_000

function booksWith({
  available = 10,
  charges = [] as ChargeRecord[],
  key = {} as Partial<KeyState>,
  orders = [] as OrderState[],
  budget = undefined as BudgetState | undefined,
} = {}): Books {
  const reserved = charges
    .filter((c) => c.state === 'reserved' || c.state === 'manual_review')
    .reduce((sum, c) => sum + c.credits, 0)
  const settled = charges.filter((c) => c.state === 'settled').reduce((sum, c) => sum + c.credits, 0)
  const balance: Balance = {
    projectId: 'prj',
    available,
    reserved,
    settled,
    credited: available + reserved + settled,
    entries: 7,
    lastEntryId: 70,
    lowBalanceCredits: null,
    emptyAt: null,
  }
  const state = keyState(key)
  return {
    keys: new Map([[state.keyId, state]]),
    budgets: new Map(budget ? [[budget.budgetId, budget]] : []),
    balances: new Map([['prj', balance]]),
    charges: new Map(charges.map((c) => [c.chargeId, c])),
    archivedSlots: new Set(),
    slots: new Map(
      charges.flatMap((c) => (c.idempotencyDigest ? [[idempotencySlot('prj', c.idempotencyDigest), c]] : [])),
    ),
    orders: new Map(orders.map((order) => [order.orderId, order])),
    creditedOrders: new Set(),
    movements: new Map(),
    pendingApprovals: new Map(),
    movedSums: new Map(),
    sameReferences: new Map(),
    auditHead: emptyChain,
    nextEntryId: 100,
  }
}

const admit = (over: Partial<Admit> = {}): Admit =>
  admission({
    limit: { max: 100, windowMs: 60_000 },
    idempotencyDigest: 'idem',
    fingerprint: 'print',
    at: now,
    ...over,
  })

const end = (over: Partial<End> = {}): End => ending({ at: now, ...over })

const charge = (over: Partial<ChargeRecord> = {}): ChargeRecord => ({
  chargeId: 'chg',
  projectId: 'prj',
  operation: 'model.chat',
  credits: 3,
  fingerprint: 'print',
  isolationVersion: 1,
  budgetId: null,
  budgetPeriod: null,
  idempotencyDigest: 'idem',
  state: 'reserved',
  response: null,
  ...over,
})

const decideOne = (books: Books, command: Command) => decide(books, [command])

describe('admission', () => {
  it('moves the price from available to reserved and writes a ledger entry', () => {
    const books = booksWith()
    const { results, changes } = decideOne(books, admit())
    expect(results).toEqual([{ kind: 'reserved' }])
    expect(books.balances.get('prj')).toMatchObject({ available: 7, reserved: 3, entries: 8 })
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

  it('refuses in the order of the contract: key, scope, limit, fault, conflict, credits', () => {
    const everything = {
      credits: 99,
      scope: 'pick:read',
      limit: { max: 0, windowMs: 1000 },
    } as const
    const used = () => booksWith({ charges: [charge({ fingerprint: 'other' })] })
    const code = (books: Books, over: Partial<Admit>) => decideOne(books, admit(over)).results[0]
    expect(code(booksWith({ key: { blockedAt: 1, expiresAt: 1 } }), everything)).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(code(booksWith({ key: { expiresAt: now } }), everything)).toMatchObject({ code: 'KEY_EXPIRED' })
    expect(code(used(), everything)).toMatchObject({ code: 'FORBIDDEN' })
    expect(code(used(), { ...everything, scope: 'models:invoke' })).toMatchObject({ code: 'RATE_LIMITED' })
    expect(code(used(), { credits: 99 })).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(code(booksWith(), { credits: 99 })).toMatchObject({ code: 'INSUFFICIENT_PAID_CREDITS' })
  })

  it('refuses a key of another project, whatever the command claims', () => {
    expect(decideOne(booksWith({ key: { projectId: 'other' } }), admit()).results[0]).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(decideOne(booksWith(), admit({ keyId: 'unknown' })).results[0]).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('admits exactly as many calls of one batch as the credits pay for', () => {
    const batch = Array.from({ length: 5 }, (_, i) => admit({ chargeId: `chg${i}`, idempotencyDigest: `idem${i}` }))
    const { results, changes } = decide(booksWith({ available: 10 }), batch)
    expect(results.map((result) => result.kind)).toEqual(['reserved', 'reserved', 'reserved', 'refused', 'refused'])
    expect(changes.reserved).toHaveLength(3)
  })

  it('admits one of two duplicates in a batch, and points the other to it', () => {
    const { results } = decide(booksWith(), [admit(), admit({ chargeId: 'second' })])
    expect(results).toEqual([{ kind: 'reserved' }, { kind: 'under_way', chargeId: 'chg' }])
  })

  it('counts calls in fixed windows and states the wait', () => {
    const books = booksWith({ available: 100 })
    const call = (at: number, id: string) =>
      admit({ at, chargeId: id, idempotencyDigest: id, limit: { max: 2, windowMs: 10_000 } })
    const { results } = decide(books, [call(12_000, 'a'), call(13_000, 'b'), call(15_500, 'c'), call(20_000, 'd')])
    expect(results).toEqual([
      { kind: 'reserved' },
      { kind: 'reserved' },
      { kind: 'refused', code: 'RATE_LIMITED', retryAfterSeconds: 5 },
      { kind: 'reserved' },
    ])
  })

  it('ignores a window started by a clock far ahead, but not one of a clock slightly ahead', () => {
    const books = booksWith({ available: 100 })
    const call = (at: number, id: string) =>
      admit({ at, chargeId: id, idempotencyDigest: id, limit: { max: 1, windowMs: 10_000 } })
    const { results } = decide(books, [call(86_400_000, 'ahead'), call(12_000, 'now'), call(12_001, 'used up')])
    expect(results.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'refused'])
    expect(results[2]).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 8 })

    const skewed = decide(booksWith({ available: 100 }), [
      call(20_000, 'next window'),
      call(18_000, 'two seconds behind'),
    ])
    expect(skewed.results.map(({ kind }) => kind)).toEqual(['reserved', 'refused'])
  })

  it('refuses a faulty call only after key and limit allow it, and counts it only against the limit', () => {
    const books = booksWith()
    const { scope, projectId, keyId, limit, address } = admit()
    const refuse: Refuse = { type: 'refuse', projectId, keyId, scope, limit, address, at: now, fault: 'INVALID_PROMPT' }
    const code = (books: Books, over: Partial<Refuse> = {}) => decideOne(books, { ...refuse, ...over }).results[0]
    expect(code(books)).toEqual({ kind: 'refused', code: 'INVALID_PROMPT' })
    expect(books.keys.get('key')).toMatchObject({ windowUsed: 1, calls: 0, lastUsedAt: null })
    expect(code(booksWith({ key: { blockedAt: 1 } }))).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(code(books, { scope: 'pick:read' })).toMatchObject({ code: 'FORBIDDEN' })
    expect(code(books, { limit: { max: 1, windowMs: 60_000 } })).toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('replays the stored response, and refuses a pruned one forever', () => {
    const response = { ...settledResponse, body: 'as it was' }
    const settled = charge({ state: 'settled', response })
    expect(decideOne(booksWith({ charges: [settled] }), admit()).results[0]).toEqual({
      kind: 'replay',
      response,
      chargeId: settled.chargeId,
    })
    const pruned = charge({ state: 'settled' })
    expect(decideOne(booksWith({ charges: [pruned] }), admit()).results[0]).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
  })

  it.each([{ operation: 'pick.search' }, { fingerprint: 'other' }, { isolationVersion: 0 }])(
    'refuses a key that is bound to %o',
    (difference) => {
      const earlier = charge({ state: 'settled', response: settledResponse, ...difference })
      expect(decideOne(booksWith({ charges: [earlier] }), admit()).results[0]).toMatchObject({
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
    const books = booksWith({ charges: [charge()] })
    const first = decideOne(books, end({ to }))
    expect(first.results).toEqual([{ kind: 'ended' }])
    expect(first.changes.entries.map((entry) => entry.kind)).toEqual([kind])
    expect(books.balances.get('prj')).toMatchObject(balance)
    const again = decideOne(books, end({ to }))
    expect(again.results[0]).toMatchObject({ kind: 'already', state: to })
    expect(again.changes.entries).toEqual([])
    expect(books.balances.get('prj')).toMatchObject(balance)
  })

  it('frees the key when no response is stored, so that the call may be repeated', () => {
    const books = booksWith({ charges: [charge()] })
    const { results } = decide(books, [end({ to: 'released', response: null }), admit({ chargeId: 'again' })])
    expect(results).toEqual([{ kind: 'ended' }, { kind: 'reserved' }])
  })

  it('lets an operator end a review, and only a review', () => {
    const decision = auditNote({ reason: 'seen on the invoice' })
    const books = booksWith({ charges: [charge({ state: 'manual_review' })] })
    expect(decideOne(books, end({ from: 'manual_review', decision })).results).toEqual([{ kind: 'ended' }])
    expect(books.balances.get('prj')).toMatchObject({ reserved: 0, settled: 3 })
    const reserved = booksWith({ charges: [charge()] })
    expect(decideOne(reserved, end({ from: 'manual_review', decision })).results[0]).toMatchObject({ kind: 'already' })
  })

  it('the result is unknown for a charge that was never admitted', () => {
    expect(decideOne(booksWith(), end()).results).toEqual([{ kind: 'unknown' }])
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

  it('credits an order once, however many confirm it at once', () => {
    const books = booksWith({ orders: [order()] })
    const { results, changes } = decide(books, [credit(), credit({ lotId: 'lot2' }), credit({ lotId: 'lot3' })])
    expect(results.map((result) => ('code' in result ? result.code : result.kind))).toEqual([
      'credited',
      'ORDER_CONFIRM_CONFLICT',
      'ORDER_CONFIRM_CONFLICT',
    ])
    expect(changes.credited).toHaveLength(1)
    expect(books.balances.get('prj')).toMatchObject({ available: 60, credited: 60 })
    expect(decideOne(books, credit()).results[0]).toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('does not find the order of another project, and refuses one that already has a lot', () => {
    expect(decideOne(booksWith({ orders: [order({ projectId: 'other' })] }), credit()).results[0]).toMatchObject({
      code: 'ORDER_NOT_FOUND',
    })
    const books = booksWith({ orders: [order()] })
    books.creditedOrders.add('ord')
    expect(decideOne(books, credit()).results[0]).toMatchObject({ code: 'ORDER_CREDIT_CONFLICT' })
  })
})

describe('a broken invariant', () => {
  it('stops the batch instead of writing wrong books', () => {
    const books = booksWith({ charges: [charge()] })
    books.balances.get('prj')!.credited += 1
    expect(() => decideOne(books, end())).toThrow('credits appeared or vanished')
  })
})

describe('a budget', () => {
  const noon = Date.UTC(2026, 8, 3, 12)
  const midnight = Date.UTC(2026, 8, 4)
  const budget = (over: Partial<BudgetState> = {}): BudgetState => ({
    budgetId: 'key',
    credits: 6,
    per: 'day',
    periodFrom: noon,
    spent: 0,
    reachedAt: null,
    otherCounts: '[]',
    ...over,
  })
  const booksOf = (over: Partial<BudgetState> = {}, available = 100) =>
    booksWith({ available, key: { budgetId: 'key' }, budget: budget(over) })
  const call = (name: string, at = noon) => admit({ chargeId: name, idempotencyDigest: name, at })

  it('is never passed by one credit, by any calls of a batch', () => {
    const books = booksOf({ credits: 8 })
    const { results, changes } = decide(books, [call('a'), call('b'), call('c'), call('d', noon + 1)])
    expect(results.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'refused', 'refused'])
    expect(results[2]).toEqual({
      kind: 'refused',
      code: 'INSUFFICIENT_PAID_CREDITS',
      because: { budget: { credits: 8, per: 'day' } },
    })
    expect(books.budgets.get('key')).toMatchObject({ spent: 6, reachedAt: noon })
    expect(books.slots.has(idempotencySlot('prj', 'c'))).toBe(false)
    expect(changes.reserved.map(({ charge }) => charge.budgetPeriod)).toEqual([noon, noon])
    // A later refusal of the period changes nothing more.
    expect(decide(books, [call('e')]).changes.budgets.size).toBe(0)
  })

  it('gets released credits back, but keeps settled and reviewed ones', () => {
    const books = booksOf()
    decide(books, [call('a'), call('b')])
    decide(books, [end({ chargeId: 'a' }), end({ chargeId: 'b', to: 'manual_review' })])
    expect(books.budgets.get('key')!.spent).toBe(6)
    decide(books, [end({ chargeId: 'b', from: 'manual_review', to: 'released', decision: auditNote() })])
    expect(books.budgets.get('key')!.spent).toBe(3)
  })

  it('starts again with a day in UTC, and a release of the day before does not count for it', () => {
    const books = booksOf()
    decide(books, [call('a'), call('b')])
    expect(decide(books, [call('c', midnight - 1)]).results).toMatchObject([{ kind: 'refused' }])
    expect(decide(books, [call('d', midnight)]).results).toMatchObject([{ kind: 'reserved' }])
    expect(books.budgets.get('key')).toEqual(
      budget({ periodFrom: midnight, spent: 3, otherCounts: JSON.stringify([[noon, 6, midnight - 1]]) }),
    )
    decide(books, [end({ chargeId: 'a', to: 'released', at: midnight })])
    expect(books.budgets.get('key')!.spent).toBe(3)
    // The clock of another instance may be late: its calls count for the day before, which has 3 left since the release.
    expect(decide(books, [call('e', midnight - 1), call('f', midnight - 1)]).results).toMatchObject([
      { kind: 'reserved' },
      { kind: 'refused' },
    ])
    expect(decide(books, [call('g', midnight), call('h', midnight)]).results).toMatchObject([
      { kind: 'reserved' },
      { kind: 'refused' },
    ])
  })

  it('that a clock ahead moved into the future counts for today again, and what was spent in either is kept', () => {
    const books = booksOf()
    const nextYear = Date.UTC(2027, 8, 3)
    const kinds = (...commands: Parameters<typeof decide>[1]) => decide(books, commands).results.map(({ kind }) => kind)
    expect(kinds(call('a'), call('ahead', nextYear), call('b'), call('c'))).toEqual([
      ...['reserved', 'reserved', 'reserved', 'refused'],
    ])
    expect(kinds(call('d', midnight), call('e', midnight), call('f', midnight))).toEqual([
      ...['reserved', 'reserved', 'refused'],
    ])
    // Back and forth: no day gets its credits twice.
    expect(kinds(call('g'), call('h', midnight), call('i'), call('j', nextYear), call('k', nextYear))).toEqual([
      ...['refused', 'refused', 'refused', 'reserved', 'refused'],
    ])
    decide(books, [end({ chargeId: 'b', to: 'released', at: midnight })])
    expect(kinds(call('l', midnight), call('m'), call('n'))).toEqual(['refused', 'reserved', 'refused'])
  })

  it('that was set by a clock ahead counts from the first call on', () => {
    const books = booksOf({ periodFrom: Date.UTC(2027, 8, 3), spent: 6 })
    const { results, changes } = decide(books, [call('a'), call('b'), call('c'), call('d', midnight)])
    expect(results.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'refused', 'reserved'])
    const today = midnight - 86_400_000
    expect(changes.reserved.map(({ charge }) => charge.budgetPeriod)).toEqual([today, today, midnight])
  })

  it('remembers a bounded number of days, and a clock before all of them gets nothing extra', () => {
    const books = booksOf({}, 1000)
    const day = (number: number) => call(`day ${number}`, noon + number * 86_400_000)
    decide(
      books,
      Array.from({ length: 100 }, (_, number) => day(number)),
    )
    expect(countsOf(books.budgets.get('key')!)).toHaveLength(maxCounts)
    const late = Array.from({ length: 10 }, (_, number) => call(`late ${number}`))
    const results = decide(books, late).results.filter(({ kind }) => kind === 'reserved')
    expect(results).toHaveLength(1)
    expect(books.budgets.get('key')).toMatchObject({ spent: 6 })
  })

  it('by month starts again on the first; a total never does', () => {
    const nextYear = Date.UTC(2027, 0, 1)
    for (const [per, kind] of [
      ['month', 'reserved'],
      ['total', 'refused'],
    ] as const) {
      expect(decide(booksOf({ per, spent: 6 }), [call('a', Date.UTC(2026, 8, 30, 23, 59))]).results).toMatchObject([
        { kind: 'refused' },
      ])
      expect(decide(booksOf({ per, spent: 6 }), [call('a', nextYear)]).results).toMatchObject([{ kind }])
    }
  })

  it('is not touched by calls that the balance refuses, and limits nothing once it is removed', () => {
    const books = booksOf({}, 2)
    expect(decide(books, [call('a')]).results).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_PAID_CREDITS' }])
    expect(books.budgets.get('key')).toEqual(budget())
    const removed = booksOf({ credits: null, spent: 6 })
    const { results, changes } = decide(removed, [call('a')])
    expect(results).toEqual([{ kind: 'reserved' }])
    expect([changes.budgets.size, changes.reserved[0]!.charge.budgetId]).toEqual([0, null])
  })
})

it('a key is refused from an address that it does not allow, before its rate limit', () => {
  const allowed = networksOf(['203.0.113.0/24', '2001:db8::1'])!
  const from = (address: string) => {
    const books = booksWith({ key: { allowed } })
    const [result] = decide(books, [admit({ address })]).results
    return { result, key: books.keys.get('key')! }
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
