import { Type } from '../base/schema.ts'
import { accountEvents } from './account-events.ts'
import { budgetPeriods } from './budget-periods.ts'
import { event } from './event-row.ts'
import { Choice, chargeIdPattern, DateTime, jobIdPattern, Nullable } from './field.ts'
import { paymentEvents } from './payment-events.ts'
import { chargedOperations } from './prices.ts'
import { orderIdPattern } from './schemas/account.ts'
import { keyIdPattern } from './schemas/keys.ts'
import { transparencyEvents } from './transparency-events.ts'

const Credits = (description: string) => Type.Integer({ minimum: 0, description })
const available = Credits('Available credits after it.')
const orderId = Type.String({ pattern: orderIdPattern })
const keyId = Type.String({ pattern: keyIdPattern })
const displayPrefix = Type.String({ minLength: 1, description: 'The beginning and the end of the key.' })
const keyName = Type.Optional(Type.String({ minLength: 1, description: 'The name of the key, if it has one.' }))
const key = { keyId, displayPrefix, name: keyName }

/** A key as an alert calls it. */
const called = ({ name, displayPrefix }: { readonly name?: string; readonly displayPrefix: string }) =>
  name === undefined ? displayPrefix : `${name} (${displayPrefix})`

const keyExample = { keyId: 'key_3fQ7sJ8wMa2P', displayPrefix: 'gk_live_Ab3x...9TzK', name: 'Production' }
const charge = {
  chargeId: Type.String({ pattern: chargeIdPattern }),
  operation: Choice(chargedOperations),
  credits: Credits('The price of the call.'),
}
const chargeExample = { chargeId: 'chg_0VVm8xQ2001aK4tRw9Zb', operation: 'model.chat', credits: 3 } as const
const moved = (description: string) => ({ credits: Credits(description), available })

const jobEnds = {
  completed: { en: 'is ready', zh: '已完成' },
  failed: { en: 'failed', zh: '失败' },
  cancelled: { en: 'was cancelled', zh: '已取消' },
  unknown: { en: 'has an unknown outcome and is in review', zh: '结果待确认' },
} as const

/** The types of events: the source of the schemas, the documents, the alerts and the console's words. */
export const eventRows = {
  'credits.low': event({
    data: { available, lowBalanceCredits: Credits('The threshold that the available credits fell below.') },
    example: { available: 95, lowBalanceCredits: 100 },
    shown: { group: 'money', page: '/recharge', tone: 'wait' },
    name: { en: 'Low balance', zh: '余额偏低' },
    detail: {
      en: '{{available}} left, below your threshold of {{lowBalanceCredits}}.',
      zh: '剩余 {{available}}，低于您设置的 {{lowBalanceCredits}}。',
    },
    alert: ({ available, lowBalanceCredits }) => ({
      en: `${available} credits are left, below your threshold of ${lowBalanceCredits}; add credits soon`,
      zh: `可用余额 ${available} 点，已低于您设置的 ${lowBalanceCredits} 点，请及时充值`,
    }),
  }),
  'credits.empty': event({
    data: { available, credits: Credits('The price of the call that was refused.') },
    example: { available: 2, credits: 3 },
    shown: { group: 'money', page: '/recharge', tone: 'bad' },
    name: { en: 'Out of credits', zh: '余额不足' },
    detail: {
      en: 'A call that costs {{credits}} was refused; {{available}} available.',
      zh: '一次调用需要 {{credits}}，可用 {{available}}，已被拒绝。',
    },
    alert: ({ available, credits }) => ({
      en: `A call was refused because credits ran out: it costs ${credits}, and ${available} are available`,
      zh: `余额不足，调用被拒绝：需要 ${credits} 点，可用 ${available} 点`,
    }),
  }),
  'order.credited': event({
    data: { orderId, ...moved('Credits of the order.') },
    example: { orderId: 'ord_9kD4nV6tHs1B', credits: 200, available: 200 },
    shown: { group: 'money', page: '/recharge/{orderId}', tone: 'good' },
    name: { en: 'Credits added', zh: '充值到账' },
    subject: { en: 'Credits added', zh: '充值已到账' },
    detail: {
      en: '{{credits}} added, {{available}} available.',
      zh: '充值到账 {{credits}}，可用 {{available}}。',
    },
    alert: ({ credits, available }) => ({
      en: `${credits} credits were added; ${available} are available`,
      zh: `充值的 ${credits} 点已到账，可用余额 ${available} 点`,
    }),
  }),
  ...paymentEvents,
  'credits.granted': event({
    data: moved('Credits that an operator added.'),
    example: { credits: 500, available: 700 },
    shown: { group: 'money', page: '/ledger', tone: 'good' },
    name: { en: 'Credits granted', zh: '人工入账' },
    detail: {
      en: '{{credits}} added by the operator, {{available}} available.',
      zh: '运营方入账 {{credits}}，可用 {{available}}。',
    },
    alert: ({ credits, available }) => ({
      en: `The operator added ${credits} credits; ${available} are available`,
      zh: `运营方为您入账 ${credits} 点，可用余额 ${available} 点`,
    }),
  }),
  'credits.withdrawn': event({
    data: moved('Credits that an operator took back.'),
    example: { credits: 100, available: 600 },
    shown: { group: 'money', page: '/ledger' },
    name: { en: 'Credits withdrawn', zh: '人工扣回' },
    detail: {
      en: '{{credits}} taken back by the operator, {{available}} available.',
      zh: '运营方扣回 {{credits}}，可用 {{available}}。',
    },
    alert: ({ credits, available }) => ({
      en: `The operator took back ${credits} credits; ${available} are available`,
      zh: `运营方扣回 ${credits} 点，可用余额 ${available} 点`,
    }),
  }),
  'key.created': event({
    data: key,
    example: keyExample,
    shown: { group: 'keys', page: '/keys' },
    name: { en: 'Key created', zh: '新建密钥' },
    subject: { en: 'Key created', zh: '新建了密钥' },
    detail: { en: '{{displayPrefix}} was created.', zh: '已创建 {{displayPrefix}}。' },
    alert: (key) => ({
      en: `Key ${called(key)} was created in your project`,
      zh: `您的项目新建了密钥 ${called(key)}`,
    }),
  }),
  'key.rotated': event({
    data: { ...key, rotatedFromKeyId: keyId, oldKeyExpiresAt: DateTime() },
    example: {
      ...keyExample,
      rotatedFromKeyId: 'key_0VVm9aB4002dC6vTy2Kf',
      oldKeyExpiresAt: '2026-10-02T08:30:00.000Z',
    },
    shown: { group: 'keys', page: '/keys' },
    name: { en: 'Key rotated', zh: '轮换密钥' },
    subject: { en: 'Key rotated', zh: '密钥已轮换' },
    detail: {
      en: '{{displayPrefix}} replaces a key that stays valid until {{oldKeyExpiresAt}}.',
      zh: '新密钥 {{displayPrefix}}，旧密钥有效至 {{oldKeyExpiresAt}}。',
    },
    alert: (key) => ({
      en: `A key in your project was rotated; the new one is ${called(key)}`,
      zh: `您的一个密钥已轮换，新密钥为 ${called(key)}`,
    }),
  }),
  'key.revoked': event({
    data: { ...key, by: Choice(['owner', 'operator']) },
    example: { ...keyExample, by: 'owner' },
    shown: { group: 'keys', page: '/keys' },
    name: { en: 'Key revoked', zh: '吊销密钥' },
    subject: { en: 'Key revoked', zh: '密钥已吊销' },
    detail: {
      by: 'by',
      values: {
        owner: { en: '{{displayPrefix}} was revoked.', zh: '已吊销 {{displayPrefix}}。' },
        operator: { en: '{{displayPrefix}} was revoked by the operator.', zh: '{{displayPrefix}} 已被运营方吊销。' },
      },
    },
    alert: ({ by, ...key }) => ({
      en: `Key ${called(key)} was revoked${by === 'owner' ? '' : ' by the operator'}`,
      zh: `密钥 ${called(key)} 已${by === 'owner' ? '' : '被运营方'}吊销`,
    }),
  }),
  'key.expiring': event({
    data: { ...key, expiresAt: DateTime(), daysLeft: Type.Integer({ minimum: 1, maximum: 7 }) },
    example: { ...keyExample, expiresAt: '2026-10-08T08:30:00.000Z', daysLeft: 7 },
    shown: { group: 'keys', page: '/keys', tone: 'wait' },
    name: { en: 'Key expires soon', zh: '密钥即将过期' },
    detail: { en: '{{displayPrefix}} expires on {{expiresAt}}.', zh: '{{displayPrefix}} 将于 {{expiresAt}} 过期。' },
    alert: ({ daysLeft, ...key }) => ({
      en: `Key ${called(key)} expires within ${daysLeft === 1 ? 'a day' : `${daysLeft} days`}; rotate it before then`,
      zh: `密钥 ${called(key)} 将在 ${daysLeft} 天内过期，请及时轮换`,
    }),
  }),
  'key.budget_reached': event({
    data: {
      keyId,
      credits: Credits('The budget of the key.'),
      per: Choice(budgetPeriods),
      resetsAt: Nullable(DateTime()),
    },
    example: { keyId: keyExample.keyId, credits: 300, per: 'day', resetsAt: '2026-10-02T00:00:00.000Z' },
    shown: { group: 'keys', page: '/usage?keyId={keyId}', tone: 'wait' },
    name: { en: 'Key budget reached', zh: '密钥预算用完' },
    subject: { en: 'Key budget reached', zh: '密钥预算已用完' },
    detail: {
      by: 'per',
      values: {
        day: {
          en: '{{keyId}}: the daily budget of {{credits}} is used up.',
          zh: '{{keyId}}：每日预算 {{credits}}已用完。',
        },
        month: {
          en: '{{keyId}}: the monthly budget of {{credits}} is used up.',
          zh: '{{keyId}}：每月预算 {{credits}}已用完。',
        },
        total: {
          en: '{{keyId}}: the total budget of {{credits}} is used up.',
          zh: '{{keyId}}：总预算 {{credits}}已用完。',
        },
      },
    },
    alert: ({ credits }) => ({
      en: `A key has used up its budget of ${credits} credits; further calls are refused`,
      zh: `您有一个密钥的预算（${credits} 点）已用完，后续调用将被拒绝`,
    }),
  }),
  'charge.review_opened': event({
    data: charge,
    example: chargeExample,
    shown: { group: 'reviews', page: '/usage/{chargeId}', tone: 'wait' },
    name: { en: 'Call in review', zh: '调用待确认' },
    subject: { en: 'Call in review', zh: '有调用待确认' },
    detail: {
      en: '{{operation}}: {{credits}} stay reserved until an operator decides.',
      zh: '{{operation}}：{{credits}}暂时冻结，等待运营方处理。',
    },
    alert: ({ operation, credits }) => ({
      en: `The outcome of a call (${operation}) is uncertain; ${credits} credits stay reserved until an operator decides`,
      zh: `一次调用（${operation}）的结果待确认，${credits} 点暂时冻结，等待运营方处理`,
    }),
  }),
  'charge.review_decided': event({
    data: { ...charge, decision: Choice(['settled', 'released']) },
    example: { ...chargeExample, decision: 'released' },
    shown: { group: 'reviews', page: '/usage/{chargeId}' },
    name: { en: 'Review decided', zh: '待确认调用已处理' },
    subject: { en: 'Review decided', zh: '待确认的调用已处理' },
    detail: {
      by: 'decision',
      values: {
        settled: { en: '{{operation}}: {{credits}} charged.', zh: '{{operation}}：已扣除 {{credits}}。' },
        released: { en: '{{operation}}: {{credits}} released.', zh: '{{operation}}：已退回 {{credits}}。' },
      },
    },
    alert: ({ operation, credits, decision }) => ({
      en: `A call in review (${operation}) was decided: its ${credits} credits were ${decision}`,
      zh: `待确认的调用（${operation}）已处理，${credits} 点已${decision === 'settled' ? '扣除' : '退回'}`,
    }),
  }),
  'media.job_finished': event({
    data: {
      jobId: Type.String({ pattern: jobIdPattern }),
      chargeId: charge.chargeId,
      status: Choice(['completed', 'failed', 'cancelled', 'unknown']),
      errorCode: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    },
    example: {
      jobId: 'job_01JQ8ZK4T7N2',
      chargeId: 'chg_0VVm8yT7003cB5uSx1Jd',
      status: 'completed',
      errorCode: null,
    },
    shown: { group: 'reviews', page: '/media' },
    name: { en: 'Video finished', zh: '视频任务结束' },
    subject: { en: 'Video job finished', zh: '视频任务已结束' },
    detail: {
      by: 'status',
      values: {
        completed: { en: 'The video is ready.', zh: '视频已生成。' },
        failed: { en: 'The job failed. You were not charged.', zh: '任务失败，不扣费。' },
        cancelled: { en: 'The job was cancelled. You were not charged.', zh: '任务已取消，不扣费。' },
        unknown: {
          en: 'The outcome is unknown. An operator will decide.',
          zh: '任务结果待确认，等待运营方处理。',
        },
      },
    },
    alert: ({ status }) => ({ en: `Your video ${jobEnds[status].en}`, zh: `您的视频任务${jobEnds[status].zh}` }),
  }),
  ...transparencyEvents,
  ...accountEvents,
}
