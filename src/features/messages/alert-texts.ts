import type { EventData, EventType } from '../../contract/events.ts'
import type { AlertFacts } from './message.ts'

export interface Bilingual<T> {
  readonly zh: T
  readonly en: T
}

const eightHoursMs = 8 * 3_600_000

export const beijingTime = (at: string): string =>
  new Date(Date.parse(at) + eightHoursMs).toISOString().slice(0, 16).replace('T', ' ')

/** What an alert says, in whole sentences. */
export function alertSentences({ type, data, isLast }: AlertFacts, at: string): Bilingual<string> {
  const sentencesOf = sentences[type] as (data: EventData[EventType]) => Bilingual<string>
  const { zh, en } = sentencesOf(data)
  const time = beijingTime(at)
  const advice = isOfKeys(type) ? keyAdvice : null
  return {
    zh: `${zh}（${time}，北京时间）。${advice?.zh ?? ''}${isLast ? more.zh : ''}`,
    en: `${en} (${time} Beijing time).${advice ? ` ${advice.en}` : ''}${isLast ? ` ${more.en}` : ''}`,
  }
}

const more: Bilingual<string> = {
  zh: '今天的同类提醒不再发送，其余请在控制台查看。',
  en: 'No more of these are sent today; see the rest in the console.',
}

const keyAdvice: Bilingual<string> = {
  zh: '如果不是您本人操作，请立即吊销密钥并修改密码。',
  en: 'If this was not you, revoke the key and change your password now.',
}

const isOfKeys = (type: EventType) => type === 'key.created' || type === 'key.rotated' || type === 'key.revoked'

export const alertSubjects: Readonly<Record<EventType, Bilingual<string>>> = {
  'order.credited': { zh: '充值已到账', en: 'Credits added' },
  'credits.granted': { zh: '人工入账', en: 'Credits granted' },
  'credits.withdrawn': { zh: '人工扣回', en: 'Credits withdrawn' },
  'credits.low': { zh: '余额偏低', en: 'Low balance' },
  'credits.empty': { zh: '余额不足', en: 'Out of credits' },
  'key.created': { zh: '新建了密钥', en: 'Key created' },
  'key.rotated': { zh: '密钥已轮换', en: 'Key rotated' },
  'key.revoked': { zh: '密钥已吊销', en: 'Key revoked' },
  'key.expiring': { zh: '密钥即将过期', en: 'Key expires soon' },
  'key.budget_reached': { zh: '密钥预算已用完', en: 'Key budget reached' },
  'charge.review_opened': { zh: '有调用待确认', en: 'Call in review' },
  'charge.review_decided': { zh: '待确认的调用已处理', en: 'Review decided' },
  'media.job_finished': { zh: '视频任务已结束', en: 'Video job finished' },
  'account.signed_in': { zh: '账号登录', en: 'Sign-in' },
  'account.password_changed': { zh: '密码已修改', en: 'Password changed' },
}

const jobEnds: Readonly<Record<EventData['media.job_finished']['status'], Bilingual<string>>> = {
  completed: { zh: '已完成', en: 'is ready' },
  failed: { zh: '失败', en: 'failed' },
  cancelled: { zh: '已取消', en: 'was cancelled' },
  unknown: { zh: '结果待确认', en: 'has an unknown outcome' },
}

/** Without the full stop: the time follows. */
const sentences: { readonly [T in EventType]: (data: EventData[T]) => Bilingual<string> } = {
  'order.credited': ({ credits, available }) => ({
    zh: `充值的 ${credits} 点已到账，可用余额 ${available} 点`,
    en: `${credits} credits were added; ${available} are available`,
  }),
  'credits.granted': ({ credits, available }) => ({
    zh: `运营方为您入账 ${credits} 点，可用余额 ${available} 点`,
    en: `The operator added ${credits} credits; ${available} are available`,
  }),
  'credits.withdrawn': ({ credits, available }) => ({
    zh: `运营方扣回 ${credits} 点，可用余额 ${available} 点`,
    en: `The operator took back ${credits} credits; ${available} are available`,
  }),
  'credits.low': ({ available, lowBalanceCredits }) => ({
    zh: `可用余额 ${available} 点，已低于您设置的 ${lowBalanceCredits} 点，请及时充值`,
    en: `${available} credits are left, below your threshold of ${lowBalanceCredits}; add credits in time`,
  }),
  'credits.empty': ({ available, credits }) => ({
    zh: `余额不足，调用被拒绝：需要 ${credits} 点，可用 ${available} 点`,
    en: `A call was refused because credits ran out: it costs ${credits}, ${available} are available`,
  }),
  'key.created': ({ displayPrefix }) => ({
    zh: `您的项目新建了密钥 ${displayPrefix}`,
    en: `The key ${displayPrefix} was created in your project`,
  }),
  'key.rotated': ({ displayPrefix }) => ({
    zh: `您的一个密钥已轮换，新密钥为 ${displayPrefix}`,
    en: `A key of your project was rotated; the new one is ${displayPrefix}`,
  }),
  'key.revoked': ({ displayPrefix, by }) => ({
    zh: `密钥 ${displayPrefix} 已被${by === 'owner' ? '' : '运营方'}吊销`,
    en: `The key ${displayPrefix} was revoked${by === 'owner' ? '' : ' by the operator'}`,
  }),
  'key.expiring': ({ displayPrefix, daysLeft }) => ({
    zh: `密钥 ${displayPrefix} 将在 ${daysLeft} 天内过期，请及时轮换`,
    en: `The key ${displayPrefix} expires within ${daysLeft === 1 ? 'a day' : `${daysLeft} days`}; rotate it in time`,
  }),
  'key.budget_reached': ({ credits }) => ({
    zh: `一个密钥的预算 ${credits} 点已用完，后续调用会被拒绝`,
    en: `A key has reached its budget of ${credits} credits; further calls are refused`,
  }),
  'charge.review_opened': ({ operation, credits }) => ({
    zh: `一次调用（${operation}）的结果待确认，${credits} 点暂时冻结`,
    en: `The outcome of a call (${operation}) is uncertain; ${credits} credits stay reserved until an operator decides`,
  }),
  'charge.review_decided': ({ operation, credits, decision }) => ({
    zh: `待确认的调用（${operation}）已处理，${credits} 点已${decision === 'settled' ? '扣除' : '退回'}`,
    en: `A call in review (${operation}) was decided: its ${credits} credits were ${decision}`,
  }),
  'media.job_finished': ({ status }) => ({
    zh: `您的视频任务${jobEnds[status].zh}`,
    en: `Your video ${jobEnds[status].en}`,
  }),
  'account.signed_in': () => ({ zh: '您的账号有新的登录', en: 'Somebody signed in to your account' }),
  'account.password_changed': () => ({ zh: '您账号的密码已修改', en: 'The password of your account was changed' }),
}
