import type { Language } from '../../../src/documents/guide.ts'

/** What the public pages say, in both languages. */
export interface HomeWords {
  readonly path: Language
  readonly sentence: string
  readonly lead: string
  readonly register: string
  readonly console: string
  readonly docs: string
  readonly prices: string
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
  readonly noModels: string
  readonly shops: string
  readonly limits: string
  readonly limitLines: (facts: HomeLimits) => readonly string[]
  readonly receipt: string
  readonly receiptChecking: string
  readonly receiptChecked: string
  readonly receiptFailed: string
  readonly receiptCheck: string
  readonly receiptFrom: string
  readonly receiptOwn: string
  readonly receiptFacts: Readonly<Record<'operation' | 'price' | 'result' | 'call' | 'time', string>>
  readonly settled: string
  readonly trail: string
  readonly trailLead: string
  readonly trailSteps: (of: TrailFacts) => readonly (readonly [name: string, text: string])[]
  readonly ownLog: string
  readonly notes: readonly string[]
  readonly prompt: string
}

/** What a caller can meet first. */
export interface HomeLimits {
  readonly calls: number
  readonly windowSeconds: number
  readonly promptChars: number | null
  readonly bodyBytes: number
  readonly activeKeys: number
}

/** What the example receipt says. */
export interface TrailFacts {
  readonly path: string
  readonly price: string
  readonly entries: string
  readonly leaves: string
  readonly size: number
}

const inKib = (bytes: number) => `${bytes / 1024} KiB`
/** Both languages group digits alike. */
const grouped = (count: number) => count.toLocaleString('en')

export const homeWords: Readonly<Record<Language, HomeWords>> = {
  en: {
    path: 'en',
    sentence:
      'One API key for models, product search, a shopping agent and video. Prepaid, with every credit accounted for.',
    lead: 'Add credits, create a key and start calling. Each call has a fixed price, is charged at most once, and comes with a receipt. Failed calls cost nothing.',
    register: 'Create an account',
    console: 'Open the console',
    docs: 'API reference',
    prices: 'Prices',
    call: 'Make a call',
    callLead: 'Create a key in the console and set it as GATEWAY_API_KEY. Each of these then runs as it stands.',
    copy: 'Copy',
    copied: 'Copied',
    charging: 'How a call is charged',
    chargingLead: 'The price is set aside first. What happens next depends only on the result.',
    steps: [
      ['Reserve', 'The price is held before the call is sent.'],
      ['Settle', 'If the result is confirmed, you pay, once.'],
      ['Release', 'If the call fails, you get the credits back.'],
      ['Review', 'If the result is unclear, the credits stay on hold until a person checks.'],
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
    noModels: 'No model is configured yet.',
    shops: 'Shops',
    limits: 'Limits',
    limitLines: ({ calls, windowSeconds, promptChars, bodyBytes, activeKeys }) => [
      `${grouped(calls)} calls in ${windowSeconds} seconds with one key`,
      ...(promptChars === null ? [] : [`Prompts of up to ${grouped(promptChars)} characters`]),
      `Requests of up to ${inKib(bodyBytes)}`,
      `Up to ${activeKeys} active keys`,
      'Add ¥1 to ¥10,000 at a time, in whole yuan',
    ],
    receipt: 'Every charge has a receipt that you can verify',
    receiptChecking: 'Verifying in your browser…',
    receiptChecked: 'Verified in your browser just now',
    receiptFailed: 'Could not be verified in this browser',
    receiptCheck: 'Verify in this browser',
    receiptFrom: 'Issued by gateway.example for a call.',
    receiptOwn: 'Verify one of yours',
    receiptFacts: { operation: 'Operation', price: 'Price', result: 'Result', call: 'Call', time: 'Time' },
    settled: 'Charged once',
    trail: 'From the call to the public log',
    trailLead: 'The receipt above leads from the call to a log that everyone can read and that only grows.',
    trailSteps: ({ path, price, entries, leaves, size }) => [
      ['Call', `POST ${path} reserves ${price} and is charged when its result is confirmed.`],
      ['Ledger', `Entries ${entries} record both, with the balance after each.`],
      ['Tree', `They are leaves ${leaves} of ${size} in a public tree of hashes. The balance stays private.`],
      [
        'Checkpoint',
        'The gateway signs the tree. Keep one checkpoint, and no entry can be changed without you noticing.',
      ],
    ],
    ownLog: 'The public log of this gateway now has {{size}} entries. Its signature was checked in your browser.',
    notes: [
      'Add ¥1 to ¥10,000 at a time, in whole yuan.',
      'Repeating a call with the same Idempotency-Key returns the stored response and is not charged again.',
      'A key can have a budget per day, per month or in total.',
    ],
    prompt: 'Say hello.',
  },
  zh: {
    path: 'zh',
    sentence: '一个密钥，即可调用大模型、购物搜索、购物智能体和视频生成。先充值后使用，每一笔都有账可查。',
    lead: '充值并新建密钥，即可开始调用。每次调用价格固定，最多扣费一次，均可查看扣费详情；调用失败不收费。',
    register: '注册账号',
    console: '打开控制台',
    docs: '接口文档',
    prices: '价格',
    call: '调用示例',
    callLead: '将控制台中新建的密钥设为环境变量 GATEWAY_API_KEY，复制以下任意一段即可运行。',
    copy: '复制',
    copied: '已复制',
    charging: '如何扣费',
    chargingLead: '调用前先冻结费用，再根据结果处理。',
    steps: [
      ['冻结', '调用发出前，先冻结这次的费用。'],
      ['扣费', '确认成功后扣费，只扣一次。'],
      ['退回', '调用失败，费用全额退回。'],
      ['待确认', '结果不明确时，费用保持冻结，等待人工确认。'],
    ],
    pricesLead: '1 元 = 10 点，无套餐，不过期。只对成功的调用收费。',
    allPrices: '查看全部价格',
    operation: '接口',
    price: '价格',
    credits: (credits, yuan) => `${credits} 点（¥${yuan}）`,
    perSecond: (price) => `每秒 ${price}`,
    models: '模型',
    modelsLead: '所有模型的单次调用价格相同。',
    provider: '服务商',
    modelNames: '模型',
    noModels: '暂未配置模型。',
    shops: '店铺',
    limits: '限制',
    limitLines: ({ calls, windowSeconds, promptChars, bodyBytes, activeKeys }) => [
      `每个密钥 ${windowSeconds} 秒内最多调用 ${grouped(calls)} 次`,
      ...(promptChars === null ? [] : [`提示词最长 ${grouped(promptChars)} 个字符`]),
      `请求最大 ${inKib(bodyBytes)}`,
      `最多 ${activeKeys} 个有效密钥`,
      '每次可充值 1 到 10,000 元的整数金额',
    ],
    receipt: '每笔扣费都有可核验的收据',
    receiptChecking: '正在您的浏览器中核验…',
    receiptChecked: '刚刚已在您的浏览器中核验通过',
    receiptFailed: '此浏览器无法核验',
    receiptCheck: '在本浏览器中核验',
    receiptFrom: '由 gateway.example 为一次调用签发。',
    receiptOwn: '核验自己的收据',
    receiptFacts: { operation: '接口', price: '价格', result: '结果', call: '调用', time: '时间' },
    settled: '已扣费，仅一次',
    trail: '从调用到公开日志',
    trailLead: '沿着上面的收据，可以从调用一直查到人人可读、只增不改的日志。',
    trailSteps: ({ path, price, entries, leaves, size }) => [
      ['调用', `POST ${path} 先冻结 ${price}，确认成功后扣费。`],
      ['账本', `第 ${entries} 条收支记录冻结和扣费，以及每次之后的余额。`],
      ['哈希树', `它们是公开哈希树 ${size} 片叶子中的第 ${leaves} 片，余额不公开。`],
      ['检查点', '网关为整棵树签名。只要保存一个检查点，任何条目被改动都能发现。'],
    ],
    ownLog: '本网关的公开日志目前共 {{size}} 条，签名已在您的浏览器中核验。',
    notes: [
      '每次可充值 1 到 10,000 元的整数金额。',
      '使用相同的 Idempotency-Key 重复调用，返回已保存的响应，不重复扣费。',
      '可为密钥设置每日、每月或总预算。',
    ],
    prompt: '用一句话介绍杭州。',
  },
}
