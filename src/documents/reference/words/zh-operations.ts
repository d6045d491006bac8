import type { Tag } from '../../../contract/operation.ts'
import type { PageWords, QuickStartWords } from './words.ts'

/** The groups that the public operations use. */
export const tags = {
  Identity: { title: '注册与登录', text: '用手机验证码注册，登录和退出。' },
  Pricing: { title: '价格', text: '点数兑换比例、充值限额和各接口的价格。' },
  Account: { title: '账户', text: '当前登录的账户、它的项目和余额。' },
  Keys: { title: '密钥', text: '调用业务接口用的 API 密钥。密钥明文只显示一次。' },
  Recharge: { title: '充值', text: '购买预付点数。支付为模拟，仅用于本地验收。' },
  Models: { title: '模型', text: '向模型提问。' },
  Shopping: { title: '购物', text: '搜索店铺商品。' },
  Pick: { title: '选品', text: '搜索、筛选、对比、推荐、购前检查和获取链接。' },
  Agent: { title: '智能体', text: '代表智能体执行一次工具调用。' },
  Documentation: { title: '文档', text: '同一份契约的三种形式。' },
} as const satisfies Partial<Record<Tag, { title: string; text: string }>>

export const operations: Readonly<Record<string, { summary: string; description: string }>> = {
  'auth.send_code': {
    summary: '发送验证码',
    description:
      '发送 6 位短信验证码，300 秒内有效，可尝试 5 次，只能使用一次。60 秒后可以重新获取，旧验证码随即失效。响应不会透露手机号是否已注册。',
  },
  'auth.register': {
    summary: '注册',
    description:
      '使用验证码，一次性创建账户、个人项目和会话，要么全部成功，要么全部不生效。网络出错、结果不明时，请先尝试登录，再考虑重新注册。',
  },
  'auth.login': {
    summary: '登录',
    description: '建立新会话，并结束请求中带来的旧会话。账号不存在、未验证或密码错误，返回的结果相同。',
  },
  'auth.logout': { summary: '退出登录', description: '在服务端结束会话，并清除 Cookie。' },
  'pricing.get': { summary: '查询价格', description: '点数兑换比例、充值限额、各收费接口的价格和扣费规则。' },
  'plans.get': { summary: '查询价格（旧路径）', description: '已弃用，请改用 GET /v1/pricing。没有固定套餐。' },
  'account.get': {
    summary: '查询当前账户',
    description: '账户、项目、余额、最近的订单和密钥。每次读取都会返回新的 CSRF 令牌，旧令牌随即失效。',
  },
  'keys.list': { summary: '查询密钥列表', description: '只返回元数据，密钥明文不会再次显示。' },
  'keys.create': {
    summary: '创建密钥',
    description: '每次成功都会创建一个新密钥，明文只返回一次。如果没有收到，请吊销它再新建一个。',
  },
  'keys.revoke': {
    summary: '吊销密钥',
    description: '使用该密钥的下一次调用就会被拒绝。结果不明时，请先查询密钥列表。',
  },
  'orders.create': {
    summary: '创建充值订单',
    description: '锁定金额、兑换比例和价格版本。同一个 Idempotency-Key 加同样的金额，返回同一个订单。',
  },
  'orders.confirm': {
    summary: '确认充值订单',
    description: '模拟支付，点数只到账一次。仅用于本地验收，不能作为真实付款的凭证。',
  },
  'agent.run': {
    summary: '执行工具',
    description: '代表智能体执行一次选品操作，价格固定。这里不能获取链接。',
  },
  'model.chat': { summary: '模型对话', description: '把一条提示词转发给模型服务商，返回它的输出。' },
  'shopping.search': {
    summary: '商品搜索',
    description: '最多返回 3 件商品。结果按项目单独缓存，命中缓存的调用同价。',
  },
  'pick.compare': { summary: '对比商品', description: '按价格、库存和亮点并列对比 2 到 3 件商品。' },
  'pick.filter': { summary: '筛选商品', description: '从搜索返回给本项目的商品中，留下符合条件的。' },
  'pick.links': {
    summary: '获取商品链接',
    description: '为每件商品返回一个 https 链接，要么全部返回，要么一个也没有。展示链接时请同时展示推广说明。',
  },
  'pick.prepurchase_review': { summary: '购前检查', description: '列出商品的已知信息，以及购买前需要另行核实的事项。' },
  'pick.recommend': {
    summary: '推荐排序',
    description: '按固定规则从优到劣排列商品；同样的商品和偏好，顺序总是一样。',
  },
  'pick.search': {
    summary: '选品搜索',
    description: '与 shopping.search 相同。返回的商品可供同一项目的其他选品接口使用。',
  },
  'docs.openapi': { summary: '读取 OpenAPI 文档', description: '' },
  'docs.llms': { summary: '读取纯文本契约', description: '程序使用本接口所需的一切，都在这一份文本里。' },
  'docs.page': { summary: '读取文档页面', description: '' },
}

export const page: PageWords = {
  title: '接口文档',
  lead: '用中国大陆手机号注册，充值点数，创建 API 密钥，即可按固定价格调用接口。每次调用先冻结费用再转发，之后扣费、退回或转为待确认，每笔只处理一次。',
  skip: '跳到正文',
  menu: '目录',
  closeMenu: '关闭',
  contents: '目录',
  filter: '按名称、路径或字段筛选',
  found: (count) => `${count} 项匹配`,
  otherLanguage: 'English',
  console: '控制台',
  openConsole: '打开控制台',
  baseUrl: '接口地址',
  version: (version) => `契约版本 ${version}`,
  guideTitle: '使用指南',
  operationsWithKey: '用密钥调用的接口',
  operationsWithSession: '账户接口',
  credits: (credits, yuan) => `${credits} 点（¥${yuan}）`,
  free: '免费',
  scope: '权限',
  deprecated: '已弃用',
  tryIt: '在线调试',
  accessTitle: '鉴权',
  headers: '请求头',
  pathParameters: '路径参数',
  body: '请求体',
  noFields: '空对象 {}。',
  required: '必填',
  optional: '可选',
  or: '或',
  arrayOf: (type) => `数组，元素为 ${type}`,
  null: 'null',
  otherwise: '不符合时返回',
  childFields: (name) => `${name} 的字段`,
  sameAs: '同',
  response: (status) => `响应 ${status}`,
  responseHeaders: '响应头：',
  errors: '错误码',
  errorsLead: '所有错误的结构都是 `{"error": {"code", "message"}}`。请按 `code` 判断；`message` 供人阅读，可能变化。',
  ownErrors: '错误码',
  commonErrors: '多数接口共有的错误码',
  status: '状态码',
  code: '错误码',
  meaning: '含义',
  whatToDo: '如何处理',
  request: '请求',
  example: '示例',
  sampleLanguage: '示例代码的语言',
  copy: '复制',
  copied: '已复制',
  prices: '价格',
  pricesLead: '价格固定。明确失败的调用不扣费。',
  operation: '接口',
  price: '价格',
  reference: '参考',
  facts: '限制',
  models: '模型',
  modelsLead: (provider) => `不指定服务商时使用 \`${provider}\`。每个服务商的第一个模型是它的默认模型。`,
  provider: '服务商',
  modelNames: '模型',
  longestPrompt: '提示词上限（字符）',
  disabled: '未启用',
  forPrograms: '供程序和 AI 助手读取',
}

export const quickStart: QuickStartWords = {
  title: '快速开始',
  lead: '四步完成第一次调用。',
  prompt: '用一句话介绍杭州。',
  output: '杭州是一座以西湖闻名的城市。',
  steps: [
    {
      title: '注册并充值',
      text: '打开控制台，用手机号注册，然后充值。1 元兑换 10 点，一次模型调用 3 点。',
    },
    {
      title: '创建 API 密钥',
      text: '在控制台的“密钥”页新建一个。密钥只显示一次，请立即复制到终端。',
    },
    {
      title: '发起调用',
      text: '用 Bearer 方式带上密钥，并为每次调用生成一个新的 `Idempotency-Key`。网络出错时，用同一个 `Idempotency-Key` 重发同一请求，只扣一次费。',
    },
    {
      title: '查看响应',
      text: '`status` 为 `settled` 表示调用成功，扣费 `chargedCredits` 点。明确失败不扣费。返回 `202` 和 `manual_review` 表示结果待确认，请不要换新的 `Idempotency-Key` 重试。',
    },
  ],
}
