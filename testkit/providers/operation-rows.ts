import type { ErrorCode } from '../../src/contract/errors.ts'
import { type BillableOperation, billableOperations } from '../../src/contract/prices.ts'
import { type AgentOperation, agentTool, type RequestOf } from '../../src/contract/schemas/business.ts'
import type { ItemRef } from '../../src/contract/schemas/products.ts'
import type { Random } from '../storms/random.ts'
import { shownBy, type UpstreamPath } from './good-provider.ts'

/** What tests know about each billable operation, said once. The compiler names an operation without a row. */
export const operationRows: { readonly [O in BillableOperation]: OperationRow<O> } = {
  'agent.run': {
    upstream: { kind: 'shop', path: '/search' },
    right: (providers) => byAgent('search', operationRows['pick.search'].right(providers)),
    other: ({ items }) => byAgent('compare', { itemRefs: items }),
    reading: (items) => byAgent('compare', { itemRefs: items }),
    random: (random) => ({
      tool: agentTool,
      arguments: random.pick([
        { operation: 'search', payload: randomSearch(random) },
        { operation: 'compare', payload: { itemRefs: randomRefs(random, 3) } },
        { operation: 'prepurchase_review', payload: { itemRef: randomRef(random) } },
      ]),
    }),
    wrong: agentFaults,
  },
  'model.chat': {
    upstream: { kind: 'model', path: '/chat/completions' },
    right: ({ model }) => ({ prompt: '你好', provider: model }),
    other: ({ model }) => ({ prompt: '再见', provider: model }),
    reading: null,
    random: (random) => ({ prompt: `问题 ${random.next()}`, ...random.pick([{}, { provider: 'model_provider_b' }]) }),
    wrong: () => ({
      INVALID_PROMPT: each('model.chat', 'prompt', [undefined, null, '', ' \n\t\u3000', 3, ['你好'], {}]),
      PROVIDER_NOT_ALLOWED: each('model.chat', 'provider', [null, '', 'shop_provider_a', 'MODEL_PROVIDER_A', 1, []]),
      INVALID_MODEL: each('model.chat', 'model', [null, '', '  ', 5, {}]),
      MODEL_NOT_ALLOWED: each('model.chat', 'model', [
        'unknown',
        ' fast',
        'FAST',
        'upstream-fast',
        'constructor',
        '__proto__',
      ]),
      PROMPT_TOO_LARGE: each('model.chat', 'prompt', [
        '长'.repeat(maxPromptChars + 1),
        '🧧'.repeat(maxPromptChars + 1),
      ]),
    }),
  },
  'shopping.search': searchRow('shopping.search', { filters: { maxPriceCents: 9900 } }),
  'pick.compare': {
    upstream: null,
    right: ({ items }) => ({ itemRefs: items }),
    other: ({ items }) => ({ itemRefs: items.toReversed() }),
    reading: (items) => ({ itemRefs: items }),
    random: (random) => ({ itemRefs: randomRefs(random, 3) }),
    wrong: () => itemRefsFaults('pick.compare', 2),
  },
  'pick.filter': {
    upstream: null,
    right: ({ items }) => ({ itemRefs: items }),
    other: ({ items }) => ({ itemRefs: items, criteria: { maxPriceCents: 9900 } }),
    reading: (items) => ({ itemRefs: items }),
    random: (random) => ({ itemRefs: randomRefs(random, 3) }),
    wrong: () => ({
      ...itemRefsFaults('pick.filter', 1),
      INVALID_FILTERS: each('pick.filter', 'criteria', wrongCriteria),
    }),
  },
  'pick.links': {
    upstream: { kind: 'shop', path: '/links' },
    right: ({ items }) => ({ itemRefs: items }),
    other: ({ items }) => ({ itemRefs: items.toReversed() }),
    reading: (items) => ({ itemRefs: items }),
    random: (random) => ({ itemRefs: randomRefs(random, 3) }),
    wrong: () => itemRefsFaults('pick.links', 1),
  },
  'pick.prepurchase_review': {
    upstream: null,
    right: ({ items }) => ({ itemRef: items[0]! }),
    other: ({ items }) => ({ itemRef: items[0]!, requirements: ['304'] }),
    reading: (items) => ({ itemRef: items[0]! }),
    random: (random) => ({ itemRef: randomRef(random) }),
    wrong: () => ({
      INVALID_ITEM_REF: each('pick.prepurchase_review', 'itemRef', [undefined, ...wrongItemRefs]),
      INVALID_REQUIREMENTS: each('pick.prepurchase_review', 'requirements', [
        null,
        '304',
        [1],
        [null],
        Array(6).fill('x'),
      ]),
    }),
  },
  'pick.recommend': {
    upstream: null,
    right: ({ items }) => ({ itemRefs: items }),
    other: ({ items }) => ({ itemRefs: items, preferences: { priority: 'price' } }),
    reading: (items) => ({ itemRefs: items }),
    random: (random) => ({ itemRefs: randomRefs(random, 3) }),
    wrong: () => ({
      ...itemRefsFaults('pick.recommend', 1),
      INVALID_PREFERENCES: each('pick.recommend', 'preferences', [
        null,
        [],
        'price',
        { priority: 'cheap' },
        { priority: null },
        { priority: 'price', other: 1 },
      ]),
    }),
  },
  'pick.search': searchRow('pick.search', { sort: 'relevance' }),
}

interface OperationRow<O extends BillableOperation> {
  /** The kind of provider and the path that it forwards to; null if no call of it leaves the process. */
  readonly upstream: { readonly kind: 'model' | 'shop'; readonly path: UpstreamPath } | null
  /** A valid request. */
  readonly right: (providers: Providers) => RequestOf<O>
  /** Another valid request, with the optional fields. */
  readonly other: (providers: Providers) => RequestOf<O>
  /** A request that reads these items of an earlier search; null if it reads none. */
  readonly reading: ((items: ItemRef[]) => RequestOf<O>) | null
  /** A valid request of a storm. It may name items that no search returned. */
  readonly random: (random: Random) => RequestOf<O>
  /** Requests that are wrong in one way, by the code they must get. */
  readonly wrong: () => Faults
}

/** Whom a request names: a shop, a model provider, and two items of an earlier search. */
interface Providers {
  readonly shop: string
  readonly model: string
  readonly items: ItemRef[]
}

type Faults = Partial<Record<ErrorCode, readonly unknown[]>>

function providersOf({ shop = 'shop_provider_a', model = 'model_provider_a', items = shownBy(shop) }): Providers {
  return { shop, model, items }
}

export const rightRequest = (operation: BillableOperation, providers: Partial<Providers> = {}): object =>
  operationRows[operation].right(providersOf(providers))

export const otherRequest = (operation: BillableOperation, providers: Partial<Providers> = {}): object =>
  operationRows[operation].other(providersOf(providers))

export const wrongRequests = (operation: BillableOperation): Faults => operationRows[operation].wrong()

/** The operations that some call to a provider belongs to. */
export const forwardingOperations = billableOperations.filter((operation) => operationRows[operation].upstream !== null)

/** One operation for each path of a provider. */
export const operationsByPath = [
  ...new Map(forwardingOperations.map((operation) => [operationRows[operation].upstream!.path, operation])).values(),
]

/** Longer than the model providers of these tests accept. */
export const maxPromptChars = 20

const tools: Record<AgentOperation, true> = {
  ...{ search: true, filter: true, compare: true, recommend: true, prepurchase_review: true },
}
export const agentOperations = Object.keys(tools) as AgentOperation[]

export const byAgent = (operation: AgentOperation, payload: object) =>
  ({ tool: agentTool, arguments: { operation, payload } }) as RequestOf<'agent.run'>

/** An unknown field together with another fault: the unknown field is reported first. */
export function unknownFields(operation: BillableOperation): unknown[] {
  const right = rightRequest(operation)
  const [required] = Object.keys(right)
  return [
    { ...right, other: 1 },
    { ...right, projectId: 'prj_1' },
    { ...right, ['__proto__']: null, constructor: {} },
    { [required!]: null, other: 1 },
    ...(operation === 'agent.run' ? [byAgent('search', { ...rightRequest('pick.search'), other: 1 })] : []),
  ]
}

/** The valid request with one field changed, or left out when the value is undefined. */
function each(operation: BillableOperation, field: string, values: readonly unknown[]): unknown[] {
  return values.map((value) => ({ ...rightRequest(operation), [field]: value }))
}

type Search = RequestOf<'pick.search'>

function searchRow<O extends 'shopping.search' | 'pick.search'>(operation: O, optional: Partial<Search>) {
  return {
    upstream: { kind: 'shop', path: '/search' },
    right: ({ shop }) => ({ query: '保温杯', provider: shop }),
    other: ({ shop }) => ({ query: '保温杯', provider: shop, limit: 2, ...optional }),
    reading: null,
    random: (random) => randomSearch(random),
    wrong: () => searchFaults(operation),
  } satisfies OperationRow<'pick.search'>
}

function searchFaults(operation: 'shopping.search' | 'pick.search'): Faults {
  const [a, b, c] = shops
  return {
    INVALID_QUERY: each(operation, 'query', [undefined, null, '', '  ', 7, ['杯']]),
    PROVIDER_NOT_ALLOWED: [
      ...each(operation, 'provider', [null, '', 'model_provider_a', 2]),
      ...[null, [], 'shop_provider_a', [a, a], [a, b, c, a], ['other'], [null]].map((providers) => ({
        query: '杯',
        providers,
      })),
      { query: '杯', provider: a, providers: [a] },
    ],
    INVALID_LIMIT: each(operation, 'limit', [null, 0, -1, 4, 1.5, '2']),
    INVALID_SORT: each(operation, 'sort', [null, '', 'price_desc', 1]),
    INVALID_FILTERS: each(operation, 'filters', wrongCriteria),
  }
}

const wrongCriteria = [
  null,
  [],
  'cheap',
  { maxPriceCents: -1 },
  { maxPriceCents: 1.5 },
  { maxPriceCents: '1' },
  { maxPriceCents: null },
  { maxPriceCents: 1, other: 1 },
]

const [ref] = shownBy('shop_provider_a')

/** Of an operation that takes this many items at least, and three at most. */
function itemRefsFaults(operation: BillableOperation, minItems: number): Faults {
  const others = [2, 3, 4].map((n) => ({ ...ref, productId: `p-${n}` }))
  return {
    INVALID_ITEM_REFS: each(operation, 'itemRefs', [
      undefined,
      null,
      ref,
      'p-1',
      [],
      ...(minItems === 2 ? [[ref]] : []),
      [ref, ...others],
      [ref, ref],
      [ref, { ...ref, productId: ' p-1 ' }],
    ]),
    INVALID_ITEM_REF: each(
      operation,
      'itemRefs',
      wrongItemRefs.map((wrong) => [ref, wrong]),
    ),
  }
}

const wrongItemRefs = [
  null,
  'p-1',
  {},
  { productId: 'p-2' },
  { provider: 'shop_provider_a' },
  { ...ref, provider: 'model_provider_a' },
  { ...ref, productId: '' },
  { ...ref, productId: ' \t' },
  { ...ref, productId: 2 },
  { ...ref, productId: '🧧'.repeat(501) },
  { ...ref, productId: 'p-2', other: 1 },
]

function agentFaults(): Faults {
  const search = rightRequest('pick.search')
  const wrapped = (operation: AgentOperation, requests: readonly unknown[]) =>
    requests.map((payload) => byAgent(operation, payload as object))
  const wrappedAll = (operation: AgentOperation, faults: Faults): Faults =>
    Object.fromEntries(Object.entries(faults).map(([code, requests]) => [code, wrapped(operation, requests)]))
  const ofReview = operationRows['pick.prepurchase_review'].wrong()
  const ofCompare = operationRows['pick.compare'].wrong()
  return {
    TOOL_NOT_ALLOWED: each('agent.run', 'tool', [undefined, null, '', 'pick.links', 'pick.search', 1]),
    TOOL_OPERATION_NOT_ALLOWED: [undefined, null, '', 'links', 'pick.search', 'run', 'constructor', 1].map(
      (operation) => ({ tool: agentTool, arguments: { operation, payload: search } }),
    ),
    INVALID_ARGUMENTS: [
      ...each('agent.run', 'arguments', [undefined, null, [], 'search', 1]),
      ...wrapped('search', [undefined, null, [], '杯']),
      { tool: agentTool, arguments: { ...byAgent('search', search).arguments, other: 1 } },
    ],
    ...wrappedAll('search', operationRows['pick.search'].wrong()),
    ...wrappedAll('compare', ofCompare),
    INVALID_ITEM_REF: [
      ...wrapped('compare', ofCompare.INVALID_ITEM_REF!),
      ...wrapped('prepurchase_review', ofReview.INVALID_ITEM_REF!),
    ],
    INVALID_PREFERENCES: wrapped('recommend', operationRows['pick.recommend'].wrong().INVALID_PREFERENCES!),
    INVALID_REQUIREMENTS: wrapped('prepurchase_review', ofReview.INVALID_REQUIREMENTS!),
  }
}

const shops = ['shop_provider_a', 'shop_provider_b', 'shop_provider_c'] as const

const randomRef = (random: Random): ItemRef => ({
  provider: random.pick(shops),
  productId: random.pick(['p-1', 'p-2', 'p-3', 'p-1', 'p-2', 'never shown']),
})

const randomRefs = (random: Random, count: number): ItemRef[] => {
  const drawn = Array.from({ length: count }, () => randomRef(random))
  return [...new Map(drawn.map((one) => [JSON.stringify(one), one])).values()]
}

const randomSearch = (random: Random): Search => ({
  query: `杯 ${random.below(200)}`,
  ...random.pick<Partial<Search>>([{}, { provider: random.pick(shops) }, { providers: shops.slice(random.below(3)) }]),
  ...random.pick<Partial<Search>>([{}, { limit: 1 + random.below(3) }, { sort: 'price_asc' }]),
})
