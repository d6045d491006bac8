import type { EmailOutboxLine } from '../../providers/email/outbox.ts'
import type { SmsOutboxLine } from '../../providers/sms/outbox.ts'

/** The newest messages of both outbox files. */
export interface Inbox {
  readonly sms: () => Promise<SmsOutboxLine[]>
  readonly email: () => Promise<EmailOutboxLine[]>
}

/** A row of the inbox page. */
export interface InboxEntry {
  readonly sentAt: string
  readonly channel: 'SMS' | 'Email'
  readonly to: string
  /** Null for a notice. */
  readonly code: string | null
  readonly text: string
}

/** The newest messages of both channels, newest first. */
export async function inboxEntries(inbox: Inbox): Promise<InboxEntry[]> {
  const [sms, email] = await Promise.all([inbox.sms(), inbox.email()])
  return [...sms.map(entryOfSms), ...email.map(entryOfEmail)].sort(
    (a, b) => Date.parse(b.sentAt) - Date.parse(a.sentAt),
  )
}

function entryOfSms(line: SmsOutboxLine): InboxEntry {
  const { sentAt, phone: to } = line
  return line.kind === 'notice'
    ? { sentAt, channel: 'SMS', to, code: null, text: line.text }
    : { sentAt, channel: 'SMS', to, code: line.code, text: '' }
}

const entryOfEmail = ({ sentAt, to, code, subject, text }: EmailOutboxLine): InboxEntry => ({
  sentAt,
  channel: 'Email',
  to,
  code: code ?? null,
  text: `${subject}\n${text}`,
})
