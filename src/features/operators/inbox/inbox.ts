import type { Config } from '../../../config/config.ts'
import type { Route } from '../../../http/route.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import { type EmailOutboxLine, readEmailOutbox } from '../../../providers/email.ts'
import { readSmsOutbox, type SmsOutboxLine } from '../../../providers/sms/sms.ts'
import type { InboxMessage } from './contract.ts'

/** The newest messages of both outbox files. */
interface Inbox {
  /** On a loopback origin, where only users of this machine can look. */
  readonly isOpen: boolean
  readonly sms: () => Promise<SmsOutboxLine[]>
  readonly email: () => Promise<EmailOutboxLine[]>
}

interface InboxDeps {
  readonly guard: OperatorGuard
  /** Messages that were not really sent; null where they are. */
  readonly inbox: Inbox | null
}

const operation = { id: 'operator.inbox', access: 'session', permission: null, isPolled: true } as const

/** What the page `/inbox` of the console shows, and each channel for programs. */
export function inboxRoutes({ guard, inbox }: InboxDeps): Route[] {
  if (!inbox) return []
  const list = (path: string, read: () => Promise<readonly object[]>): Route => ({
    operationId: operation.id,
    method: 'GET',
    path,
    async handle(call) {
      if (!inbox.isOpen) await guard.admit(call, operation)
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(await read()) }
    },
  })
  return [
    list('/inbox.json', () => inboxMessages(inbox)),
    list('/sms.json', inbox.sms),
    list('/email.json', inbox.email),
  ]
}

/** The newest messages of both channels, newest first. */
async function inboxMessages(inbox: Inbox): Promise<InboxMessage[]> {
  const [sms, email] = await Promise.all([inbox.sms(), inbox.email()])
  return [...sms.map(messageOfSms), ...email.map(messageOfEmail)].sort(
    (a, b) => Date.parse(b.sentAt) - Date.parse(a.sentAt),
  )
}

function messageOfSms(line: SmsOutboxLine): InboxMessage {
  const { sentAt, phone: to } = line
  return line.kind === 'notice'
    ? { sentAt, channel: 'SMS', to, code: null, text: line.text }
    : { sentAt, channel: 'SMS', to, code: line.code, text: '' }
}

const messageOfEmail = ({ sentAt, to, code, subject, text }: EmailOutboxLine): InboxMessage => ({
  sentAt,
  channel: 'Email',
  to,
  code: code ?? null,
  text: `${subject}\n${text}`,
})

const inboxLength = 20

/** Messages of the outbox files, for developers. */
export function createInbox({ sms, email, dataDir, isOperatorLocal }: Config): Inbox | null {
  if (sms.adapter !== 'outbox' && email.adapter !== 'outbox' && !isOperatorLocal) return null
  return {
    isOpen: isOperatorLocal,
    sms: () => readSmsOutbox(dataDir, inboxLength),
    email: () => readEmailOutbox(dataDir, inboxLength),
  }
}
