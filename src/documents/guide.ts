import { idempotencyKeyMaxLength, sessionCookieName } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { chargePolicy, creditsPerYuan, prices, recharge, scopes, yuanOfFen, yuanPerCredit } from '../contract/prices.ts'
import { challengeLifetimeSeconds, maxWrongAttempts, resendAfterSeconds } from '../contract/schemas/identity.ts'
import { type Line, videos, webhooks } from './guide-jobs.ts'

export const product = {
  title: 'API Relay Gateway',
  contractVersion: '2026-09-03',
  summary: 'A prepaid API relay: fixed prices, exact books, no call charged twice.',
  introduction:
    'Register with a mainland-China phone number, recharge prepaid credits, create an API key, and call operations at fixed prices. Every billable call is reserved before it is forwarded, and then settled, released or held for review exactly once.',
} as const

export interface Section {
  readonly title: string
  readonly text: string
}

export type Language = 'en' | 'zh'

export interface GuideFacts {
  readonly operations: readonly Operation[]
  readonly origin: string
  /** Left out where the text is the same for every installation. */
  readonly mediaCreditsPerSecond?: number
}

/** How the operations are used together. OpenAPI and llms.txt carry the English text. */
export function guide({ operations, origin, mediaCreditsPerSecond }: GuideFacts, language: Language = 'en'): Section[] {
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
    section(['Requests and answers', '请求与响应'], requests(origin)),
    section(['Registering and signing in', '注册与登录'], signingIn(call)),
    section(['Sessions and CSRF', '会话与 CSRF'], sessions(call)),
    section(['Credits and recharging', '点数与充值'], recharging(call)),
    section(['API keys', 'API 密钥'], apiKeys(call)),
    section(['Use an OpenAI client', '使用 OpenAI 客户端'], openAiClients(origin)),
    section(['What a call costs, and when', '何时扣费、扣多少'], charging()),
    section(['Idempotency and replay', '幂等与重放'], replay()),
    section(['Uncertain outcomes', '结果待确认'], uncertain()),
    section(['Errors and retrying', '错误与重试'], retrying()),
    section(['Videos', '视频生成'], videos(origin, mediaCreditsPerSecond)),
    section(['Webhooks', 'Webhook'], webhooks()),
    section(['SDK, key and agents', 'SDK、密钥查询与智能体'], programs(origin)),
    section(['What is simulated', '哪些是模拟的'], simulated()),
  ]
}

type CallText = (id: string) => string

const rule = (name: keyof typeof chargePolicy) => `- ${name}: ${chargePolicy[name]}`

const scopesIn = (separator: string) => scopes.map((scope) => `\`${scope}\``).join(separator)

const requests = (origin: string): Line[] => [
  [
    `- Send every request to \`${origin}\` over HTTP/1.1. Another Host is answered 421 \`HOST_NOT_ALLOWED\`.`,
    `- 所有请求都用 HTTP/1.1 发往 \`${origin}\`。其他 Host 返回 421 \`HOST_NOT_ALLOWED\`。`,
  ],
  [
    '- The path starts with one slash and has no encoded separators. A query string is ignored; never put a secret or personal data into a URL.',
    '- 路径以一个斜杠开头，不含编码后的分隔符。查询字符串会被忽略；不要把密钥或个人信息放进 URL。',
  ],
  [
    '- A body is one JSON object in UTF-8 with `Content-Type: application/json` and exactly one `Content-Length`. `Transfer-Encoding` and compressed bodies are refused.',
    '- 请求体是一个 UTF-8 编码的 JSON 对象，带 `Content-Type: application/json` 和唯一的 `Content-Length`。不接受 `Transfer-Encoding` 和压缩的请求体。',
  ],
  [
    '- A field outside the contract is refused with `UNKNOWN_FIELDS`, before any other field is looked at. A missing or wrong field is answered with the code stated for that field, in the order of the contract.',
    '- 未定义的字段最先检查，返回 `UNKNOWN_FIELDS`。缺失或错误的字段按文档顺序检查，返回该字段对应的错误码。',
  ],
  [
    '- Lengths of texts are counted in Unicode code points. Money is in fen, credits are whole numbers, times are ISO 8601 with a time zone.',
    '- 文本长度按 Unicode 码点计算。金额单位为分，点数为整数，时间为带时区的 ISO 8601 格式。',
  ],
  [
    '- Every answer carries `X-Request-Id`. The project is always that of the session or the key; it is never taken from a body.',
    '- 每个响应都带 `X-Request-Id`。所属项目总由会话或密钥决定，不从请求体读取。',
  ],
  [
    '- An unknown path is answered 404 `NOT_FOUND`, a wrong method 405 `METHOD_NOT_ALLOWED` with `Allow`.',
    '- 路径不存在返回 404 `NOT_FOUND`；方法不对返回 405 `METHOD_NOT_ALLOWED`，并带 `Allow`。',
  ],
]

const signingIn = (call: CallText): Line[] => [
  [
    `1. ${call('auth.send_code')} with the phone. Keep \`challengeId\`; the 6-digit code arrives by SMS and is in no answer. It is valid for ${challengeLifetimeSeconds} seconds, ${maxWrongAttempts} attempts and one use; another can be asked for after ${resendAfterSeconds} seconds and replaces it.`,
    `1. ${call('auth.send_code')}，提交手机号。请保存 \`challengeId\`；6 位验证码通过短信送达，不会出现在任何响应里。验证码 ${challengeLifetimeSeconds} 秒内有效，可尝试 ${maxWrongAttempts} 次，只能使用一次；${resendAfterSeconds} 秒后可以重新获取，旧验证码随即失效。`,
  ],
  [
    `2. ${call('auth.register')} with phone, code, challengeId, recovery email and password. The account, its personal project and a session are created together or not at all.`,
    `2. ${call('auth.register')}，提交手机号、验证码、challengeId、恢复邮箱和密码。账号、个人项目和会话同时创建，要么全部成功，要么全部不生效。`,
  ],
  [
    `3. Later: ${call('auth.login')} with the phone (or a verified recovery email) and the password. A recovery email is \`pending_verification\` after registering and cannot log in.`,
    `3. 以后用 ${call('auth.login')} 登录，提交手机号（或已验证的恢复邮箱）和密码。恢复邮箱注册后为 \`pending_verification\`，不能用来登录。`,
  ],
  '',
  [
    'These three need the `Origin` header and no login. After an uncertain network error in step 2 try step 3 first: the code can be used once.',
    '这三个接口需要 `Origin` 请求头，不需要登录。第 2 步网络出错、结果不明时，请先做第 3 步：验证码只能用一次。',
  ],
]

const sessions = (call: CallText): Line[] => [
  [
    `- Registering and logging in set the cookie \`${sessionCookieName}\` (HttpOnly). Send it back with every session operation; without a valid one the answer is 401 \`GATEWAY_AUTH_REQUIRED\`.`,
    `- 注册和登录会设置 Cookie \`${sessionCookieName}\`（HttpOnly）。账号接口都要带上它，无效时返回 401 \`GATEWAY_AUTH_REQUIRED\`。`,
  ],
  [
    `- Writes with a session also need \`Origin\` (exactly the canonical origin, else 403 \`ORIGIN_INVALID\`) and \`X-CSRF-Token\` (else 403 \`CSRF_INVALID\`).`,
    '- 会话中的写操作还需要 `Origin`（必须与网关地址完全一致，否则返回 403 `ORIGIN_INVALID`）和 `X-CSRF-Token`（否则返回 403 `CSRF_INVALID`）。',
  ],
  [
    `- The token is \`csrfToken\` of the register or login answer. Each ${call('account.get')} returns a fresh one, which replaces the one before: after \`CSRF_INVALID\` read it again and retry once.`,
    `- 令牌是注册或登录响应中的 \`csrfToken\`。每次 ${call('account.get')} 都会返回新令牌，旧令牌随即失效；遇到 \`CSRF_INVALID\` 时重新读取，重试一次。`,
  ],
  [
    `- Logging in ends the session that was presented. ${call('auth.logout')} ends it on the server and clears the cookie; repeating it may answer 401.`,
    `- 登录会结束请求中带来的旧会话。${call('auth.logout')} 在服务端结束会话并清除 Cookie；重复退出可能返回 401。`,
  ],
]

const recharging = (call: CallText): Line[] => [
  [
    `${creditsPerYuan} credits cost 1 yuan; 1 credit is CNY ${yuanPerCredit}. There are no plans and no discounts.`,
    `1 元兑换 ${creditsPerYuan} 点，1 点为 ¥${yuanPerCredit}。没有套餐，也没有折扣。`,
  ],
  '',
  [
    `1. ${call('orders.create')} with \`amountFen\` (${recharge.minAmountFen} to ${recharge.maxAmountFen}, in steps of ${recharge.stepAmountFen}; CNY ${yuanOfFen(recharge.minAmountFen)} to ${yuanOfFen(recharge.maxAmountFen)}) and an \`Idempotency-Key\`. The order is \`pending\`; its amount, rate and price version are fixed. The same key with the same amount returns the same order with \`idempotentReplay\` true.`,
    `1. ${call('orders.create')}，提交 \`amountFen\`（${recharge.minAmountFen} 到 ${recharge.maxAmountFen} 分，步长 ${recharge.stepAmountFen}，即 ¥${yuanOfFen(recharge.minAmountFen)} 到 ¥${yuanOfFen(recharge.maxAmountFen)}）和 \`Idempotency-Key\`。订单状态为 \`pending\`，金额、兑换比例和价格版本已锁定。同一个值加同样的金额返回同一个订单，\`idempotentReplay\` 为 true。`,
  ],
  [
    `2. ${call('orders.confirm')}. The order becomes \`credited\` and the credits are added exactly once, however often or however many at once confirm it. A credited order answers 409 \`ORDER_NOT_PAYABLE\`.`,
    `2. ${call('orders.confirm')}。订单变为 \`credited\`，无论确认多少次、多少人同时确认，点数只到账一次。已到账的订单返回 409 \`ORDER_NOT_PAYABLE\`。`,
  ],
  [
    `3. ${call('account.get')} shows \`credits.available\` and \`credits.reserved\`. After any uncertain result look there first; never pay again.`,
    `3. ${call('account.get')} 显示 \`credits.available\`（可用）和 \`credits.reserved\`（冻结）。结果不明时先看这里，不要重复支付。`,
  ],
]

const apiKeys = (call: CallText): Line[] => [
  [
    `- ${call('keys.create')} with the scopes the key shall have, out of ${scopesIn(', ')}. The answer shows \`apiKey\` this once; it cannot be read again. Each success makes a new key: if the answer was lost, revoke that key and create another.`,
    `- ${call('keys.create')}，提交密钥的权限，可选 ${scopesIn('、')}。响应中的 \`apiKey\` 只显示这一次，之后无法读取。每次成功都会创建新密钥；如果没有收到响应，请吊销它再新建。`,
  ],
  [
    '- Send it as `Authorization: Bearer <apiKey>` with every business operation. Missing, wrong or revoked: 401 `UNAUTHORIZED`; expired: 401 `KEY_EXPIRED`; without the scope: 403 `FORBIDDEN`.',
    '- 调用业务接口时带上 `Authorization: Bearer <apiKey>`。密钥缺失、错误或已吊销返回 401 `UNAUTHORIZED`，过期返回 401 `KEY_EXPIRED`，没有权限返回 403 `FORBIDDEN`。',
  ],
  [
    `- ${call('keys.list')} lists metadata, ${call('keys.revoke')} stops a key at once; this cannot be undone. Keys, orders and items of another project look as if they did not exist.`,
    `- ${call('keys.list')} 返回元数据；${call('keys.revoke')} 立即永久停用密钥。其他项目的密钥、订单和商品，查询时都视为不存在。`,
  ],
]

const openAiClients = (origin: string): Line[] => [
  [
    `- Any client of the OpenAI protocol works: set its base URL to \`${origin}/v1\` and its API key to one with the scope \`models:invoke\`. It calls \`POST /v1/chat/completions\`, with \`stream\` true or false, and \`GET /v1/models\`. A call costs ${prices['model.chat'].credits} credits, as \`model.chat\` does. The contract is \`${origin}/openai/openapi.json\`.`,
    `- 支持 OpenAI 协议的客户端都能直接使用：把 base URL 设为 \`${origin}/v1\`，API key 填具备 \`models:invoke\` 权限的密钥。可调用 \`POST /v1/chat/completions\`（\`stream\` 可为 true 或 false）和 \`GET /v1/models\`。每次调用 ${prices['model.chat'].credits} 点，与 \`model.chat\` 同价。契约见 \`${origin}/openai/openapi.json\`。`,
  ],
  [
    '- A stream that ends with `data: [DONE]` is charged, and its answer is stored. One that fails ends with `data: {"error": ...}` and no `[DONE]`.',
    '- 以 `data: [DONE]` 结束的流已经扣费，回答已保存。失败的流以 `data: {"error": ...}` 结束，没有 `[DONE]`。',
  ],
  [
    '- The price is per call and known before. Whoever leaves a stream early pays for it, because the provider works on; the whole answer can be fetched again with the `Idempotency-Key` of the response.',
    '- 价格按次计算，事先已知。中途断开的流照常扣费，因为服务商仍在工作；用响应中的 `Idempotency-Key` 可以取回完整的回答。',
  ],
  [
    '- `openai` repeats a call after a broken connection, and gets the answer of its first attempt without a second charge. Other clients should send an `Idempotency-Key` of their own: a repeat without one is a new call.',
    '- `openai` 客户端在连接断开后会自动重试，得到的是第一次调用的回答，不会再次扣费。其他客户端请自行发送 `Idempotency-Key`：不带它的重试是一次新的调用。',
  ],
  [
    '- An outcome that nobody knows is 403 `MANUAL_REVIEW` here, not 202: clients would take a 202 for an answer.',
    '- 结果不明时，这里返回 403 `MANUAL_REVIEW`，而不是 202：客户端会把 202 当成回答。',
  ],
]

const charging = (): Line[] => [
  [rule('reserve'), '- 冻结：转发之前，先从余额中冻结固定的费用。'],
  [rule('settle'), '- 扣费：确认成功后，冻结的费用扣除一次。'],
  [rule('release'), '- 退回：明确失败时，冻结的费用全部退回。'],
  [rule('manualReview'), '- 待确认：结果不明时费用保持冻结，由运营方处理，不会自动重试。'],
  [rule('idempotentReplay'), '- 重放：同一个 Idempotency-Key 加同一请求，返回已保存的结果，不再扣费。'],
  [rule('idempotencyConflict'), '- 冲突：同一个 Idempotency-Key 加不同请求，返回 409 IDEMPOTENCY_CONFLICT。'],
  [rule('insufficientCredits'), '- 余额不足：费用超过余额的调用返回 402 INSUFFICIENT_PAID_CREDITS，不会转发。'],
  '',
  [
    'A charge is `reserved`, and then ends as `settled`, `released` or `manual_review`; an operator ends the last as settled or released.',
    '每笔费用从 `reserved`（冻结）开始，结束时为 `settled`（已扣费）、`released`（已退回）或 `manual_review`（待确认）；待确认的由运营方决定扣费或退回。',
  ],
]

const replay = (): Line[] => [
  [
    `- Every business operation and the creation of an order need \`Idempotency-Key\`, 1 to ${idempotencyKeyMaxLength} characters. Make one for each intent and keep it until you know the outcome.`,
    `- 所有业务接口和创建订单都需要 \`Idempotency-Key\`，1 到 ${idempotencyKeyMaxLength} 个字符。每次新的调用生成一个，在得知结果之前一直保留。`,
  ],
  [
    '- For a business operation it is bound to the project, the operation and the request. The same key with the same request returns the stored answer, errors included, with `Idempotent-Replayed: true` and no second charge. The order of fields and white space between them make no difference; a field that is left out is not the same as its default.',
    '- 业务接口的这个值与项目、接口和请求内容绑定。同一个值加同一请求，返回已保存的响应（包括错误），带 `Idempotent-Replayed: true`，不再扣费。字段顺序和空白不影响判断；省略字段与显式填写默认值不算同一请求。',
  ],
  [
    '- The same key with another request or operation: 409 `IDEMPOTENCY_CONFLICT`.',
    '- 同一个值用于不同的请求或接口，返回 409 `IDEMPOTENCY_CONFLICT`。',
  ],
  [
    '- A second call with the key while the first is under way waits for its result.',
    '- 第一次调用尚未结束时，带同一个值的第二次调用会等待它的结果。',
  ],
  [
    '- What was refused before anything was forwarded (402, a disabled or busy provider, an unknown item) does not use up the key: send the same intent again when the reason is gone.',
    '- 转发之前被拒绝的请求（402、服务商停用或繁忙、商品未知）不占用这个值：原因消除后可以原样重发。',
  ],
]

const uncertain = (): Line[] => [
  [
    'When a call was forwarded and nobody can tell what came of it, the answer is HTTP 202 with `status` `manual_review`, the `reservedCredits` and a `chargeId`. The credits stay reserved until an operator decides.',
    '请求已转发但无法确认结果时，返回 HTTP 202，`status` 为 `manual_review`，并带 `reservedCredits` 和 `chargeId`。点数保持冻结，由运营方处理。',
  ],
  '',
  [
    '- Never retry it automatically, and never with a new key: the first call may have been carried out.',
    '- 不要自动重试，更不要换新的 Idempotency-Key：第一次调用可能已经执行。',
  ],
  [
    '- The same key returns the same 202. After the decision it returns the 202 with `resolution` `settled`, or 502 `ADAPTER_FAILURE` when the credits were released.',
    '- 用同一个值重发，返回同样的 202。运营方处理后，返回 202 且 `resolution` 为 `settled`，或在退回点数后返回 502 `ADAPTER_FAILURE`。',
  ],
]

const retrying = (): Line[] => [
  [
    '- Every error is `{"error": {"code", "message"}}`. Decide by `code`; `message` is for people and may change.',
    '- 所有错误的结构都是 `{"error": {"code", "message"}}`。请按 `code` 判断；`message` 供人阅读，可能变化。',
  ],
  ['- 429 carries `Retry-After` in seconds.', '- 429 响应带 `Retry-After`，单位为秒。'],
  [
    '- Errors of calls with an API key say whether a repeat can help. `x-should-retry: true`: wait for `Retry-After`, then repeat. `Retry-Hint`: `same-key` keeps the `Idempotency-Key`; `new-key` means that this one is used up, so another attempt needs a new one and is a new charge; `never` means that a person must act first.',
    '- 用 API 密钥调用出错时，响应头说明重试是否有用。`x-should-retry: true`：等待 `Retry-After` 后重试。`Retry-Hint`：`same-key` 表示沿用同一个 `Idempotency-Key`；`new-key` 表示该值已用掉，重新调用要换新值，并重新计费；`never` 表示须先由人处理。',
  ],
  [
    '- `X-Charge-Id` names the charge of a call, on errors too.',
    '- `X-Charge-Id` 是本次调用的扣费编号，出错的响应也会带上。',
  ],
  [
    '- After a network error, a time-out or a 500: repeat with the same `Idempotency-Key` where the operation takes one; otherwise read the state first.',
    '- 网络错误、超时或 500 之后：接口支持 `Idempotency-Key` 的，用同一个值重试；否则先查询状态。',
  ],
  [
    '- After 408 on a business operation use a new key. Once something was forwarded its outcome is stored: repeating the key returns the same error, so a new attempt needs a new key.',
    '- 业务接口返回 408 后请换新值。已转发的调用，结果会保存下来：用同一个值重发只会得到同样的错误，重新调用要换新值。',
  ],
]

const programs = (origin: string): Line[] => [
  [
    '- TypeScript: the package `@api-relay-gateway/sdk` makes one `Idempotency-Key` for each call, repeats it when that can help, and has a class for each kind of error.',
    '- TypeScript：`@api-relay-gateway/sdk` 为每次调用生成一个 `Idempotency-Key`，在有用时自动重试，并为每类错误提供单独的类。',
  ],
  [
    `- A key can read itself (\`GET /v1/key\`: rate limit, budget, and the balance if its owner allows it) and its charges (\`GET /v1/charges\`, \`GET /v1/charges/{chargeId}\`, \`?idempotencyKey=\`). These reads are free: ${origin}/key/openapi.json.`,
    `- 密钥可以查询自身（\`GET /v1/key\`：频率限制、预算，以及所有者允许时的余额）和自己的扣费记录（\`GET /v1/charges\`、\`GET /v1/charges/{chargeId}\`、\`?idempotencyKey=\`）。查询不收费：${origin}/key/openapi.json。`,
  ],
  [
    `- Agents: \`${origin}/mcp\` is a server of the Model Context Protocol (Streamable HTTP, JSON answers, no session). Send the key as \`Authorization: Bearer\`. The tools are the operations that the scopes of the key allow, with their prices.`,
    `- 智能体：\`${origin}/mcp\` 是 MCP 服务器（Streamable HTTP，只返回 JSON，无会话）。用 \`Authorization: Bearer\` 发送密钥。工具即该密钥权限内的接口，并标明价格。`,
  ],
  [
    '- A tool call can have an argument `idempotencyKey`: repeating it returns the stored result and charges nothing. The result names the one that was used.',
    '- 调用工具时可带参数 `idempotencyKey`：重复同一个值会返回已保存的结果，不再扣费。结果中会给出所用的值。',
  ],
]

const simulated = (): Line[] => [
  [
    'Real SMS delivery, the production identity system, real payment, refund and invoice, and real providers are not part of this service: `productionPayment` is `NOT_RUN`. `paymentMode` says whether simulated payment is on (`local-simulated`) or off (`disabled`: creating and confirming orders answer 404 `SIMULATED_PAYMENT_DISABLED`). `mode` of a result and `testOnly` of an item say whether it came from a local fixture.',
    '真实的短信、生产身份系统、真实的支付、退款和发票，以及真实的服务商，都不在本服务范围内：`productionPayment` 为 `NOT_RUN`。`paymentMode` 表示模拟支付是否开启（`local-simulated` 为开启；`disabled` 为关闭，此时创建和确认订单返回 404 `SIMULATED_PAYMENT_DISABLED`）。结果中的 `mode` 和商品的 `testOnly` 表示数据是否来自本地测试数据。',
  ],
]
