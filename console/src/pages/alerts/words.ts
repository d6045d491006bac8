import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly alerts: typeof en
  }
}

const en = {
  title: 'Alerts',
  lead: 'Choose what is sent to you by email and SMS. The Events page always shows everything.',
  lowTitle: 'Low balance',
  threshold: 'Alert me when available credits fall below',
  never: 'Never',
  below: 'Below {{credits}}',
  noRate: 'Not enough recent usage to estimate how long this would last.',
  lasts: 'At your recent rate, {{credits}} last {{time}}.',
  days_one: 'about {{count}} day',
  days_other: 'about {{count}} days',
  hours_one: 'about {{count}} hour',
  hours_other: 'about {{count}} hours',
  lessThanHour: 'less than an hour',
  longer: 'more than a year',
  neverHint: 'You are alerted only when a call is refused because credits ran out.',
  isLow: 'Your balance is already below this. You will be alerted the next time it drops below.',
  whatTitle: 'What to send',
  table: 'Alerts by email and SMS',
  event: 'Event',
  email: 'Email',
  sms: 'SMS',
  unverified: 'Your recovery email is not verified. Until it is, email alerts are sent by SMS instead.',
  verify: 'Verify email',
  limits: 'We send at most {{sms}} SMS and {{email}} emails of each kind per day. The last one says so.',
  always: 'Always sent to your phone and verified email.',
  newAddress:
    'You are always alerted about sign-ins from a new address. Select this to be alerted about every sign-in.',
  save: 'Save',
  saved: 'Alerts saved.',
  unsaved: 'Your changes are not saved yet.',
  discard: 'Discard changes',
} as const

const zh: Translated<typeof en> = {
  title: '提醒设置',
  lead: '选择通过邮件和短信接收哪些提醒。“通知”页始终显示全部内容。',
  lowTitle: '余额提醒',
  threshold: '可用余额低于以下数值时提醒',
  never: '不提醒',
  below: '低于 {{credits}}',
  noRate: '近期用量不足，暂时无法估算可用天数。',
  lasts: '按近期用量，{{credits}}可用{{time}}。',
  days_other: '约 {{count}} 天',
  hours_other: '约 {{count}} 小时',
  lessThanHour: '不到 1 小时',
  longer: '一年以上',
  neverHint: '仅在因余额不足拒绝调用时提醒。',
  isLow: '当前余额已低于该值，下次降到该值以下时提醒。',
  whatTitle: '提醒内容',
  table: '邮件和短信提醒',
  event: '事件',
  email: '邮件',
  sms: '短信',
  unverified: '恢复邮箱尚未验证，验证前邮件提醒会改为短信发送。',
  verify: '去验证邮箱',
  limits: '每类提醒每天最多发送 {{sms}} 条短信、{{email}} 封邮件，最后一条会注明。',
  always: '始终发送到手机和已验证的邮箱。',
  newAddress: '从新地址登录始终会提醒。勾选后，每次登录都会提醒。',
  save: '保存',
  saved: '提醒设置已保存。',
  unsaved: '更改尚未保存。',
  discard: '放弃更改',
}

export const alerts = { en, zh }
