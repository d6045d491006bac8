import { completionJsonDepth } from '../contract/chat-parameters.ts'
import { idempotencyKeyMaxLength, sessionCookieName } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { chargePolicy, creditsPerYuan, prices, recharge, scopes, yuanOfFen, yuanPerCredit } from '../contract/prices.ts'
import { challengeLifetimeSeconds, maxWrongAttempts, resendAfterSeconds } from '../contract/schemas/identity.ts'
import { maxJsonDepth } from '../contract/validate.ts'
import { type Line, videos, webhooks } from './guide-jobs.ts'
import { openAiSupport } from './openai-support.ts'

export const product = {
  title: 'API Relay Gateway',
  contractVersion: '2026-09-03',
  summary: 'A prepaid API relay: fixed prices, exact books, and no call charged twice.',
  introduction:
    'Register with a mainland China phone number, add prepaid credits, create an API key, and call operations at fixed prices. The price of every billable call is reserved before the call is forwarded, and then settled, released or held for review, exactly once.',
} as const

export interface Section {
  readonly title: string
  readonly text: string
}

/** The first is for readers who ask for neither. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' }

export interface GuideFacts {
  readonly operations: readonly Operation[]
  readonly origin: string
  /** Left out where the text is the same for every installation. */
  readonly mediaCreditsPerSecond?: number
  readonly isPublic?: boolean
}

/** How the operations are used together. OpenAPI and llms.txt carry the English text. */
export function guide(facts: GuideFacts, language: Language = 'en'): Section[] {
  const { operations, origin, mediaCreditsPerSecond, isPublic = false } = facts
  const at = language === 'en' ? 0 : 1
  const call = (id: string) => {
    const { method, path } = operations.find((operation) => operation.id === id)!
    return `\`${method} ${path}\``
  }
  const section = (title: readonly [string, string], lines: readonly Line[]): Section => ({
    title: title[at],
    text: lines.map((line) => (line === '' ? '' : line[at])).join('\n'),
  })
  return [
    section(['Requests and responses', '请求与响应'], requests(origin)),
    section(['Registering and signing in', '注册与登录'], signingIn(call)),
    section(['Sessions and CSRF', '会话与 CSRF'], sessions(call)),
    section(['Adding credits', '点数与充值'], recharging(call)),
    section(['API keys', 'API 密钥'], apiKeys(call)),
    section(['Use an OpenAI client', '使用 OpenAI 客户端'], openAiClients(origin)),
    section(['How calls are charged', '扣费规则'], charging()),
    section(['Idempotency and replay', '幂等与重放'], replay()),
    section(['Uncertain outcomes', '结果待确认'], uncertain()),
    section(['Errors and retrying', '错误与重试'], retrying()),
    section(['Videos', '视频生成'], videos(origin, mediaCreditsPerSecond)),
    section(['Webhooks', 'Webhook'], webhooks()),
    section(['SDK, key and agents', 'SDK、密钥查询与智能体'], programs(origin)),
    // A public origin has real providers, and says by `paymentMode` if payments are not.
    ...(isPublic ? [] : [section(['What is simulated', '模拟的部分'], simulated())]),
  ]
}

type CallText = (id: string) => string

const rule = (name: keyof typeof chargePolicy) => `- ${name}: ${chargePolicy[name]}`

const scopesIn = (separator: string) => scopes.map((scope) => `\`${scope}\``).join(separator)

const requests = (origin: string): Line[] => [
  [
    `- Send every request to \`${origin}\` over HTTP/1.1. Any other Host gets 421 \`HOST_NOT_ALLOWED\`.`,
    `- 所有请求均通过 HTTP/1.1 发往 \`${origin}\`。其他 Host 返回 421 \`HOST_NOT_ALLOWED\`。`,
  ],
  [
    '- The path starts with one slash and has no encoded separators. The query string is ignored; never put secrets or personal data in a URL.',
    '- 路径以一个斜杠开头，不含编码后的分隔符。查询字符串会被忽略；请勿在 URL 中放入密钥或个人信息。',
  ],
  [
    '- The body is one JSON object in UTF-8 with `Content-Type: application/json` and exactly one `Content-Length`. `Transfer-Encoding` and compressed bodies are refused.',
    '- 请求体为 UTF-8 编码的 JSON 对象，带 `Content-Type: application/json` 和唯一的 `Content-Length`。不接受 `Transfer-Encoding` 和压缩的请求体。',
  ],
  [
    '- Unknown fields are checked first and refused with `UNKNOWN_FIELDS`. A missing or invalid field is refused with the code documented for that field; fields are checked in the order of the contract.',
    '- 未定义的字段最先检查，返回 `UNKNOWN_FIELDS`。缺失或错误的字段按文档顺序检查，返回该字段对应的错误码。',
  ],
  [
    `- A body may be nested ${maxJsonDepth} deep, ${completionJsonDepth} deep at the paths for OpenAI clients; a deeper one gets 400 \`INVALID_JSON\`. Text with U+0000 is refused, except by the operations of the price list and for OpenAI clients.`,
    `- 请求体最多嵌套 ${maxJsonDepth} 层，OpenAI 客户端的接口为 ${completionJsonDepth} 层，超过返回 400 \`INVALID_JSON\`。文本不能包含 U+0000，价目表中的接口和 OpenAI 客户端的接口除外。`,
  ],
  [
    '- Text lengths are counted in Unicode code points. Money is in fen, credits are whole numbers, and times are ISO 8601 with a time zone.',
    '- 文本长度按 Unicode 码点计算。金额单位为分，点数为整数，时间为带时区的 ISO 8601 格式。',
  ],
  [
    '- Every response carries `X-Request-Id`. The project always comes from the session or the key, never from the body.',
    '- 每个响应都带 `X-Request-Id`。所属项目由会话或密钥决定，不从请求体读取。',
  ],
  [
    '- An unknown path gets 404 `NOT_FOUND`; a wrong method gets 405 `METHOD_NOT_ALLOWED` with `Allow`.',
    '- 路径不存在返回 404 `NOT_FOUND`；方法错误返回 405 `METHOD_NOT_ALLOWED`，并带 `Allow`。',
  ],
]

const signingIn = (call: CallText): Line[] => [
  [
    `1. ${call('auth.send_code')} with the phone number. Keep \`challengeId\`; the 6-digit code arrives by SMS and is never in a response. It is valid for ${challengeLifetimeSeconds} seconds, ${maxWrongAttempts} attempts and one use. You can request another after ${resendAfterSeconds} seconds; it replaces the first.`,
    `1. ${call('auth.send_code')}，提交手机号。请保存 \`challengeId\`；6 位验证码通过短信送达，不会出现在任何响应中。验证码 ${challengeLifetimeSeconds} 秒内有效，可尝试 ${maxWrongAttempts} 次，只能使用一次；${resendAfterSeconds} 秒后可以重新获取，旧验证码随即失效。`,
  ],
  [
    `2. ${call('auth.register')} with the phone number, code, challengeId, recovery email and password. The account, its personal project and a session are created together or not at all.`,
    `2. ${call('auth.register')}，提交手机号、验证码、challengeId、恢复邮箱和密码。账号、个人项目和会话同时创建，要么全部成功，要么全部不生效。`,
  ],
  [
    `3. Later, ${call('auth.login')} with the phone number (or a verified recovery email) and the password. After registration, the recovery email is \`pending_verification\` and cannot be used to log in.`,
    `3. 之后通过 ${call('auth.login')} 登录，提交手机号（或已验证的恢复邮箱）和密码。注册后恢复邮箱为 \`pending_verification\`，验证前不能用于登录。`,
  ],
  '',
  [
    'These three need the `Origin` header but no login. If step 2 ends in a network error, try step 3 first: the code can be used only once.',
    '这三个接口需要 `Origin` 请求头，不需要登录。第 2 步网络出错、结果不明时，请先尝试第 3 步，因为验证码只能使用一次。',
  ],
]

const sessions = (call: CallText): Line[] => [
  [
    `- Registering and logging in set the cookie \`${sessionCookieName}\` (HttpOnly). Send it back with every session operation; without a valid one, the response is 401 \`GATEWAY_AUTH_REQUIRED\`.`,
    `- 注册和登录会设置 Cookie \`${sessionCookieName}\`（HttpOnly）。账号接口都要携带该 Cookie，无效时返回 401 \`GATEWAY_AUTH_REQUIRED\`。`,
  ],
  [
    `- Writes with a session also need \`Origin\` (exactly the canonical origin, else 403 \`ORIGIN_INVALID\`) and \`X-CSRF-Token\` (else 403 \`CSRF_INVALID\`).`,
    '- 会话中的写操作还需要 `Origin`（必须与网关地址完全一致，否则返回 403 `ORIGIN_INVALID`）和 `X-CSRF-Token`（否则返回 403 `CSRF_INVALID`）。',
  ],
  [
    `- The token is \`csrfToken\` in the register or login response. Each ${call('account.get')} returns a new one, which replaces the previous one: after \`CSRF_INVALID\`, read it again and retry once.`,
    `- 令牌是注册或登录响应中的 \`csrfToken\`。每次 ${call('account.get')} 都会返回新令牌，旧令牌随即失效；遇到 \`CSRF_INVALID\` 时，请重新读取并重试一次。`,
  ],
  [
    `- Logging in ends the session sent with the request. ${call('auth.logout')} ends it on the server and clears the cookie; repeating it may return 401.`,
    `- 登录会结束请求携带的旧会话。${call('auth.logout')} 在服务端结束会话并清除 Cookie；重复退出可能返回 401。`,
  ],
]

const recharging = (call: CallText): Line[] => [
  [
    `1 yuan buys ${creditsPerYuan} credits; 1 credit is CNY ${yuanPerCredit}. There are no plans or discounts.`,
    `1 元兑换 ${creditsPerYuan} 点，1 点为 ¥${yuanPerCredit}。没有套餐，也没有折扣。`,
  ],
  '',
  [
    `1. ${call('orders.create')} with \`amountFen\` (${recharge.minAmountFen} to ${recharge.maxAmountFen}, in steps of ${recharge.stepAmountFen}; CNY ${yuanOfFen(recharge.minAmountFen)} to ${yuanOfFen(recharge.maxAmountFen)}) and an \`Idempotency-Key\`. The order is \`pending\`; its amount, rate and price version are fixed. The same key with the same amount returns the same order with \`idempotentReplay\` true.`,
    `1. ${call('orders.create')}，提交 \`amountFen\`（${recharge.minAmountFen} 到 ${recharge.maxAmountFen} 分，步长 ${recharge.stepAmountFen}，即 ¥${yuanOfFen(recharge.minAmountFen)} 到 ¥${yuanOfFen(recharge.maxAmountFen)}）和 \`Idempotency-Key\`。订单状态为 \`pending\`，金额、兑换比例和价格版本已锁定。相同的值和金额返回同一个订单，\`idempotentReplay\` 为 true。`,
  ],
  [
    `2. ${call('orders.confirm')}. The order becomes \`credited\`, and the credits are added exactly once, no matter how often it is confirmed, even concurrently. Confirming a credited order returns 409 \`ORDER_NOT_PAYABLE\`.`,
    `2. ${call('orders.confirm')}。订单变为 \`credited\`，无论确认多少次、是否并发，点数只到账一次。再次确认已到账的订单返回 409 \`ORDER_NOT_PAYABLE\`。`,
  ],
  [
    `3. ${call('account.get')} shows \`credits.available\` and \`credits.reserved\`. After any uncertain result, check there first; do not pay again.`,
    `3. ${call('account.get')} 显示 \`credits.available\`（可用）和 \`credits.reserved\`（冻结）。结果不明时请先在此查询，不要重复支付。`,
  ],
]

const apiKeys = (call: CallText): Line[] => [
  [
    `- ${call('keys.create')} with the scopes for the key: ${scopesIn(', ')}. The response shows \`apiKey\` only this once; it cannot be read again. Each success creates a new key: if the response was lost, revoke that key and create another.`,
    `- ${call('keys.create')}，提交密钥的权限，可选 ${scopesIn('、')}。响应中的 \`apiKey\` 只显示这一次，之后无法读取。每次成功都会创建新密钥；如果没有收到响应，请吊销该密钥后重新创建。`,
  ],
  [
    '- Send it as `Authorization: Bearer <apiKey>` with every business operation. A missing, wrong or revoked key gets 401 `UNAUTHORIZED`, an expired one 401 `KEY_EXPIRED`, and one without the scope 403 `FORBIDDEN`.',
    '- 调用业务接口时携带 `Authorization: Bearer <apiKey>`。密钥缺失、错误或已吊销返回 401 `UNAUTHORIZED`，过期返回 401 `KEY_EXPIRED`，没有权限返回 403 `FORBIDDEN`。',
  ],
  [
    `- ${call('keys.list')} lists metadata, ${call('keys.revoke')} disables a key immediately and permanently. Keys, orders and items of other projects appear not to exist.`,
    `- ${call('keys.list')} 返回元数据；${call('keys.revoke')} 立即永久停用密钥。查询其他项目的密钥、订单和商品，一律视为不存在。`,
  ],
]

const openAiClients = (origin: string): Line[] => [
  [
    `- Any OpenAI-compatible client works: set its base URL to \`${origin}/v1\` and its API key to one with the \`models:invoke\` scope. It can call \`POST /v1/chat/completions\`, with \`stream\` true or false, and \`GET /v1/models\`. A call costs ${prices['model.chat'].credits} credits, the same as \`model.chat\`. The contract is \`${origin}/openai/openapi.json\`.`,
    `- 兼容 OpenAI 协议的客户端均可直接使用：将 base URL 设为 \`${origin}/v1\`，API key 设为具有 \`models:invoke\` 权限的密钥。可调用 \`POST /v1/chat/completions\`（\`stream\` 可为 true 或 false）和 \`GET /v1/models\`。每次调用 ${prices['model.chat'].credits} 点，与 \`model.chat\` 同价。接口契约见 \`${origin}/openai/openapi.json\`。`,
  ],
  [
    '- A stream that ends with `data: [DONE]` is charged, and its response is stored. A stream that fails ends with `data: {"error": ...}` and no `[DONE]`.',
    '- 以 `data: [DONE]` 结束的流已扣费，回答已保存。失败的流以 `data: {"error": ...}` 结束，没有 `[DONE]`。',
  ],
  [
    '- The price is per call and known in advance. A stream that you abort is still charged, because the provider keeps working; you can fetch the full response again with the `Idempotency-Key` of the response.',
    '- 按次计价，价格预先确定。中途断开的流照常扣费，因为服务商仍会继续生成；使用响应中的 `Idempotency-Key` 可取回完整的回答。',
  ],
  [
    '- The `openai` client retries after a broken connection and gets the response of its first attempt, without a second charge. Other clients should send their own `Idempotency-Key`: a retry without one is a new call.',
    '- `openai` 客户端在连接断开后会自动重试，得到的是第一次调用的回答，不会再次扣费。其他客户端请自行发送 `Idempotency-Key`，否则每次重试都是新的调用。',
  ],
  [
    '- If the outcome is unknown, the response here is 403 `MANUAL_REVIEW` instead of 202, because clients would take a 202 for a success.',
    '- 结果不明时，此处返回 403 `MANUAL_REVIEW` 而不是 202，因为客户端会把 202 当作成功。',
  ],
  [
    '- A 500 with the header `Idempotency-Key` means that the outcome is not recorded yet. A retry with that key gets the response, without a second charge. The `openai` client does this on its own.',
    '- 返回 500 且带响应头 `Idempotency-Key` 时，表示结果尚未记录。使用该值重试即可取得回答，不会再次扣费。`openai` 客户端会自动这样做。',
  ],
  '',
  ...openAiSupport,
]

const charging = (): Line[] => [
  [rule('reserve'), '- 冻结：转发前，先从余额中冻结固定费用。'],
  [rule('settle'), '- 扣费：确认成功后扣除冻结的费用，只扣一次。'],
  [rule('release'), '- 退回：明确失败时，冻结的费用全部退回。'],
  [rule('manualReview'), '- 待确认：结果不明时费用保持冻结，由运营方处理，不会自动重试。'],
  [rule('idempotentReplay'), '- 重放：使用相同的 Idempotency-Key 重发相同的请求，返回已保存的结果，不重复扣费。'],
  [rule('idempotencyConflict'), '- 冲突：使用相同的 Idempotency-Key 发送不同的请求，返回 409 IDEMPOTENCY_CONFLICT。'],
  [rule('insufficientCredits'), '- 余额不足：费用超过余额的调用返回 402 INSUFFICIENT_PAID_CREDITS，不会转发。'],
  '',
  [
    'A charge starts as `reserved` and ends as `settled`, `released` or `manual_review`; an operator then settles or releases charges in review.',
    '每笔费用从 `reserved`（冻结）开始，结束时为 `settled`（已扣费）、`released`（已退回）或 `manual_review`（待确认）；待确认的由运营方决定扣费或退回。',
  ],
]

const replay = (): Line[] => [
  [
    `- Every business operation and order creation needs an \`Idempotency-Key\` of 1 to ${idempotencyKeyMaxLength} characters. Generate one for each new call and keep it until you know the outcome.`,
    `- 所有业务接口和创建订单都需要 \`Idempotency-Key\`，1 到 ${idempotencyKeyMaxLength} 个字符。每次新的调用生成一个，并保留到得知结果为止。`,
  ],
  [
    '- For business operations, the key is bound to the project, the operation and the request. The same key with the same request returns the stored response, including errors, with `Idempotent-Replayed: true` and no second charge. Field order and white space make no difference, but omitting a field is not the same as sending its default.',
    '- 业务接口的 `Idempotency-Key` 与项目、接口和请求内容绑定。相同的值和请求返回已保存的响应（包括错误），带 `Idempotent-Replayed: true`，不重复扣费。字段顺序和空白不影响判断；省略字段与显式填写默认值不算同一请求。',
  ],
  [
    '- The same key with a different request or operation gets 409 `IDEMPOTENCY_CONFLICT`.',
    '- 相同的值用于不同的请求或接口，返回 409 `IDEMPOTENCY_CONFLICT`。',
  ],
  [
    '- A second call with the same key waits for the result of the first if that is still in progress.',
    '- 第一次调用尚未结束时，使用相同值的第二次调用会等待其结果。',
  ],
  [
    '- A request that is refused before forwarding (402, a disabled or busy provider, an unknown item) does not use up the key: send the same request again once the cause is resolved.',
    '- 转发前被拒绝的请求（402、服务商停用或繁忙、商品未知）不占用该值，问题解决后可原样重发。',
  ],
]

const uncertain = (): Line[] => [
  [
    'If a call was forwarded and its outcome cannot be determined, the response is HTTP 202 with `status` `manual_review`, `reservedCredits` and a `chargeId`. The credits stay reserved until an operator decides.',
    '请求已转发但无法确认结果时，返回 HTTP 202，`status` 为 `manual_review`，并带 `reservedCredits` 和 `chargeId`。点数保持冻结，由运营方处理。',
  ],
  '',
  [
    '- Never retry it automatically, and never with a new key: the first call may have gone through.',
    '- 请勿自动重试，更不要更换 Idempotency-Key，因为第一次调用可能已经执行。',
  ],
  [
    '- The same key returns the same 202. After the decision, it returns the 202 with `resolution` `settled`, or 502 `ADAPTER_FAILURE` if the credits were released.',
    '- 使用相同的值重发，返回同样的 202。运营方处理后，返回 202 且 `resolution` 为 `settled`；如果点数已退回，则返回 502 `ADAPTER_FAILURE`。',
  ],
]

const retrying = (): Line[] => [
  [
    '- Every error is `{"error": {"code", "message"}}`. Rely on `code`; `message` is for people and may change.',
    '- 所有错误的结构都是 `{"error": {"code", "message"}}`。请按 `code` 判断；`message` 供人阅读，可能变化。',
  ],
  ['- 429 carries `Retry-After` in seconds.', '- 429 响应带 `Retry-After`，单位为秒。'],
  [
    '- Errors of API key calls say whether a retry can help. `x-should-retry: true` means: wait for `Retry-After`, then retry. In `Retry-Hint`, `same-key` means to keep the `Idempotency-Key`; `new-key` means that it is used up, so another attempt needs a new one and is charged anew; `never` means that a person must act first.',
    '- 使用 API 密钥调用出错时，响应头会说明能否重试。`x-should-retry: true` 表示等待 `Retry-After` 后重试。`Retry-Hint` 为 `same-key` 时，沿用原 `Idempotency-Key`；为 `new-key` 时，原值已失效，重新调用须更换新值并重新计费；为 `never` 时，须先人工处理。',
  ],
  [
    '- `X-Charge-Id` is the charge ID of the call, also on errors.',
    '- `X-Charge-Id` 是本次调用的扣费编号，错误响应中也会返回。',
  ],
  [
    '- After a network error, a timeout or a 500, retry with the same `Idempotency-Key` if the operation takes one; otherwise check the state first.',
    '- 遇到网络错误、超时或 500 时，接口支持 `Idempotency-Key` 的，使用相同的值重试；否则请先查询状态。',
  ],
  [
    '- After 408 on a business operation, use a new key. Once a call is forwarded, its outcome is stored: the same key returns the same error, so a new attempt needs a new key.',
    '- 业务接口返回 408 后，请更换 `Idempotency-Key`。已转发的调用会保存结果，使用相同的值重发只会得到同样的错误，重新调用须更换新值。',
  ],
]

const programs = (origin: string): Line[] => [
  [
    `- TypeScript: install the SDK from this gateway, \`npm install ${origin}/sdk.tgz\`; it is not on npm. It generates an \`Idempotency-Key\` for each call, retries when that can help, and has a class for each kind of error.`,
    `- TypeScript：从本网关安装 SDK：\`npm install ${origin}/sdk.tgz\`（未发布到 npm）。它为每次调用生成一个 \`Idempotency-Key\`，在可重试时自动重试，并为每类错误提供对应的类。`,
  ],
  [
    `- Receipts: \`GET /v1/charges/{chargeId}/receipt.jws\` is the signed receipt of a charge. \`${origin}/verify/verify.mjs\` verifies it offline, with Node.js and no other package: \`node verify.mjs receipt.jws --keys jwks.json\`. The public keys are at ${origin}/.well-known/jwks.json.`,
    `- 收据：\`GET /v1/charges/{chargeId}/receipt.jws\` 是一笔扣费的签名收据。下载 \`${origin}/verify/verify.mjs\`，只需 Node.js 即可离线核验：\`node verify.mjs receipt.jws --keys jwks.json\`。公钥见 ${origin}/.well-known/jwks.json。`,
  ],
  [
    `- A key can read its own details (\`GET /v1/key\`: rate limit, budget, and the balance if its owner allows it) and its charges (\`GET /v1/charges\`, \`GET /v1/charges/{chargeId}\`, \`?idempotencyKey=\`). These reads are free: ${origin}/key/openapi.json.`,
    `- 密钥可以查询自身（\`GET /v1/key\`：频率限制、预算，以及所有者允许时的余额）和自己的扣费记录（\`GET /v1/charges\`、\`GET /v1/charges/{chargeId}\`、\`?idempotencyKey=\`）。查询不收费：${origin}/key/openapi.json。`,
  ],
  [
    `- Agents: \`${origin}/mcp\` is a Model Context Protocol server (Streamable HTTP, JSON responses, no sessions). Send the key as \`Authorization: Bearer\`. The tools are the operations that the key’s scopes allow, with their prices.`,
    `- 智能体：\`${origin}/mcp\` 是 MCP 服务器（Streamable HTTP，只返回 JSON，无会话）。通过 \`Authorization: Bearer\` 发送密钥。工具即该密钥有权调用的接口，并标明价格。`,
  ],
  [
    '- A tool call can have an `idempotencyKey` argument: repeating it returns the stored result and charges nothing. The result names the one that was used.',
    '- 调用工具时可带参数 `idempotencyKey`：重复使用相同的值，返回已保存的结果，不重复扣费。结果中会给出所用的值。',
  ],
]

const simulated = (): Line[] => [
  [
    'Real SMS delivery, the production identity system, real payment, refund and invoice, and real providers are not part of this service: `productionPayment` is `NOT_RUN`. `paymentMode` says whether simulated payment is on (`local-simulated`) or off (`disabled`: creating and confirming orders returns 404 `SIMULATED_PAYMENT_DISABLED`). `mode` in a result and `testOnly` in an item say whether it came from a local fixture.',
    '真实的短信、生产身份系统、真实的支付、退款和发票，以及真实的服务商，都不在本服务范围内：`productionPayment` 为 `NOT_RUN`。`paymentMode` 表示模拟支付是否开启（`local-simulated` 为开启；`disabled` 为关闭，此时创建和确认订单返回 404 `SIMULATED_PAYMENT_DISABLED`）。结果中的 `mode` 和商品的 `testOnly` 表示数据是否来自本地测试数据。',
  ],
]
