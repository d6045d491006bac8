import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly pricing: typeof en
  }
}

const en = {
  title: 'Pricing and models',
  lead: 'Fixed price per call. 1 credit is ¥0.10, so ¥1 buys 10 credits.',
  prices: 'Prices',
  operation: 'Operation',
  scope: 'Permission',
  credits: 'Credits',
  yuan: 'Price',
  path: 'Endpoint',
  version: 'Price version {{version}}',
  rules: 'How a call is charged',
  policy: {
    reserve: 'The price is reserved from your available credits before the call is forwarded.',
    settle: 'When the result is confirmed, the reserved credits are charged, exactly once.',
    release: 'When the call fails, all reserved credits are released.',
    manualReview:
      'When we can’t confirm the result, the credits stay reserved until the operator decides. The call is never retried automatically.',
    idempotentReplay:
      'Sending the same request with the same Idempotency-Key returns the stored response and is not charged again.',
    idempotencyConflict: 'Sending a different request with a used Idempotency-Key is refused.',
    insufficientCredits: 'A call that costs more than your available credits is refused and not forwarded.',
  },
  policyNames: {
    reserve: 'Reserve',
    settle: 'Settle',
    release: 'Release',
    manualReview: 'Review',
    idempotentReplay: 'Replay',
    idempotencyConflict: 'Conflict',
    insufficientCredits: 'Not enough credits',
  },
  models: 'Models',
  provider: 'Provider',
  modelNames: 'Models',
  longestPrompt: 'Max prompt length',
  longestOutput: 'Max output',
  tokens: '{{amount}} tokens',
  characters: '{{amount}} characters',
  default: 'default',
  shops: 'Shops',
  state: 'Status',
  enabled: 'Available',
  disabled: 'Not available',
  local: 'Local test data',
  remote: 'Remote service',
  fixture: 'Shop results here are made-up test data, not real products.',
} as const

const zh: Translated<typeof en> = {
  title: '价格与模型',
  lead: '按次计费，价格固定。1 点 = 0.10 元，1 元 = 10 点。',
  prices: '价格',
  operation: '接口',
  scope: '权限',
  credits: '点数',
  yuan: '价格',
  path: '请求路径',
  version: '价格版本 {{version}}',
  rules: '计费规则',
  policy: {
    reserve: '转发前，先从可用余额中冻结这次调用的费用。',
    settle: '结果确认后扣费，只扣一次。',
    release: '调用失败时，冻结的点数全部退回。',
    manualReview: '结果无法确认时继续冻结，由运营方核实后处理，不会自动重试。',
    idempotentReplay: '用相同的 Idempotency-Key 重发相同的请求，返回已保存的响应，不重复扣费。',
    idempotencyConflict: '用已使用过的 Idempotency-Key 发送不同的请求，会被拒绝。',
    insufficientCredits: '可用余额不足时拒绝调用，不会转发。',
  },
  policyNames: {
    reserve: '冻结',
    settle: '扣费',
    release: '退回',
    manualReview: '待确认',
    idempotentReplay: '重复请求',
    idempotencyConflict: '冲突',
    insufficientCredits: '余额不足',
  },
  models: '模型',
  provider: '服务商',
  modelNames: '模型',
  longestPrompt: '提示词上限',
  longestOutput: '输出上限',
  tokens: '{{amount}} token',
  characters: '{{amount}} 字符',
  default: '默认',
  shops: '店铺',
  state: '状态',
  enabled: '可用',
  disabled: '未开通',
  local: '本地测试数据',
  remote: '远程服务',
  fixture: '店铺结果为虚构的测试数据，并非真实商品。',
}

export const pricing = { en, zh }
