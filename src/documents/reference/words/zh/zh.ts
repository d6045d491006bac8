import type { ServiceFacts } from '../../../service-facts.ts'
import type { Words } from '../words.ts'
import { errors } from './errors.ts'
import { guide } from './guide.ts'
import { operations, tags } from './operations.ts'
import { page, quickStart } from './page.ts'
import { sentences } from './sentences.ts'

/** Chinese is written for Chinese readers; a test says which texts of the contract it still lacks. */
export const zh: Words = {
  lang: 'zh-CN',
  path: 'zh',
  page,
  limits: {
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
  },
  access: {
    public: '无需登录。',
    origin: '无需登录，但 `Origin` 必须是网关自己的地址。',
    session: '会话 Cookie。',
    'session-write': '会话 Cookie、`Origin` 和 `X-CSRF-Token`。',
    key: '`Authorization: Bearer <apiKey>`',
  },
  tag: (tag) => tags[tag as keyof typeof tags] ?? { title: tag, text: '' },
  operation: ({ id, summary, description = '' }) => operations[id] ?? { summary, description },
  error: (code) => errors[code],
  sentence: (text) => sentences[text] ?? text,
  guide,
  facts,
  quickStart,
}

/** What each rate limit counts, by its name in the configuration. */
export const rateLimits: Readonly<Record<string, string>> = {
  sendCodePerRequester: '同一来源地址获取验证码',
  sendCodePerPhone: '同一手机号或邮箱获取同一用途的验证码',
  recoveryPerRequester: '同一来源地址获取找回密码验证码',
  recoveryPerIdentifierAndRequester: '同一账号从同一来源地址获取找回密码验证码',
  codesPerHour: '全部验证码，其中四分之一留给找回密码，其余用于注册和验证邮箱',
  wrongCodesPerHour: '全部输错的找回密码验证码，超过后一小时内无法用验证码找回密码',
  registerPerRequester: '同一来源地址尝试注册',
  loginPerRequester: '同一来源地址尝试登录',
  loginPerIdentifier: '同一账号尝试登录',
  loginPerIdentifierAndRequester: '同一账号从同一来源地址尝试登录',
  sessionWritesPerProject: '同一项目在控制台的写操作',
  readsPerSession: '同一登录会话的读取，如 `/v1/me` 和控制台各页面（每个实例分别计数）',
  callsPerKey: '同一密钥的业务调用',
  mediaReadsPerKey: '同一密钥读取和取消视频任务（每个实例分别计数）',
  refusalsPerKey: '同一密钥因参数错误被拒绝的业务调用（每个实例分别计数）',
}

function facts(facts: ServiceFacts): string[] {
  const { keyLifetimeSeconds } = facts
  return [
    `- 请求体最大 ${facts.bodyLimitBytes} 字节，超过返回 413 \`PAYLOAD_TOO_LARGE\`；须在 ${facts.bodyDeadlineMs / 1000} 秒内传完，否则返回 408 \`REQUEST_TIMEOUT\`。`,
    `- 会话有效期 ${facts.sessionLifetimeSeconds} 秒。${keyLifetimeSeconds === null ? '密钥长期有效。' : `密钥有效期 ${keyLifetimeSeconds} 秒。`}每个项目最多 ${facts.activeKeysLimit} 个有效密钥，超过返回 429 \`RATE_LIMITED\`。`,
    `- 已保存的响应在 ${facts.resultDays} 天内可以重放；${facts.idempotencyDays === null ? '过期后，同一个 Idempotency-Key 也不会再次扣费' : `同一个 Idempotency-Key 在 ${facts.idempotencyDays} 天内不会再次扣费，之后视为新的调用`}。响应过期后再用同一个 Idempotency-Key 调用，会返回 409 \`IDEMPOTENCY_CONFLICT\`，不扣费。`,
    `- 搜索结果按项目缓存 ${facts.searchCacheSeconds} 秒；返回过的商品 ${facts.snapshotDays} 天内可供其他操作使用。`,
    '- 频率限制按固定时间窗计数，超过返回 429 `RATE_LIMITED` 和 `Retry-After`：',
    ...facts.rateLimits.map(
      ({ name, what, max, windowSeconds }) => `  - ${rateLimits[name] ?? what}：${windowSeconds} 秒内 ${max} 次`,
    ),
  ]
}
