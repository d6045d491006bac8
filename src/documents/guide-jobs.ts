import { eventRows } from '../contract/event-types.ts'
import { fenOfCredits, yuanOfFen } from '../contract/prices.ts'

/** A line in English and Chinese, or an empty one. */
export type Line = readonly [en: string, zh: string] | ''

export const videos = (origin: string, creditsPerSecond?: number): Line[] => [
  [
    '- `POST /v1/media/jobs` creates a clip of 2, 4 or 8 seconds from a prompt. It needs the `media:run` scope and an `Idempotency-Key`, and returns 202 with the job.',
    '- `POST /v1/media/jobs` 按提示词生成 2、4 或 8 秒的视频，需要 `media:run` 权限和 `Idempotency-Key`，返回 202 和任务。',
  ],
  [
    '- `GET /v1/media/jobs/{jobId}` returns its progress, `GET .../content` the clip, and `POST .../cancel` cancels it.',
    '- `GET /v1/media/jobs/{jobId}` 查询进度，`GET .../content` 获取视频，`POST .../cancel` 取消任务。',
  ],
  ...(creditsPerSecond === undefined ? [] : [price(creditsPerSecond)]),
  [
    '- The price is per second. It is reserved when the job is created, settled once the clip is ready, and released if the job fails or is cancelled.',
    '- 按秒计价：创建任务时冻结费用，视频完成后扣费，失败或取消则退回。',
  ],
  [`- The full contract: ${origin}/media/openapi.json.`, `- 完整接口契约：${origin}/media/openapi.json。`],
]

function price(credits: number): Line {
  const [two, eight] = [2, 8].map((seconds) => credits * seconds)
  const yuan = yuanOfFen(fenOfCredits(credits))
  return [
    `- Each second costs ${credits} ${credits === 1 ? 'credit' : 'credits'} (¥${yuan}): ${two} for a 2-second clip, ${eight} for an 8-second clip.`,
    `- 每秒 ${credits} 点（¥${yuan}）：2 秒视频 ${two} 点，8 秒视频 ${eight} 点。`,
  ]
}

const typesIn = (language: 'en' | 'zh', separator: string, open: string, close: string) =>
  Object.entries(eventRows)
    .map(([type, { name }]) => `\`${type}\`${open}${name[language]}${close}`)
    .join(separator)

export const webhooks = (): Line[] => [
  [
    '- In the console, under Webhooks, add an HTTPS URL and choose its events: credits, keys, reviews, finished videos, sign-ins.',
    '- 在控制台的“Webhook”页填写 HTTPS 地址，并选择要接收的事件：余额、密钥、待确认、视频完成、登录等。',
  ],
  [`- The event types: ${typesIn('en', ', ', ' (', ')')}.`, `- 事件类型：${typesIn('zh', '、', '（', '）')}。`],
  [
    '- Each delivery is a POST with the event as JSON. `webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks. Verify the signature before you trust the body.',
    '- 每次推送是一个 POST 请求，内容为 JSON 格式的事件。`webhook-id`、`webhook-timestamp` 和 `webhook-signature` 遵循 Standard Webhooks 规范，请先验证签名。',
  ],
  [
    '- Respond with 2xx within 10 seconds. Otherwise the delivery is retried at growing intervals; the same `webhook-id` can arrive twice.',
    '- 请在 10 秒内返回 2xx，否则会以递增的间隔重试；同一个 `webhook-id` 可能收到两次。',
  ],
]
