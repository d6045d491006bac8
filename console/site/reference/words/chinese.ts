import type { Tag } from '../../../../src/contract/operation.ts'
import { operationNames } from '../../../../src/contract/operation-names.ts'
import type { ServiceFacts } from '../../../../src/documents/facts.ts'
import type { LimitWords } from '../../../../src/documents/llms.ts'

/** The groups that the public operations use. */
export const tags = {
  Identity: { title: '注册与登录', text: '使用手机验证码注册、登录和退出登录。' },
  Pricing: { title: '价格', text: '点数兑换比例、充值限额和各接口的价格。' },
  Account: { title: '账号', text: '当前登录的账号及其项目和余额。' },
  Keys: { title: '密钥', text: '用于调用业务接口的 API 密钥，明文只显示一次。' },
  Recharge: { title: '充值', text: '购买预付点数。支付为模拟，仅用于本地验收。' },
  Models: { title: '模型', text: '向模型提问。' },
  Shopping: { title: '购物', text: '搜索店铺商品。' },
  Pick: { title: '选品', text: '搜索、筛选、对比、推荐、购前检查和获取链接。' },
  Agent: { title: '智能体', text: '代表智能体执行一次工具调用。' },
  Documentation: { title: '文档', text: '同一份接口契约的三种形式。' },
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
      '使用验证码，一次性创建账号、个人项目和会话，要么全部成功，要么全部不生效。网络出错、结果不明时，请先尝试登录，不成功再重新注册。',
  },
  'auth.login': {
    summary: '登录',
    description: '建立新会话，并结束请求携带的旧会话。账号不存在、邮箱未验证或密码错误时，返回的结果相同。',
  },
  'auth.logout': { summary: '退出登录', description: '在服务端结束会话，并清除 Cookie。' },
  'pricing.get': { summary: '查询价格', description: '点数兑换比例、充值限额、各收费接口的价格和扣费规则。' },
  'plans.get': { summary: '查询价格（旧路径）', description: '已弃用，请改用 GET /v1/pricing。没有固定套餐。' },
  'account.get': {
    summary: '查询当前账号',
    description: '账号、项目、余额、最近的订单和密钥。每次读取都会返回新的 CSRF 令牌，旧令牌随即失效。',
  },
  'keys.list': { summary: '查询密钥列表', description: '只返回元数据，密钥明文不会再次显示。' },
  'keys.create': {
    summary: '创建密钥',
    description: '每次成功都会创建一个新密钥，明文只返回一次。如果没有收到，请吊销该密钥后重新创建。',
  },
  'keys.revoke': {
    summary: '吊销密钥',
    description: '从下一次调用起，该密钥即被拒绝。结果不明时，请先查询密钥列表。',
  },
  'orders.create': {
    summary: '创建充值订单',
    description: '锁定金额、兑换比例和价格版本。相同的 Idempotency-Key 和金额，返回同一个订单。',
  },
  'orders.confirm': {
    summary: '确认充值订单',
    description: '模拟支付，点数只到账一次。仅用于本地验收，不能作为真实付款的凭证。',
  },
  'agent.run': {
    summary: operationNames['agent.run'].zh,
    description: '代表智能体执行一次选品操作，价格固定。不支持获取链接。',
  },
  'model.chat': {
    summary: operationNames['model.chat'].zh,
    description: '将提示词转发给模型服务商，并返回其输出。',
  },
  'shopping.search': {
    summary: operationNames['shopping.search'].zh,
    description: '最多返回 3 件商品。结果按项目单独缓存，命中缓存的调用同价。',
  },
  'pick.compare': {
    summary: operationNames['pick.compare'].zh,
    description: '按价格、库存和亮点并列对比 2 到 3 件商品。',
  },
  'pick.filter': {
    summary: operationNames['pick.filter'].zh,
    description: '从本项目搜索返回的商品中，筛选出符合条件的商品。',
  },
  'pick.links': {
    summary: operationNames['pick.links'].zh,
    description: '为每件商品返回一个 https 链接，要么全部返回，要么全部不返回。展示链接时请同时展示推广说明。',
  },
  'pick.prepurchase_review': {
    summary: operationNames['pick.prepurchase_review'].zh,
    description: '列出商品的已知信息，以及购买前需要另行核实的事项。',
  },
  'pick.recommend': {
    summary: operationNames['pick.recommend'].zh,
    description: '按固定规则从优到劣排列商品；商品和偏好相同时，顺序始终一致。',
  },
  'pick.search': {
    summary: operationNames['pick.search'].zh,
    description: '与 shopping.search 相同。返回的商品可供同一项目的其他选品接口使用。',
  },
  'docs.openapi': { summary: '读取 OpenAPI 文档', description: '' },
  'docs.llms': { summary: '读取纯文本契约', description: '程序调用接口所需的全部信息，都在这一份文本中。' },
  'docs.page': { summary: '读取文档页面', description: '' },
}

/** Descriptions of fields, headers and responses, by their English text in the contract. */
export const sentences: Readonly<Record<string, string>> = {
  'A new value for each new call. Keep it when you retry the same call, so that it is charged only once. Use a UUID.':
    '每次新的调用使用一个新值，重发同一调用时保持不变，这样重发不会重复扣费。建议使用 UUID。',
  'A model name of the provider. Defaults to its first model.': '服务商提供的模型名，默认为第一个。',
  'The call succeeded, and its price is settled.': '调用成功，已扣费。',
  'Present when a stored response is returned. Nothing was charged again.': '返回已保存的响应时出现，不重复扣费。',
  'The charge of this call, if it has one.': '本次调用的扣费编号（如有）。',
  'Usage units, not money.': '用量单位，与金额无关。',
  'The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically.':
    '结果待确认：点数保持冻结，由运营方处理。请勿自动重试。',
  'Credits that stay reserved until an operator decides.': '处理前保持冻结的点数。',
  'Include it when you contact the operator.': '联系运营方时请提供此编号。',
  'Present once an operator settled the charge.': '运营方确认扣费后出现。',
  'Defaults to all shops. Cannot be combined with provider.': '默认为全部店铺。不能与 provider 同时使用。',
  'Defaults to relevance.': '默认 relevance。',
  'Defaults to 3.': '默认 3。',
  'Case-sensitive. Leading and trailing white space is removed.': '区分大小写；首尾空白会被去除。',
  'unknown: check again before you buy.': 'unknown 表示购买前需再次确认。',
  'Why the item matches the query.': '商品为何符合本次搜索。',
  'True if it comes from a local fixture, not a real shop.': 'true 表示来自本地测试数据，不是真实店铺。',
  'Whether the result is a local fixture.': '结果是否来自本地测试数据。',
  '0 if the result came from the cache.': '命中缓存时为 0。',
  'Distinct items that a search returned to this project; white space around a productId makes no difference.':
    '本项目搜索返回的商品，不可重复；productId 首尾的空白不影响判断。',
  'This operation has no metered usage.': '此接口不计用量。',
  'Promotion disclosure. Show it with the links.': '推广说明，请与链接一同展示。',
  'Defaults to balanced.': '默认 balanced。',
  'Best first, by a fixed rule.': '按固定规则从优到劣排列。',
  'Must be exactly the canonical origin. Browsers send it automatically.': '必须与网关地址完全一致。浏览器会自动发送。',
  'Mainland China mobile number.': '中国大陆手机号。',
  'The code was sent.': '验证码已发出。',
  'Stored as pending_verification: until it is verified, it cannot be used to log in, and other accounts can use it too.':
    '状态为 pending_verification：验证前不能用于登录，也不会占用该邮箱。',
  'Counted in characters.': '按字符计数。',
  'Where to go afterwards.': '完成后跳转的页面。',
  'Registered and signed in.': '注册成功并已登录。',
  'The gateway_session cookie: HttpOnly, SameSite=Strict. Logging out clears it.':
    'gateway_session Cookie：HttpOnly、SameSite=Strict，退出登录时清除。',
  'Immutable subject of the identity provider.': '身份系统中的固定标识。',
  'Send it back as X-CSRF-Token.': '写操作时通过 X-CSRF-Token 发回。',
  'A verified phone, or a verified recovery email.': '已验证的手机号或恢复邮箱。',
  'Signed in.': '登录成功。',
  'The csrfToken from the register or login response, or from the latest GET /v1/me. Bound to the session.':
    '注册或登录响应中的 csrfToken，或最近一次 GET /v1/me 返回的值。与会话绑定。',
  'Signed out.': '已退出登录。',
  'The price list.': '价格表。',
  'The current account.': '当前账号。',
  'The start and end of the key. Not usable as a credential.': '密钥的开头和结尾，不能用于调用。',
  'Null means that it does not expire.': 'null 表示长期有效。',
  'The keys of the project.': '项目的密钥。',
  'The new key in plaintext.': '新密钥的明文。',
  'The plaintext key. It is shown only once.': '密钥明文，只显示这一次。',
  'The key was revoked.': '密钥已吊销。',
  'The pending order.': '待支付的订单。',
  'True when a stored result is replayed.': '返回已保存的结果时为 true。',
  'The credited order.': '已到账的订单。',
  'The ETag of your copy. 304 means that it is still current.': '本地副本的 ETag；返回 304 表示副本仍是最新。',
  'This document.': '本文档。',
  'Version of this content. Send it back as If-None-Match.': '内容的标识，可通过 If-None-Match 发回。',
  'The contract as text.': '纯文本契约。',
  'The human-readable reference.': '供人阅读的文档页面。',
}

export const chineseLimits: LimitWords = {
  characters: '个字符',
  entries: '项',
  atLeast: (count, unit) => (unit ? `至少 ${count} ${unit}` : `不小于 ${count}`),
  atMost: (count, unit) => (unit ? `最多 ${count} ${unit}` : `不大于 ${count}`),
  between: (least, most, unit) => `${least} 到 ${most} ${unit}`.trim(),
  multipleOf: (step) => `${step} 的整数倍`,
  noRepeats: '不可重复',
  format: (name) => `格式 ${name}`,
  notBlank: '不能为空白',
  pattern: (text) => `匹配 \`${text}\``,
}

/** What each rate limit counts, by its name in the configuration. */
export const rateLimits: Readonly<Record<string, string>> = {
  sendCodePerRequester: '同一来源地址获取验证码',
  sendCodePerPhone: '同一手机号或邮箱获取同一用途的验证码',
  recoveryPerRequester: '同一来源地址获取找回密码验证码',
  recoveryPerIdentifierAndRequester: '同一账号从同一来源地址获取找回密码验证码',
  codesPerHour: '全站发送的验证码，其中四分之一留给找回密码，其余用于注册和验证邮箱',
  wrongCodesPerHour: '全站输错的找回密码验证码，超过后，该小时内无法通过验证码找回密码',
  registerPerRequester: '同一来源地址尝试注册',
  loginPerRequester: '同一来源地址尝试登录',
  loginPerIdentifier: '同一账号尝试登录',
  loginPerIdentifierAndRequester: '同一账号从同一来源地址尝试登录',
  sessionWritesPerProject: '同一项目在控制台的写操作',
  readsPerSession: '同一登录会话的读取，如 `/v1/me` 和控制台各页面（每个实例分别计数）',
  callsPerKey: '同一密钥的业务调用',
  keyReadsPerKey: '同一密钥查询自身和扣费记录（每个实例分别计数）',
  mediaReadsPerKey: '同一密钥读取和取消视频任务（每个实例分别计数）',
  refusalsPerKey: '同一密钥因参数错误被拒绝的业务调用（每个实例分别计数）',
}

/** The Chinese of `limitLines`. */
export function chineseLimitLines(facts: ServiceFacts): string[] {
  const { keyLifetimeSeconds } = facts
  return [
    `- 请求体最大 ${facts.bodyLimitBytes} 字节，超过返回 413 \`PAYLOAD_TOO_LARGE\`；须在 ${facts.bodyDeadlineMs / 1000} 秒内传完，否则返回 408 \`REQUEST_TIMEOUT\`。`,
    `- 会话有效期 ${facts.sessionLifetimeSeconds} 秒。${keyLifetimeSeconds === null ? '密钥长期有效。' : `密钥有效期 ${keyLifetimeSeconds} 秒。`}每个项目最多 ${facts.activeKeysLimit} 个有效密钥，超过返回 429 \`RATE_LIMITED\`。`,
    `- 已保存的响应在 ${facts.resultDays} 天内可以重放；${facts.idempotencyDays === null ? '过期后，相同的 Idempotency-Key 也不会再次扣费' : `相同的 Idempotency-Key 在 ${facts.idempotencyDays} 天内不会再次扣费，之后视为新的调用`}。响应过期后再使用相同的 Idempotency-Key 调用，返回 409 \`IDEMPOTENCY_CONFLICT\`，不扣费。`,
    `- 搜索结果按项目缓存 ${facts.searchCacheSeconds} 秒；返回的商品在 ${facts.snapshotDays} 天内可供其他接口使用。`,
    '- 频率限制按固定时间窗口计数，超过返回 429 `RATE_LIMITED` 和 `Retry-After`：',
    ...facts.rateLimits.map(
      ({ name, what, max, windowSeconds }) => `  - ${rateLimits[name] ?? what}：${windowSeconds} 秒内 ${max} 次`,
    ),
  ]
}
