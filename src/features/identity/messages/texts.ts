import type { Bilingual } from '../../../contract/event-row.ts'
import type { EventType } from '../../../contract/events.ts'
import type { NoticeName, SmsMessage } from '../../../providers/senders.ts'
import { alertSentences, alertSubjects, beijingTime } from './alert-texts.ts'
import type { MessageContent } from './message.ts'

export interface MessageText {
  readonly subject: string
  readonly text: string
}

export function emailText(content: MessageContent, validMinutes: number): MessageText {
  if (content.kind === 'notice') {
    const { zh, en } = subjectsOf(content.notice)
    return { subject: `${zh} · ${en}`, text: bilingual(sentencesOf(content)) }
  }
  const { zh, en } = codeWords[content.kind]
  return {
    subject: `${zh.subject} · ${en.subject}`,
    text: bilingual({
      zh: `${zh.purpose}验证码：${content.code}\n\n${validMinutes} 分钟内有效，请勿告知他人。如果不是您本人操作，请忽略此邮件。`,
      en: `Your code to ${en.purpose}: ${content.code}\n\nIt is valid for ${validMinutes} minutes from when you requested it. Do not share it with anyone. If you did not request it, ignore this email.`,
    }),
  }
}

/** The whole text of an SMS, for relays that do not use templates. */
export function smsText(message: SmsMessage): string {
  if (message.kind === 'notice') return message.text
  const { zh, en } = codeWords[message.kind]
  return `${zh.purpose}验证码：${message.code}，请勿告知他人。Your code to ${en.purpose} is ${message.code}. Do not share it.`
}

export function noticeText(content: NoticeContent): string {
  const { zh, en } = sentencesOf(content)
  return `${zh} ${en}`
}

/** The parameters of a vendor's notice template: what happened, and when. Templates are in Chinese. */
export const noticeParameters = (notice: NoticeName | EventType, at: string) => ({
  event: subjectsOf(notice).zh,
  time: beijingTime(at),
})

type NoticeContent = Extract<MessageContent, { kind: 'notice' }>

const sentencesOf = (content: NoticeContent): Bilingual<string> =>
  'alert' in content ? alertSentences(content.alert, content.at) : noticeSentences(content.notice, content.at)

function subjectsOf(notice: NoticeName | EventType): Bilingual<string> {
  if (notice in alertSubjects) return alertSubjects[notice as EventType]
  const { zh, en } = noticeWords[notice as NoticeName]
  return { zh: zh.subject, en: en.subject }
}

const codeWords: Record<
  'registration' | 'verification' | 'recovery',
  Bilingual<{ subject: string; purpose: string }>
> = {
  registration: {
    zh: { subject: '注册验证码', purpose: '注册' },
    en: { subject: 'Your registration code', purpose: 'register' },
  },
  verification: {
    zh: { subject: '邮箱验证码', purpose: '验证邮箱' },
    en: { subject: 'Your verification code', purpose: 'verify your email' },
  },
  recovery: {
    zh: { subject: '找回密码验证码', purpose: '找回密码' },
    en: { subject: 'Your password reset code', purpose: 'reset your password' },
  },
}

interface NoticeWords {
  readonly subject: string
  readonly sentence: string
  /** What to do, unless it is to reset the password. */
  readonly advice?: string
}

const noticeWords: Record<NoticeName, Bilingual<NoticeWords>> = {
  email_changed: {
    zh: { subject: '恢复邮箱已更换', sentence: '您账号的恢复邮箱已更换' },
    en: { subject: 'Recovery email changed', sentence: 'your account’s recovery email was changed' },
  },
  email_replaced: {
    zh: { subject: '此邮箱已不再是恢复邮箱', sentence: '此邮箱已不再是您账号的恢复邮箱' },
    en: {
      subject: 'No longer your recovery email',
      sentence: 'this address was removed as your account’s recovery email',
    },
  },
  email_verified: {
    zh: { subject: '恢复邮箱已验证', sentence: '您账号的恢复邮箱已通过验证，可用于登录和找回密码' },
    en: {
      subject: 'Recovery email verified',
      sentence: 'your account’s recovery email was verified; you can use it to sign in and to reset your password',
    },
  },
  password_changed: {
    zh: { subject: '密码已修改', sentence: '您账号的密码已修改' },
    en: { subject: 'Password changed', sentence: 'your account’s password was changed' },
  },
  password_recovered: {
    zh: { subject: '密码已重设', sentence: '您账号的密码已通过验证码重设，所有设备已退出登录' },
    en: {
      subject: 'Password reset',
      sentence: 'your account’s password was reset with a code, and all devices were signed out',
    },
  },
  new_sign_in: {
    zh: { subject: '新的登录', sentence: '您的账号在新的地址登录' },
    en: { subject: 'New sign-in', sentence: 'someone signed in to your account from a new address' },
  },
  recovery_guessed: {
    zh: {
      subject: '多次输错找回密码验证码',
      sentence: '有人多次输错您账号的找回密码验证码，今天可能无法再通过验证码找回密码',
      advice: '您的密码没有变化。如果是您本人操作，请明天再试或联系我们。请勿将验证码告知他人。',
    },
    en: {
      subject: 'Wrong password reset codes',
      sentence:
        'someone entered many wrong password reset codes for your account, so resetting the password with a code may be blocked for the rest of the day',
      advice:
        'Your password was not changed. If this was you, try again tomorrow or contact us. Never share your codes.',
    },
  },
  factor_added: {
    zh: { subject: '两步验证已添加', sentence: '您的账号添加了一种两步验证方式' },
    en: {
      subject: 'Two-step verification added',
      sentence: 'a two-step verification method was added to your account',
    },
  },
  factor_removed: {
    zh: { subject: '两步验证已移除', sentence: '您的账号移除了一种两步验证方式' },
    en: {
      subject: 'Two-step verification removed',
      sentence: 'a two-step verification method was removed from your account',
    },
  },
  factor_removal_started: {
    zh: {
      subject: '两步验证将在 24 小时后关闭',
      sentence: '有人通过验证码重设了您账号的密码，并申请关闭两步验证，将在 24 小时后生效',
      advice: '如果不是您本人操作，请找回密码并登录控制台，在“账号”页取消。',
    },
    en: {
      subject: 'Two-step verification will be turned off in 24 hours',
      sentence:
        'your account’s password was reset with a code, and a request was made to turn off two-step verification in 24 hours',
      advice: 'If this was not you, reset your password, sign in to the console and cancel this on the Account page.',
    },
  },
  factor_removal_cancelled: {
    zh: { subject: '已取消关闭两步验证', sentence: '关闭您账号两步验证的申请已取消' },
    en: {
      subject: 'Two-step verification stays on',
      sentence: 'the request to turn off two-step verification for your account was cancelled',
    },
  },
  recovery_codes_replaced: {
    zh: { subject: '恢复码已更换', sentence: '您账号的恢复码已更换，旧的恢复码全部失效' },
    en: {
      subject: 'Recovery codes replaced',
      sentence: 'your account’s recovery codes were replaced, and the old ones no longer work',
    },
  },
  recovery_code_used: {
    zh: { subject: '恢复码已被使用', sentence: '有人使用了您账号的一个恢复码' },
    en: { subject: 'Recovery code used', sentence: 'one of your account’s recovery codes was used' },
  },
  factor_guessed: {
    zh: {
      subject: '多次输错动态码',
      sentence: '有人输入了您账号的正确密码，并多次输错动态码，今天可能无法再使用动态码登录',
    },
    en: {
      subject: 'Wrong one-time codes',
      sentence:
        'someone who knows your account’s password entered many wrong one-time codes, so codes may be refused for the rest of the day',
    },
  },
  webhook_disabled: {
    zh: {
      subject: 'Webhook 已停用',
      sentence: '您的一个 Webhook 因长时间推送失败，已被停用',
      advice: '请在控制台的“Webhook”页查看原因并重新启用。',
    },
    en: {
      subject: 'Webhook disabled',
      sentence: 'one of your webhooks was disabled because its endpoint did not accept events',
      advice: 'See why on the Webhooks page of the console, and enable it again there.',
    },
  },
}

function noticeSentences(notice: NoticeName, at: string): Bilingual<string> {
  const { zh, en } = noticeWords[notice]
  const time = beijingTime(at)
  return {
    zh: `${zh.sentence}（${time}，北京时间）。${zh.advice ?? '如果不是您本人操作，请立即找回密码。'}`,
    en: `On ${time} Beijing time, ${en.sentence}. ${en.advice ?? 'If this was not you, reset your password right away.'}`,
  }
}

const bilingual = ({ zh, en }: Bilingual<string>) => `${zh}\n\n${en}\n`
