import { newId } from '../../base/ids.ts'
import type { Keyring } from '../../base/keyring.ts'
import type { MessageContent, MessageRow, Outbox } from './message.ts'

export interface OutboxDeps {
  readonly keyring: Pick<Keyring, 'seal'>
  readonly clock: () => number
  readonly wake: () => void
}

const noticeLifetimeMs = 86_400_000

export function createOutbox({ keyring, clock, wake }: OutboxDeps): Outbox {
  return {
    prepare(channel, content, { accountId, expiresAt }) {
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
    wake,
  }
}

/** Throws `SealUnusable`. */
export function openMessage(keyring: Pick<Keyring, 'open'>, row: MessageRow): MessageContent {
  return JSON.parse(keyring.open(messageContext(row.messageId), row)) as MessageContent
}

/** A content copied to another message does not open there. */
export const messageContext = (messageId: string): string => `message ${messageId}`
