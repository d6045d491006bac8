import type { Access } from '../../../../src/contract/operation.ts'
import { product } from '../../../../src/documents/guide.ts'

type Pair<T> = readonly [en: T, zh: T]

/** What the page says around the contract, in English and Chinese. */
export const pageRows = {
  title: ['API reference', '接口文档'],
  lead: [
    product.introduction,
    '使用中国大陆手机号注册，充值并新建 API 密钥后，即可按固定价格调用接口。每次调用先冻结费用再转发，随后扣费、退回或转为待确认，每笔只处理一次。',
  ],
  menu: ['Contents', '目录'],
  closeMenu: ['Close', '关闭'],
  contents: ['Contents', '目录'],
  filter: ['Filter by name, path or field', '按名称、路径或字段筛选'],
  found: [(count: number) => (count === 1 ? '1 match' : `${count} matches`), (count: number) => `${count} 项匹配`],
  openConsole: ['Open the console', '打开控制台'],
  baseUrl: ['Base URL', '接口地址'],
  version: [(version: string) => `Contract ${version}`, (version: string) => `契约版本 ${version}`],
  guideTitle: ['Guide', '使用指南'],
  operationsWithKey: ['API key operations', '业务接口（API 密钥）'],
  operationsWithSession: ['Account operations', '账号接口'],
  credits: [
    (credits: number, yuan: string) => `${credits} ${credits === 1 ? 'credit' : 'credits'} (¥${yuan})`,
    (credits: number, yuan: string) => `${credits} 点（¥${yuan}）`,
  ],
  video: ['Create a video', '视频生成'],
  perSecond: [(price: string) => `${price} per second`, (price: string) => `每秒 ${price}`],
  free: ['Free', '免费'],
  scope: ['Scope', '权限'],
  deprecated: ['Deprecated', '已弃用'],
  tryIt: ['Try it in the console', '在线调试'],
  accessTitle: ['Authentication', '鉴权'],
  headers: ['Headers', '请求头'],
  pathParameters: ['Path parameters', '路径参数'],
  body: ['Request body', '请求体'],
  noFields: ['An empty object, {}.', '空对象 {}。'],
  required: ['required', '必填'],
  optional: ['optional', '可选'],
  or: ['or', '或'],
  arrayOf: [(type: string) => `array of ${type}`, (type: string) => `数组，元素为 ${type}`],
  null: ['null', 'null'],
  otherwise: ['If invalid:', '不符合时返回'],
  childFields: [(name: string) => `Fields of ${name}`, (name: string) => `${name} 的字段`],
  sameAs: ['Same as in', '同'],
  response: [(status: number) => `Response ${status}`, (status: number) => `响应 ${status}`],
  responseHeaders: ['Headers:', '响应头：'],
  errors: ['Errors', '错误码'],
  errorsLead: [
    'Every error has the shape `{"error": {"code", "message"}}`. Rely on `code`; `message` is for people and may change.',
    '所有错误的结构都是 `{"error": {"code", "message"}}`。请按 `code` 判断；`message` 供人阅读，可能变化。',
  ],
  ownErrors: ['Errors', '错误码'],
  commonErrors: ['Common errors', '公共错误码'],
  status: ['Status', '状态码'],
  code: ['Code', '错误码'],
  meaning: ['Meaning', '含义'],
  whatToDo: ['What to do', '如何处理'],
  request: ['Request', '请求'],
  example: ['Example', '示例'],
  sampleLanguage: ['Sample language', '示例代码语言'],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  prices: ['Prices', '价格'],
  pricesLead: [
    'Prices are fixed. Calls that are confirmed to have failed are not charged.',
    '价格固定，明确失败的调用不扣费。',
  ],
  operation: ['Operation', '接口'],
  price: ['Price', '价格'],
  reference: ['Reference', '参考'],
  facts: ['Limits', '限制'],
  models: ['Models', '模型'],
  modelsLead: [
    (provider: string) =>
      `If a call names no provider, \`${provider}\` is used. The first model of each provider is its default.`,
    (provider: string) => `未指定服务商时使用 \`${provider}\`。每个服务商的第一个模型为默认模型。`,
  ],
  provider: ['Provider', '服务商'],
  modelNames: ['Models', '模型'],
  longestPrompt: ['Max prompt (characters)', '提示词上限（字符）'],
  longestOutput: ['Max output (tokens)', '输出上限（token）'],
  disabled: ['disabled', '未启用'],
  forPrograms: ['For programs and AI assistants', '供程序和 AI 助手读取'],
} satisfies Record<string, Pair<string> | Pair<(...of: never[]) => string>>

export const accessRows = {
  public: ['No sign-in needed.', '无需登录。'],
  origin: ['No sign-in needed. `Origin` must be the canonical origin.', '无需登录，但 `Origin` 必须是网关自己的地址。'],
  session: ['Session cookie.', '会话 Cookie。'],
  'session-write': ['Session cookie, `Origin` and `X-CSRF-Token`.', '会话 Cookie、`Origin` 和 `X-CSRF-Token`。'],
  key: ['`Authorization: Bearer <apiKey>`', '`Authorization: Bearer <apiKey>`'],
} satisfies Record<Access, Pair<string>>

/** Four steps from nothing to a first call; `prompt` is that of the call, and `output` what a model might say to it. */
export const quickStartRows = {
  title: ['Quick start', '快速开始'],
  lead: ['Four steps to your first call.', '四步完成首次调用。'],
  prompt: ['Describe Hangzhou in one sentence.', '用一句话介绍杭州。'],
  output: ['Hangzhou is a city famous for its West Lake.', '杭州是一座以西湖闻名的城市。'],
  accountTitle: ['Create an account and add credits', '注册并充值'],
  account: [
    'Open the console, register with your phone number and add credits. ¥1 buys 10 credits; a model call costs 3.',
    '打开控制台，使用手机号注册并充值。1 元 = 10 点，调用一次模型 3 点。',
  ],
  keyTitle: ['Create an API key', '新建 API 密钥'],
  key: [
    'In the console, open API keys and create one. The key is shown only once, so copy it into your shell right away.',
    '在控制台的“API 密钥”页新建密钥。密钥只显示一次，请立即复制到终端。',
  ],
  callTitle: ['Make a call', '发起调用'],
  call: [
    'Send the key as a bearer token, with a new `Idempotency-Key` for each new call. If the network fails, send the same request again with the same `Idempotency-Key`: you are charged only once.',
    '以 Bearer 方式携带密钥，并为每次新的调用生成一个 `Idempotency-Key`。网络出错时，使用相同的 `Idempotency-Key` 重发同一请求，只扣费一次。',
  ],
  responseTitle: ['Read the response', '查看响应'],
  response: [
    '`status` is `settled`: the call succeeded and cost `chargedCredits`. A confirmed failure costs nothing. `202` with `manual_review` means we couldn’t confirm the result; do not retry with a new `Idempotency-Key`.',
    '`status` 为 `settled` 表示调用成功，扣费 `chargedCredits` 点；明确失败不扣费。返回 `202` 和 `manual_review` 表示结果待确认，请勿更换 `Idempotency-Key` 重试。',
  ],
} satisfies Record<string, Pair<string>>
