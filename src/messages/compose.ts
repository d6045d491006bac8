import type { MessageContent, MessageRow } from './message.ts'
import type { EmailMessage, SmsMessage } from './senders.ts'
import { emailText, noticeText } from './texts.ts'

export function composeSms(content: MessageContent, row: MessageRow, sentAt: string): SmsMessage {
  if (content.kind === 'notice') {
    const { to: phone, notice, at } = content
    return { kind: 'notice', messageId: row.messageId, phone, notice, at, text: noticeText(content), sentAt }
  }
  // A phone is verified at registration, so that is the template of such a code.
  const kind = content.kind === 'recovery' ? 'recovery' : 'registration'
  return { kind, phone: content.to, code: content.code, challengeId: content.challengeId, sentAt }
}

export function composeEmail(content: MessageContent, row: MessageRow, sentAt: string): EmailMessage {
  const validMinutes = Math.round((row.expiresAt - row.createdAt) / 60_000)
  return {
    messageId: row.messageId,
    to: content.to,
    kind: content.kind,
    ...emailText(content, validMinutes),
    ...(content.kind !== 'notice' && { code: content.code, challengeId: content.challengeId }),
    sentAt,
  }
}
