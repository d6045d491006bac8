import type { ProviderNames } from './choices.ts'
import { type BillableOperation, creditsPerYuan, currency, pricingVersion, yuanPerCredit } from './prices.ts'
import type { ConfirmedOrder, Me, Order } from './schemas/account.ts'
import { agentTool } from './schemas/business.ts'
import type { AuthResponse } from './schemas/identity.ts'
import type { CreatedKey, Key } from './schemas/keys.ts'
import { compareDimensions, recommendMethod } from './schemas/pick.ts'
import type { Item } from './schemas/products.ts'

const account: AuthResponse['account'] = {
  accountId: 'acc_7hT2mQ9xLd4R',
  identitySubject: 'idp_5bN8vW1kYc3Z',
  phoneMasked: '138****5678',
  recoveryEmailMasked: 'l***@example.com',
  recoveryEmailState: 'pending_verification',
}
const session = { expiresAt: '2026-09-03T20:00:00.000Z' }
const csrfToken = 'q3VtT1c2a0dYb2RyV2hLZQ'

const key: Key = {
  keyId: 'key_3fQ7sJ8wMa2P',
  displayPrefix: 'gk_live_Ab3x...9TzK',
  scopes: ['models:invoke', 'pick:read'],
  state: 'active',
  createdAt: '2026-09-03T08:05:00.000Z',
  revokedAt: null,
  expiresAt: null,
  rotatedFromKeyId: null,
}

const createdKey: CreatedKey = {
  keyId: key.keyId,
  apiKey: 'gk_live_<43 characters, shown once>',
  displayPrefix: key.displayPrefix,
  scopes: key.scopes,
  state: 'active',
  expiresAt: null,
  rotatedFromKeyId: null,
  shownOnce: true,
}

const order: Order = {
  orderId: 'ord_9kD4nV6tHs1B',
  amountFen: 2000,
  creditAmount: 200,
  currency,
  creditsPerYuan,
  yuanPerCredit,
  pricingVersion,
  state: 'pending',
  paymentMode: 'local-simulated',
  createdAt: '2026-09-03T08:06:00.000Z',
  simulatedPaidAt: null,
  creditedAt: null,
}

const credited = {
  state: 'credited',
  simulatedPaidAt: '2026-09-03T08:06:30.000Z',
  creditedAt: '2026-09-03T08:06:30.000Z',
} as const

const confirmedOrder: ConfirmedOrder = {
  ...order,
  ...credited,
  creditLotId: 'lot_2gX5rC8zJe6F',
  creditedAmount: order.creditAmount,
  creditKind: 'simulated_prepaid',
  idempotentReplay: false,
}

const me: Me = {
  account: { ...account, name: 'Personal account' },
  project: { projectId: 'prj_6wE1pU3yGo9K', name: 'Personal project' },
  credits: { available: 197, reserved: 3 },
  latestOrder: { ...order, ...credited },
  recentOrders: [{ ...order, ...credited }],
  apiKeys: [key],
  session,
  csrfToken,
}

/** One consistent story for the documents: a person, their order, their key. */
export const examples = {
  phone: '13812345678',
  password: 'correct horse battery staple',
  challenge: { challengeId: 'gvc_8nM3bK6qTz5X', expiresInSeconds: 300, resendAfterSeconds: 60 },
  auth: {
    account,
    project: { projectId: me.project.projectId },
    session,
    csrfToken,
    redirectTo: '/console',
  } satisfies AuthResponse,
  key,
  createdKey,
  order,
  confirmedOrder,
  me,
} as const

interface BusinessExample {
  readonly request: object
  readonly result: object
}

/** A request and a result of each billable operation, with the configured provider names. */
export function businessExamples(names: ProviderNames): Readonly<Record<BillableOperation, BusinessExample>> {
  const { shops } = names
  const items: Items = [
    exampleItem(shops[0]!, 'a-1001', '不锈钢保温杯 500ml', 4900),
    exampleItem(shops[1]!, 'b-2044', '便携保温杯 350ml', 3900),
  ]
  const examples = Object.entries(businessRows).map(([operation, example]) => [operation, example(items, names)])
  return Object.fromEntries(examples)
}

/** What the search of the examples found. */
type Items = readonly [Item, Item]

const mode = 'local-mock'
const refsOf = (items: Items) => items.map(({ itemRef }) => itemRef)
const searchRequest = { query: '保温杯', filters: { maxPriceCents: 10_000 }, sort: 'price_asc', limit: 2 }
const found = ([first, second]: Items) => ({ query: searchRequest.query, items: [second, first], mode })
const search = (items: Items): BusinessExample => ({
  request: searchRequest,
  result: { data: found(items), usage: { providerCalls: 3, resultCount: 2 } },
})

const businessRows: Readonly<Record<BillableOperation, (items: Items, names: ProviderNames) => BusinessExample>> = {
  'model.chat': (_, { models }) => ({
    request: { prompt: '用一句话介绍杭州。', provider: models[0] },
    result: {
      data: { provider: models[0], model: 'local-small', output: '杭州是一座以西湖闻名的城市。' },
      usage: { inputUnits: 9, outputUnits: 14, totalUnits: 23 },
    },
  }),
  'shopping.search': search,
  'pick.search': search,
  'pick.filter': (items) => ({
    request: { itemRefs: refsOf(items), criteria: { maxPriceCents: 4000 } },
    result: { data: { items: [items[1]], criteria: { maxPriceCents: 4000 }, mode }, usage: {} },
  }),
  'pick.compare': (items) => ({
    request: { itemRefs: refsOf(items) },
    result: { data: { items, dimensions: compareDimensions, mode }, usage: {} },
  }),
  'pick.recommend': (items) => ({
    request: { itemRefs: refsOf(items), preferences: { priority: 'price' } },
    result: {
      data: { items: items.toReversed(), preferences: { priority: 'price' }, method: recommendMethod, mode },
      usage: {},
    },
  }),
  'pick.prepurchase_review': ([{ itemRef }]) => ({
    request: { itemRef, requirements: ['24 小时保温'] },
    result: {
      data: {
        itemRef,
        summary: '价格和库存来自最近一次搜索，其余需要在购买前核实。',
        checks: [
          { code: 'price', status: 'known', message: '4900' },
          { code: 'requirement_1', status: 'unknown', message: '无法从搜索结果确认：24 小时保温' },
        ],
        limitations: ['价格和库存可能在搜索后发生变化。'],
        mode,
      },
      usage: {},
    },
  }),
  'pick.links': ([{ itemRef }]) => ({
    request: { itemRefs: [itemRef] },
    result: {
      data: {
        items: [{ itemRef, productUrl: 'https://item.shop-a.example/a-1001' }],
        disclosure: '链接可能包含推广信息。',
        mode,
      },
      usage: {},
    },
  }),
  'agent.run': (items) => ({
    request: { tool: agentTool, arguments: { operation: 'search', payload: searchRequest } },
    result: {
      data: { tool: agentTool, result: { operation: 'search', result: found(items) } },
      usage: { toolCalls: 1 },
    },
  }),
}

function exampleItem(provider: string, productId: string, title: string, priceCents: number): Item {
  return {
    itemRef: { provider, productId },
    title,
    priceCents,
    currency: 'CNY',
    availability: 'available',
    highlights: ['304 不锈钢', '防漏杯盖'],
    reason: '标题与“保温杯”相符',
    testOnly: true,
  }
}
