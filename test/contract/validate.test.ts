import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { billableOperations } from '../../src/contract/prices.ts'
import { compile, type Validate } from '../../src/contract/validate.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { otherRequest, rightRequest, wrongRequests } from '../../testkit/providers/operation-rows.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

const operations = publicOperations(providerNames)
const withBody = operations.filter((operation) => operation.request)
const checks = new Map<string, Validate>(withBody.map(({ id, request }) => [id, compile(request!)]))

function codeFor(id: string, body: unknown): ErrorCode | 'accepted' {
  const verdict = checks.get(id)!(body)
  return verdict.ok ? 'accepted' : verdict.code
}

const exampleOf = (id: string) => operations.find((operation) => operation.id === id)!.requestExample as object
const [shopA, shopB] = providerNames.shops as [string, string, string]
const ref = { provider: shopA, productId: 'a-1001' }
const other = { provider: shopB, productId: 'b-2044' }
const third = { provider: shopA, productId: 'A-1001' }
const missing = undefined

/** Changes to a valid request: [fields set, or removed with `missing`] -> the verdict. */
type Row = readonly [change: Record<string, unknown>, verdict: ErrorCode | 'accepted']

const tables: Record<string, Row[]> = {
  'auth.send_code': [
    [{ phone: missing }, 'PHONE_INVALID'],
    [{ phone: 13812345678 }, 'PHONE_INVALID'],
    [{ phone: '1381234567' }, 'PHONE_INVALID'],
    [{ phone: '12812345678' }, 'PHONE_INVALID'],
    [{ phone: '13812345678\n' }, 'PHONE_INVALID'],
    [{ phone: '+8613812345678' }, 'PHONE_INVALID'],
    [{ phone: '19912345678' }, 'accepted'],
    [{ phone: 'x', extra: 1 }, 'UNKNOWN_FIELDS'],
  ],
  'auth.register': [
    [{ phone: '1' }, 'PHONE_INVALID'],
    [{ verificationCode: '12345' }, 'VERIFICATION_FAILED'],
    [{ verificationCode: 123456 }, 'VERIFICATION_FAILED'],
    [{ verificationCode: missing }, 'VERIFICATION_FAILED'],
    [{ challengeId: 'gvc_' }, 'VERIFICATION_FAILED'],
    [{ challengeId: missing }, 'VERIFICATION_FAILED'],
    [{ recoveryEmail: 'unknown' }, 'EMAIL_INVALID'],
    [{ recoveryEmail: missing }, 'EMAIL_INVALID'],
    [{ recoveryEmail: `${'a'.repeat(250)}@b.cn` }, 'EMAIL_INVALID'],
    [{ recoveryEmail: `${'a'.repeat(249)}@b.cn` }, 'accepted'],
    [{ password: 'a'.repeat(11) }, 'PASSWORD_INVALID'],
    [{ password: 'a'.repeat(129) }, 'PASSWORD_INVALID'],
    [{ password: missing }, 'PASSWORD_INVALID'],
    [{ password: '😀'.repeat(12) }, 'accepted'],
    [{ password: '😀'.repeat(128) }, 'accepted'],
    [{ password: '😀'.repeat(11) }, 'PASSWORD_INVALID'],
    [{ next: '/elsewhere' }, 'NEXT_PATH_INVALID'],
    [{ next: null }, 'NEXT_PATH_INVALID'],
    [{ next: missing }, 'accepted'],
    [{ phone: '1', verificationCode: '1', password: '' }, 'PHONE_INVALID'],
    [{ verificationCode: missing, recoveryEmail: '' }, 'VERIFICATION_FAILED'],
    [{ password: '', next: '/x', recoveryEmail: 'x' }, 'EMAIL_INVALID'],
    [{ phone: missing, projectId: 'prj_1' }, 'UNKNOWN_FIELDS'],
  ],
  'auth.login': [
    [{ identifier: 'someone' }, 'IDENTIFIER_INVALID'],
    [{ identifier: missing }, 'IDENTIFIER_INVALID'],
    [{ identifier: 13812345678 }, 'IDENTIFIER_INVALID'],
    [{ identifier: 'li@example.com' }, 'accepted'],
    [{ password: 'short' }, 'PASSWORD_INVALID'],
    [{ password: ['correct horse battery staple'] }, 'PASSWORD_INVALID'],
    [{ next: '/' }, 'NEXT_PATH_INVALID'],
    [{ identifier: '', password: '' }, 'IDENTIFIER_INVALID'],
  ],
  'auth.logout': [
    [{}, 'accepted'],
    [{ all: true }, 'UNKNOWN_FIELDS'],
  ],
  'keys.create': [
    [{ scopes: missing }, 'INVALID_SCOPE'],
    [{ scopes: [] }, 'INVALID_SCOPE'],
    [{ scopes: 'pick:read' }, 'INVALID_SCOPE'],
    [{ scopes: ['pick:read', 'pick:read'] }, 'INVALID_SCOPE'],
    [{ scopes: ['pick:write'] }, 'INVALID_SCOPE'],
    [{ scopes: [7] }, 'INVALID_SCOPE'],
    [{ scopes: [], projectId: 'prj_1' }, 'UNKNOWN_FIELDS'],
  ],
  'keys.revoke': [[{ reason: 'lost' }, 'UNKNOWN_FIELDS']],
  'orders.create': [
    [{ amountFen: missing }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 0 }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 99 }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 150 }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 1_000_100 }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 100.5 }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: '100' }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: -100 }, 'RECHARGE_AMOUNT_INVALID'],
    [{ amountFen: 100 }, 'accepted'],
    [{ amountFen: 1_000_000 }, 'accepted'],
    [{ amountFen: 100, creditAmount: 1000 }, 'UNKNOWN_FIELDS'],
  ],
  'orders.confirm': [[{ amountFen: 100 }, 'UNKNOWN_FIELDS']],
  'model.chat': [
    [{ prompt: missing }, 'INVALID_PROMPT'],
    [{ prompt: '' }, 'INVALID_PROMPT'],
    [{ prompt: ' \t\n　' }, 'INVALID_PROMPT'],
    [{ prompt: ['hello'] }, 'INVALID_PROMPT'],
    [{ provider: 'elsewhere' }, 'PROVIDER_NOT_ALLOWED'],
    [{ provider: null }, 'PROVIDER_NOT_ALLOWED'],
    [{ provider: shopA }, 'PROVIDER_NOT_ALLOWED'],
    [{ model: ' ' }, 'INVALID_MODEL'],
    [{ model: 1 }, 'INVALID_MODEL'],
    [{ prompt: '', provider: 'x', model: '' }, 'INVALID_PROMPT'],
    [{ provider: 'x', model: '' }, 'PROVIDER_NOT_ALLOWED'],
    [{ prompt: '', temperature: 1 }, 'UNKNOWN_FIELDS'],
  ],
  'shopping.search': searchRows(),
  'pick.search': searchRows(),
  'pick.filter': [
    ...itemRefsRows(1),
    [{ criteria: 'cheap' }, 'INVALID_FILTERS'],
    [{ criteria: { maxPriceCents: 1, minPriceCents: 0 } }, 'INVALID_FILTERS'],
    [{ criteria: {} }, 'accepted'],
    [{ itemRefs: [], criteria: 1 }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: [ref, {}], criteria: 1 }, 'INVALID_ITEM_REF'],
  ],
  'pick.compare': itemRefsRows(2),
  'pick.recommend': [
    ...itemRefsRows(1),
    [{ preferences: [] }, 'INVALID_PREFERENCES'],
    [{ preferences: { priority: 'speed' } }, 'INVALID_PREFERENCES'],
    [{ preferences: { priority: 'price', brand: 'x' } }, 'INVALID_PREFERENCES'],
    [{ preferences: {} }, 'accepted'],
    [{ itemRefs: [{ ...ref, productId: ' ' }], preferences: 1 }, 'INVALID_ITEM_REF'],
  ],
  'pick.prepurchase_review': [
    [{ itemRef: missing }, 'INVALID_ITEM_REF'],
    [{ itemRef: [ref] }, 'INVALID_ITEM_REF'],
    [{ itemRef: { ...ref, productId: '' } }, 'INVALID_ITEM_REF'],
    [{ itemRef: { ...ref, title: 'x' } }, 'INVALID_ITEM_REF'],
    [{ requirements: 'warm' }, 'INVALID_REQUIREMENTS'],
    [{ requirements: Array(6).fill('warm') }, 'INVALID_REQUIREMENTS'],
    [{ requirements: [1] }, 'INVALID_REQUIREMENTS'],
    [{ requirements: [] }, 'accepted'],
    [{ itemRef: {}, requirements: 1 }, 'INVALID_ITEM_REF'],
  ],
  'pick.links': itemRefsRows(1),
  'agent.run': [
    [{ tool: missing }, 'TOOL_NOT_ALLOWED'],
    [{ tool: 'pick.links' }, 'TOOL_NOT_ALLOWED'],
    [{ tool: 'shell', arguments: 1 }, 'TOOL_NOT_ALLOWED'],
    [{ arguments: missing }, 'INVALID_ARGUMENTS'],
    [{ arguments: [] }, 'INVALID_ARGUMENTS'],
    [{ arguments: 'search' }, 'INVALID_ARGUMENTS'],
    [{ arguments: null }, 'INVALID_ARGUMENTS'],
    [{ arguments: {} }, 'TOOL_OPERATION_NOT_ALLOWED'],
    [{ arguments: { operation: 'links', payload: { itemRefs: [ref] } } }, 'TOOL_OPERATION_NOT_ALLOWED'],
    [{ arguments: { operation: 7, payload: {} } }, 'TOOL_OPERATION_NOT_ALLOWED'],
    [{ arguments: { operation: 'search' } }, 'INVALID_ARGUMENTS'],
    [{ arguments: { operation: 'search', payload: [] } }, 'INVALID_ARGUMENTS'],
    [{ arguments: { operation: 'search', payload: { query: 'x' }, extra: 1 } }, 'INVALID_ARGUMENTS'],
    [{ arguments: { operation: 'search', payload: { query: '', extra: 1 } } }, 'UNKNOWN_FIELDS'],
    [{ tool: 'shell', arguments: { operation: 'search', payload: { query: 'x', extra: 1 } } }, 'TOOL_NOT_ALLOWED'],
    [{ tool: 'shell', extra: 1 }, 'UNKNOWN_FIELDS'],
    ...asPayload('search', exampleOf('pick.search'), searchRows()),
    ...asPayload('filter', exampleOf('pick.filter'), itemRefsRows(1)),
    ...asPayload('compare', exampleOf('pick.compare'), itemRefsRows(2)),
    ...asPayload('recommend', exampleOf('pick.recommend'), [
      [{ preferences: { priority: 1 } }, 'INVALID_PREFERENCES'],
      [{ itemRefs: [{}], preferences: 1 }, 'INVALID_ITEM_REF'],
    ]),
    ...asPayload('prepurchase_review', exampleOf('pick.prepurchase_review'), [
      [{ itemRef: {}, requirements: 1 }, 'INVALID_ITEM_REF'],
      [{ requirements: 1 }, 'INVALID_REQUIREMENTS'],
    ]),
  ],
}

function searchRows(): Row[] {
  return [
    [{ query: missing }, 'INVALID_QUERY'],
    [{ query: '' }, 'INVALID_QUERY'],
    [{ query: '  ' }, 'INVALID_QUERY'],
    [{ query: 1 }, 'INVALID_QUERY'],
    [{ provider: 'elsewhere' }, 'PROVIDER_NOT_ALLOWED'],
    [{ provider: shopA }, 'accepted'],
    [{ providers: [] }, 'PROVIDER_NOT_ALLOWED'],
    [{ providers: shopA }, 'PROVIDER_NOT_ALLOWED'],
    [{ providers: [shopA, shopA] }, 'PROVIDER_NOT_ALLOWED'],
    [{ providers: [shopA, 'elsewhere'] }, 'PROVIDER_NOT_ALLOWED'],
    [{ providers: [...providerNames.shops] }, 'accepted'],
    [{ provider: shopA, providers: [shopA] }, 'PROVIDER_NOT_ALLOWED'],
    [{ filters: [] }, 'INVALID_FILTERS'],
    [{ filters: { maxPriceCents: -1 } }, 'INVALID_FILTERS'],
    [{ filters: { maxPriceCents: 1.5 } }, 'INVALID_FILTERS'],
    [{ filters: { maxPriceCents: '1' } }, 'INVALID_FILTERS'],
    [{ filters: { brand: 'x' } }, 'INVALID_FILTERS'],
    [{ filters: { maxPriceCents: 0 } }, 'accepted'],
    [{ sort: 'price_desc' }, 'INVALID_SORT'],
    [{ sort: null }, 'INVALID_SORT'],
    [{ limit: 0 }, 'INVALID_LIMIT'],
    [{ limit: 4 }, 'INVALID_LIMIT'],
    [{ limit: 1.5 }, 'INVALID_LIMIT'],
    [{ limit: '3' }, 'INVALID_LIMIT'],
    [{ limit: 9, sort: 'x', filters: 1 }, 'INVALID_FILTERS'],
    [{ limit: 9, filters: { maxPriceCents: -1 } }, 'INVALID_FILTERS'],
    [{ limit: 9, sort: 'x' }, 'INVALID_SORT'],
    [{ query: '', provider: shopA, providers: [shopA] }, 'INVALID_QUERY'],
    [{ query: '', page: 2 }, 'UNKNOWN_FIELDS'],
  ]
}

function itemRefsRows(minimum: 1 | 2): Row[] {
  return [
    [{ itemRefs: missing }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: ref }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: [] }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: [ref] }, minimum === 1 ? 'accepted' : 'INVALID_ITEM_REFS'],
    [{ itemRefs: [ref, other, third] }, 'accepted'],
    [{ itemRefs: [ref, other, third, { ...ref, productId: 'x' }] }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: [ref, ref] }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: [ref, { ...ref, productId: ` ${ref.productId} ` }] }, 'INVALID_ITEM_REFS'],
    [{ itemRefs: [ref, 'b-2044'] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, null] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, { provider: shopB }] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, { provider: 'elsewhere', productId: '1' }] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, { provider: { toString: 'no text' }, productId: '1' }] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, { ...other, productId: ' ' }] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, { ...other, productId: 'x'.repeat(501) }] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [ref, { ...other, productId: '😀'.repeat(500) }] }, 'accepted'],
    [{ itemRefs: [ref, { ...other, title: 'x' }] }, 'INVALID_ITEM_REF'],
    [{ itemRefs: [], extra: 1 }, 'UNKNOWN_FIELDS'],
  ]
}

/** The same change to the payload of an agent call gives the same verdict. */
function asPayload(operation: string, base: object, rows: Row[]): Row[] {
  return rows.map(([change, verdict]) => [{ arguments: { operation, payload: changed(base, change) } }, verdict])
}

function changed(base: object, change: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries({ ...base, ...change }).filter(([, value]) => value !== missing))
}

test.each(Object.entries(tables))('%s: every changed request gets its verdict', (id, rows) =>
  eachRow(
    rows,
    ([change]) => describeChange(change),
    ([change, verdict]) => expect(codeFor(id, changed(exampleOf(id), change))).toBe(verdict),
  ),
)

function describeChange(change: Record<string, unknown>): string {
  const text = JSON.stringify(change, (_, value) => (value === missing ? '(missing)' : value))
  return text.length > 100 ? `${text.slice(0, 97)}...` : text
}

test.each(billableOperations)('%s: every wrong request gets its code, every right one is accepted', (id) => {
  // What the configuration forbids is no matter of the schema.
  for (const [code, requests] of Object.entries(wrongRequests(id)))
    for (const request of isConfigured.has(code) ? [] : requests)
      expect(codeFor(id, JSON.parse(JSON.stringify(request)))).toBe(code)
  for (const request of [rightRequest(id), otherRequest(id)]) expect(codeFor(id, request)).toBe('accepted')
})
const isConfigured = new Set(['MODEL_NOT_ALLOWED', 'PROMPT_TOO_LARGE'])

test('every operation that takes a body has rows, here or in the table of operations', () => {
  const covered = new Set([...Object.keys(tables), ...billableOperations])
  expect([...covered].sort()).toEqual(withBody.map(({ id }) => id).sort())
})

test('every operation accepts its own example', () => {
  const refused = withBody.filter(({ id, requestExample }) => codeFor(id, requestExample) !== 'accepted')
  expect(refused.map(({ id }) => id)).toEqual([])
})

test('a body that is not an object is refused', () => {
  for (const { id } of withBody)
    for (const body of [null, [], 'x', 1, true]) expect(codeFor(id, body)).toBe('INVALID_JSON')
})

test('a field named __proto__ is an unknown field', () => {
  expect(codeFor('auth.logout', JSON.parse('{"__proto__": {"x": 1}}'))).toBe('UNKNOWN_FIELDS')
})

test('lists of unique entries state the entry type, so that they are checked in linear time', () => {
  const lists: object[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if ('uniqueItems' in node) lists.push(node)
    Object.values(node).forEach(visit)
  }
  for (const { request } of withBody) visit(request)
  expect(lists.length).toBeGreaterThan(0)
  for (const list of lists) expect(list).toMatchObject({ items: { type: 'string' }, maxItems: expect.any(Number) })
})

describe('whatever is done to a valid request', () => {
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', ' ', '\u0000', '\ud800', -0, 1e308, 0.1, 2 ** 53, null, [], {}),
  )

  test('every operation accepts it or refuses it with a code it lists', () =>
    eachRow(
      withBody,
      ({ id }) => id,
      ({ id, errors, requestExample }: Operation) => {
        fc.assert(
          fc.property(fc.infiniteStream(fc.nat()), strange, fc.string(), (choices, value, name) => {
            const body = mutate(requestExample, choices, value, name)
            const code = codeFor(id, body)
            if (code !== 'accepted') expect(errors).toContain(code)
          }),
          { numRuns: 300 },
        )
      },
    ))

  /** Walks down the value along the choices, and there replaces, removes, adds or repeats something. */
  function mutate(value: unknown, choices: Iterator<number>, strangeValue: unknown, name: string): unknown {
    const next = (bound: number) => choices.next().value % bound
    if (Array.isArray(value)) {
      const at = value.length ? next(value.length) : 0
      const step = next(4)
      if (step === 0) return value.toSpliced(at, 1)
      if (step === 1) return [...value, strangeValue]
      if (step === 2) return [...value, ...value]
      return value.length ? value.with(at, mutate(value[at], choices, strangeValue, name)) : [strangeValue]
    }
    if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value)
      const key = keys[next(keys.length || 1)]
      const step = next(4)
      if (key === undefined || step === 0) return { ...value, [name]: strangeValue }
      const { [key]: old, ...rest } = value as Record<string, unknown>
      return step === 1 ? rest : { ...rest, [key]: mutate(old, choices, strangeValue, name) }
    }
    return strangeValue
  }
})

describe('the work of a refusal is bounded', () => {
  /** Counts how many entries or fields of the value were read. */
  function counted(id: string, build: (count: <T extends object>(value: T) => T) => object) {
    let looks = 0
    const count = <T extends object>(value: T): T =>
      new Proxy(value, {
        get: (target, key) => {
          if (typeof key === 'string' && key !== 'length') looks += 1
          return Reflect.get(target, key)
        },
      })
    const code = codeFor(id, build(count))
    return { code, looks }
  }

  test('an array that is too long is refused without reading its entries', () => {
    const { code, looks } = counted('pick.filter', (count) => ({ itemRefs: count(Array(20_000).fill({})) }))
    expect(code).toBe('INVALID_ITEM_REFS')
    expect(looks).toBeLessThan(50)
  })

  test('the first of many unknown fields ends the check', () => {
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, {}]))
    const { code, looks } = counted('pick.filter', (count) => count(fields))
    expect(code).toBe('UNKNOWN_FIELDS')
    expect(looks).toBeLessThan(50)
  })

  test('the code is the same as that of a full check', () => {
    const many = Array.from({ length: 5 }, (_, i) => ({ ...ref, productId: `p${i}` }))
    expect(codeFor('pick.filter', { itemRefs: many, extra: 1 })).toBe('UNKNOWN_FIELDS')
    expect(codeFor('pick.filter', { itemRefs: [{}, ...many] })).toBe('INVALID_ITEM_REFS')
    expect(codeFor('pick.filter', JSON.parse('{"itemRefs":[],"__proto__":{}}'))).toBe('UNKNOWN_FIELDS')
    const args = { operation: 'compare', payload: { itemRefs: many, extra: 1 } }
    expect(codeFor('agent.run', { tool: 'pick.assist', arguments: args })).toBe('UNKNOWN_FIELDS')
  })
})

test.each([
  ['pick.prepurchase_review', { itemRef: ref, requirements: ['字'.repeat(500)] }, 'accepted'],
  ['pick.prepurchase_review', { itemRef: ref, requirements: ['字'.repeat(501)] }, 'INVALID_REQUIREMENTS'],
  ['pick.search', { query: 'x', filters: { maxPriceCents: 9_007_199_254_740_991 } }, 'accepted'],
  ['pick.search', { query: 'x', filters: { maxPriceCents: 9_007_199_254_740_992 } }, 'INVALID_FILTERS'],
] as const)('%s has its own maximum: %j is %s', (id, body, verdict) => {
  expect(codeFor(id, body)).toBe(verdict)
})
