import type { Bilingual } from '../../../contract/event-row.ts'
import { eventRows } from '../../../contract/event-types.ts'
import { type EventData, type EventType, eventTypes } from '../../../contract/events.ts'
import type { AlertFacts } from './message.ts'

const eightHoursMs = 8 * 3_600_000

export const beijingTime = (at: string): string =>
  new Date(Date.parse(at) + eightHoursMs).toISOString().slice(0, 16).replace('T', ' ')

export function alertSentences({ type, data, isLast }: AlertFacts, at: string): Bilingual<string> {
  const sentencesOf = eventRows[type].alert as (data: EventData[EventType]) => Bilingual<string>
  const { zh, en } = sentencesOf(data)
  const time = beijingTime(at)
  const advice = isOfKeys(type) ? keyAdvice : null
  return {
    zh: `${zh}（${time}，北京时间）。${advice?.zh ?? ''}${isLast ? more.zh : ''}`,
    en: `${en} (${time} Beijing time).${advice ? ` ${advice.en}` : ''}${isLast ? ` ${more.en}` : ''}`,
  }
}

const more: Bilingual<string> = {
  zh: '今天不再发送同类提醒，后续请在控制台查看。',
  en: 'We will not send more of these today; see the rest in the console.',
}

const keyAdvice: Bilingual<string> = {
  zh: '如果不是您本人操作，请立即吊销密钥并修改密码。',
  en: 'If this was not you, revoke the key and change your password right away.',
}

const isOfKeys = (type: EventType) => type === 'key.created' || type === 'key.rotated' || type === 'key.revoked'

export const alertSubjects = Object.fromEntries(
  eventTypes.map((type) => [type, eventRows[type].subject ?? eventRows[type].name]),
) as Readonly<Record<EventType, Bilingual<string>>>
