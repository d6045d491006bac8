import { eventRows } from '../../../../src/contract/event-types.ts'
import type { EventType } from '../../../../src/contract/events.ts'
import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly events: typeof en
  }
}

const en = {
  title: 'Events',
  lead: 'What happened to your credits, keys, calls and account in the last 90 days.',
  toAlerts: 'Choose what is sent to you',
  alerts: 'Alerts',
  newest: 'Latest events',
  all: 'All events',
  more_one: 'and {{count}} more like this',
  more_other: 'and {{count}} more like this',
  type: 'Type',
  allTypes: 'All types',
  noMatch: 'No events of this type',
  none: 'No events yet',
  noneHint: 'Payments, keys, reviews and sign-ins appear here.',
  table: 'Events, newest first',
  time: 'Time',
  event: 'Event',
  detail: 'Details',
  isNew: 'New',
  types: namesOf('en'),
  groups: {
    money: 'Credits',
    reviews: 'Calls and jobs',
    keys: 'Keys',
    account: 'Account',
  },
  details: detailsOf('en'),
} as const

const zh: Translated<typeof en> = {
  title: '通知',
  lead: '近 90 天余额、密钥、调用和账号的变动。',
  toAlerts: '选择要接收的提醒',
  alerts: '提醒设置',
  newest: '最新通知',
  all: '查看全部',
  more_other: '还有 {{count}} 条同类通知',
  type: '类型',
  allTypes: '全部类型',
  noMatch: '没有此类通知',
  none: '暂无通知',
  noneHint: '充值、密钥、待确认调用和登录等变动会显示在这里。',
  table: '通知列表，按时间倒序',
  time: '时间',
  event: '事件',
  detail: '详情',
  isNew: '新',
  types: namesOf('zh'),
  groups: {
    money: '余额',
    reviews: '调用与任务',
    keys: '密钥',
    account: '账号',
  },
  details: detailsOf('zh'),
}

export const events = { en, zh }

// Evaluated at build time (build/evaluated.ts): the bundle has these words, not the table.

function namesOf(language: 'en' | 'zh') {
  const names = Object.entries(eventRows).map(([type, { name }]) => [type, name[language]])
  return Object.fromEntries(names) as Readonly<Record<EventType, string>>
}

/** By the type, or by the type and the value that decides. */
function detailsOf(language: 'en' | 'zh'): Readonly<Record<string, string>> {
  const details = Object.entries(eventRows).flatMap(([type, { detail }]) =>
    'by' in detail
      ? Object.entries(detail.values).map(([value, text]) => [`${type}:${value}`, text[language]])
      : [[type, detail[language]]],
  )
  return Object.fromEntries(details)
}
