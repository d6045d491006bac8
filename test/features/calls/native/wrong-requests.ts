import type { ErrorCode } from '../../../../src/contract/errors.ts'
import type { BillableOperation } from '../../../../src/contract/prices.ts'
import { shownBy } from '../../../../testkit/providers/good-provider.ts'

/** Longer than the model providers of these tests accept. */
export const maxPromptChars = 20

/** A valid request to the provider that the tests control. */
export function rightRequest(
  operation: BillableOperation,
  { shop = 'shop_provider_a', model = 'model_provider_a' } = {},
): Record<string, unknown> {
  const itemRefs = shownBy(shop)
  switch (operation) {
    case 'model.chat':
      return { prompt: '你好', provider: model }
    case 'shopping.search':
    case 'pick.search':
      return { query: '保温杯', provider: shop }
    case 'pick.prepurchase_review':
      return { itemRef: itemRefs[0] }
    case 'agent.run':
      return byAgent('search', rightRequest('pick.search', { shop }))
    default:
      return { itemRefs }
  }
}

export const byAgent = (operation: string, payload: unknown) => ({
  tool: 'pick.assist',
  arguments: { operation, payload },
})

type Faults = Partial<Record<ErrorCode, readonly unknown[]>>

/** Requests that are wrong in one way, by the code they must get. */
export const wrongRequests: Record<BillableOperation, Faults> = {
  'model.chat': {
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
    PROMPT_TOO_LARGE: each('model.chat', 'prompt', ['长'.repeat(maxPromptChars + 1), '🧧'.repeat(maxPromptChars + 1)]),
  },
  'shopping.search': searchFaults('shopping.search'),
  'pick.search': searchFaults('pick.search'),
  'pick.filter': {
    ...itemRefsFaults('pick.filter', 1),
    INVALID_FILTERS: each('pick.filter', 'criteria', wrongCriteria()),
  },
  'pick.compare': itemRefsFaults('pick.compare', 2),
  'pick.recommend': {
    ...itemRefsFaults('pick.recommend', 1),
    INVALID_PREFERENCES: each('pick.recommend', 'preferences', [
      null,
      [],
      'price',
      { priority: 'cheap' },
      { priority: null },
      { priority: 'price', other: 1 },
    ]),
  },
  'pick.prepurchase_review': {
    INVALID_ITEM_REF: each('pick.prepurchase_review', 'itemRef', [undefined, ...wrongItemRefs()]),
    INVALID_REQUIREMENTS: each('pick.prepurchase_review', 'requirements', [
      null,
      '304',
      [1],
      [null],
      Array(6).fill('x'),
    ]),
  },
  'pick.links': itemRefsFaults('pick.links', 1),
  'agent.run': {
    TOOL_NOT_ALLOWED: each('agent.run', 'tool', [undefined, null, '', 'pick.links', 'pick.search', 1]),
    TOOL_OPERATION_NOT_ALLOWED: [
      ...[undefined, null, '', 'links', 'pick.search', 'run', 'constructor', 1].map((operation) => ({
        tool: 'pick.assist',
        arguments: { operation, payload: rightRequest('pick.search') },
      })),
    ],
    INVALID_ARGUMENTS: [
      ...each('agent.run', 'arguments', [undefined, null, [], 'search', 1]),
      byAgent('search', undefined),
      byAgent('search', null),
      byAgent('search', []),
      byAgent('search', '杯'),
      { tool: 'pick.assist', arguments: { ...byAgent('search', rightRequest('pick.search')).arguments, other: 1 } },
    ],
    ...wrapped('search', searchFaults('pick.search')),
    ...wrapped('compare', itemRefsFaults('pick.compare', 2)),
    INVALID_ITEM_REF: [
      ...wrapped('compare', itemRefsFaults('pick.compare', 2)).INVALID_ITEM_REF!,
      ...wrapped('prepurchase_review', {
        INVALID_ITEM_REF: each('pick.prepurchase_review', 'itemRef', [undefined, ...wrongItemRefs()]),
      }).INVALID_ITEM_REF!,
    ],
    ...wrapped('recommend', {
      INVALID_PREFERENCES: each('pick.recommend', 'preferences', [null, { priority: 'cheap' }, { other: 1 }]),
    }),
    ...wrapped('prepurchase_review', {
      INVALID_REQUIREMENTS: each('pick.prepurchase_review', 'requirements', ['304', [1], Array(6).fill('x')]),
    }),
  },
}

/** An unknown field beside another fault: the unknown field is reported first. */
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

function searchFaults(operation: 'shopping.search' | 'pick.search'): Faults {
  const [a, b, c] = ['shop_provider_a', 'shop_provider_b', 'shop_provider_c']
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
    INVALID_FILTERS: each(operation, 'filters', wrongCriteria()),
  }
}

function wrongCriteria(): unknown[] {
  return [
    null,
    [],
    'cheap',
    { maxPriceCents: -1 },
    { maxPriceCents: 1.5 },
    { maxPriceCents: '1' },
    { maxPriceCents: null },
    { maxPriceCents: 1, other: 1 },
  ]
}

function itemRefsFaults(operation: BillableOperation, minItems: number): Faults {
  const [ref] = shownBy('shop_provider_a')
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
      wrongItemRefs().map((wrong) => [ref, wrong]),
    ),
  }
}

function wrongItemRefs(): unknown[] {
  const [ref] = shownBy('shop_provider_a')
  return [
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
}

function wrapped(operation: string, faults: Faults): Faults {
  return Object.fromEntries(
    Object.entries(faults).map(([code, requests]) => [code, requests.map((payload) => byAgent(operation, payload))]),
  )
}
