import { newId } from '../../../base/ids.ts'
import type { Keyring } from '../../../base/keyring.ts'
import { dayMs } from '../../../base/time.ts'
import type { EventData, EventType } from '../../../contract/events.ts'
import type { NoticeName } from '../../../providers/senders.ts'

/** The content of a message. Its texts in Chinese and English are made when it is sent. */
export type MessageContent = CodeMessage | NoticeMessage | AlertMessage

export type MessageChannel = 'sms' | 'email'

interface CodeMessage {
  readonly kind: 'verification' | 'recovery'
  readonly to: string
  readonly code: string
  readonly challengeId: string
}

interface NoticeMessage {
  readonly kind: 'notice'
  readonly to: string
  readonly notice: NoticeName
  /** When it happened, in ISO 8601. */
  readonly at: string
}

/** A notice that the payer chose. It is named after the type of its event. */
interface AlertMessage extends Omit<NoticeMessage, 'notice'> {
  readonly notice: EventType
  readonly alert: AlertFacts
}

/** What an alert says about its event. `isLast`: further ones of the day appear only in the console. */
export type AlertFacts = { readonly [T in EventType]: { readonly type: T; readonly data: EventData[T] } }[EventType] & {
  readonly isLast: boolean
}

/** A message in the outbox. Recipient and content are sealed. */
export interface MessageRow {
  readonly messageId: string
  readonly accountId: string | null
  /** `none` is never sent: it makes a recovery for an unknown identifier cost the same work as a real one. */
  readonly channel: MessageChannel | 'none'
  readonly kind: MessageContent['kind']
  readonly sealed: string
  readonly keyVersion: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface OutboxDeps {
  readonly keyring: Pick<Keyring, 'seal'>
  readonly clock: () => number
  readonly wake: () => void
}

const noticeLifetimeMs = dayMs

export type Outbox = ReturnType<typeof createOutbox>

/** Prepares messages. The caller adds the row in the transaction of what it reports, and calls `wake` after the commit. */
export function createOutbox({ keyring, clock, wake }: OutboxDeps) {
  return {
    prepare(
      channel: MessageRow['channel'],
      content: MessageContent,
      { accountId, expiresAt }: { readonly accountId: string | null; readonly expiresAt?: number },
    ): MessageRow {
      const messageId = newId('msg')
      const createdAt = clock()
      return {
        messageId,
        accountId,
        channel,
        kind: content.kind,
        ...keyring.seal(messageContext(messageId), JSON.stringify(content)),
        createdAt,
        expiresAt: expiresAt ?? createdAt + noticeLifetimeMs,
      }
    },
    /** Sends what is due now instead of at the next check. */
    wake,
  }
}

/** Throws `SealUnusable`. */
export function openMessage(keyring: Pick<Keyring, 'open'>, row: MessageRow): MessageContent {
  return JSON.parse(keyring.open(messageContext(row.messageId), row)) as MessageContent
}

/** A content copied to another message does not open there. */
export const messageContext = (messageId: string): string => `message ${messageId}`
