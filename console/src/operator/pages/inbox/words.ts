import type { Translated } from '../../../i18n/messages.ts'

declare module '../../../i18n/messages.ts' {
  interface OperatorWords {
    readonly inbox: typeof en
  }
}

const en = {
  title: 'Local inbox',
  lead: 'These messages were not actually sent. Times are in Beijing time.',
  none: 'No messages yet',
  channels: { SMS: 'SMS', Email: 'Email' },
  code: 'Code',
} as const

const zh: Translated<typeof en> = {
  title: '本地收件箱',
  lead: '消息并未真正发出，时间均为北京时间。',
  none: '暂无消息',
  channels: { SMS: '短信', Email: '邮件' },
  code: '验证码',
}

export const inbox = { en, zh }
