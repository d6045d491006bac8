import type { Language } from '../guide.ts'

/** What the public pages say, in both languages. */
export interface HomeWords {
  readonly lang: string
  readonly path: Language
  readonly product: string
  readonly sentence: string
  readonly lead: string
  readonly skip: string
  readonly register: string
  readonly console: string
  readonly docs: string
  readonly prices: string
  readonly otherLanguage: string
  readonly call: string
  readonly callLead: string
  readonly copy: string
  readonly copied: string
  readonly charging: string
  readonly chargingLead: string
  readonly steps: readonly (readonly [name: string, text: string])[]
  readonly pricesLead: string
  readonly allPrices: string
  readonly operation: string
  readonly price: string
  readonly credits: (credits: number, yuan: string) => string
  readonly perSecond: (price: string) => string
  readonly models: string
  readonly modelsLead: string
  readonly provider: string
  readonly modelNames: string
  readonly notes: readonly string[]
  readonly prompt: string
}

export const homeWords: Readonly<Record<Language, HomeWords>> = {
  en: {
    lang: 'en',
    path: 'en',
    product: 'API Relay Gateway',
    sentence:
      'One API key for models, product search, a shopping agent and video, prepaid and accounted for to the credit.',
    lead: 'You add credits, create a key and call. Each call has a fixed price, is charged once at most, and has a receipt. A call that fails costs nothing.',
    skip: 'Skip to the content',
    register: 'Create an account',
    console: 'Open the console',
    docs: 'API reference',
    prices: 'Prices',
    otherLanguage: '中文',
    call: 'A call',
    callLead: 'Set GATEWAY_API_KEY to a key from the console and paste one of these.',
    copy: 'Copy',
    copied: 'Copied',
    charging: 'How a call is charged',
    chargingLead: 'The price is set aside first. What happens next depends only on the result.',
    steps: [
      ['Reserve', 'The price is held before the call is sent.'],
      ['Settle', 'The result is confirmed: you pay, once.'],
      ['Release', 'The call failed: you get the credits back.'],
      ['Review', 'The result is unclear: the credits stay on hold until a person has checked.'],
    ],
    pricesLead: '¥1 buys 10 credits. No subscription, no expiry. Only calls that succeed are charged.',
    allPrices: 'All prices',
    operation: 'Operation',
    price: 'Price',
    credits: (credits, yuan) => `${credits} ${credits === 1 ? 'credit' : 'credits'} (¥${yuan})`,
    perSecond: (price) => `${price} per second`,
    models: 'Models',
    modelsLead: 'Every model costs the same per call.',
    provider: 'Provider',
    modelNames: 'Models',
    notes: [
      'Credits are bought from ¥1 to ¥10,000 in whole yuan.',
      'Repeating a call with the same Idempotency-Key returns the stored response and is not charged again.',
      'A key can have a budget per day, per month or in total.',
    ],
    prompt: 'Say hello.',
  },
  zh: {
    lang: 'zh-CN',
    path: 'zh',
    product: 'API 中继网关',
    sentence: '一个密钥，调用模型、购物搜索、购物智能体和视频生成。先充值后使用，每一点都有账可查。',
    lead: '充值、创建密钥，即可调用。每次调用价格固定，最多扣费一次，并有扣费详情。失败的调用不收费。',
    skip: '跳到正文',
    register: '注册账号',
    console: '打开控制台',
    docs: '接口文档',
    prices: '价格',
    otherLanguage: 'English',
    call: '一次调用',
    callLead: '把控制台里创建的密钥放入环境变量 GATEWAY_API_KEY，复制下面任意一段即可运行。',
    copy: '复制',
    copied: '已复制',
    charging: '一次调用如何扣费',
    chargingLead: '先冻结费用，之后只看结果。',
    steps: [
      ['冻结', '调用发出之前，先冻结这次的费用。'],
      ['扣费', '结果确认成功，扣费一次。'],
      ['退回', '调用失败，费用全部退回。'],
      ['待确认', '结果不明，费用保持冻结，由人工核实。'],
    ],
    pricesLead: '1 元 = 10 点，没有月费，永不过期。只对成功的调用收费。',
    allPrices: '查看全部价格',
    operation: '接口',
    price: '价格',
    credits: (credits, yuan) => `${credits} 点（¥${yuan}）`,
    perSecond: (price) => `每秒 ${price}`,
    models: '模型',
    modelsLead: '每个模型的单次价格相同。',
    provider: '服务商',
    modelNames: '模型',
    notes: [
      '充值金额为 1 至 10,000 元的整数。',
      '用同一个 Idempotency-Key 重复调用，会返回已保存的响应，不会重复扣费。',
      '可以给密钥设置每日、每月或总预算。',
    ],
    prompt: '用一句话介绍杭州。',
  },
}
