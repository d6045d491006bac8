import { claimQueue } from '../../../storage/claim-queue.ts'
import type { Engine, Writer } from '../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import type { MessageRow } from './message.ts'

const messages = rowMapper('messages', {
  messageId: text(),
  accountId: orNull(text()),
  channel: text<MessageRow['channel']>(),
  kind: text<MessageRow['kind']>(),
  sealed: text(),
  keyVersion: text(),
  createdAt: integer(),
  expiresAt: integer(),
  attempts: integer(),
  nextAttemptAt: integer(),
})
const queue = claimQueue({ table: 'messages', id: 'message_id', dueAt: 'next_attempt_at' })

/** A message that only one instance may send until its claim ends. Its attempts count this one. */
export type ClaimedMessage = RowOf<typeof messages.columns>

/** A message without its content, for log and metrics. */
export type MessageFacts = Pick<ClaimedMessage, 'messageId' | 'channel' | 'kind' | 'attempts'>

/** How many messages of a channel may be claimed: codes first. */
export interface ChannelSlots {
  readonly channel: MessageRow['channel']
  readonly free: number
  /** How many of them may be notices. */
  readonly forNotices: number
}

export interface Claim {
  readonly by: string
  readonly now: number
  /** When others may send the message again. */
  readonly until: number
  readonly slots: readonly ChannelSlots[]
}

export type MessageStore = ReturnType<typeof createMessageStore>

export const createMessageStore = (engine: Engine) => ({
  hasDue: (now: number) => engine.read((tx) => queue.hasDue(tx, now)),
  claim: ({ by, now, until, slots }: Claim): Promise<ClaimedMessage[]> =>
    engine.write(async (tx) => {
      const claimed: ClaimedMessage[] = []
      for (const { channel, free, forNotices } of slots)
        claimed.push(...(await tx.all<ClaimedMessage>(claimDue, [now, by, until, channel, free, forNotices])))
      return claimed
    }),
  /** Deletes messages that expired before they were sent, except claimed ones. */
  dropExpired: (now: number, limit: number): Promise<MessageFacts[]> =>
    engine.write((tx) =>
      tx.all<MessageFacts>(
        `DELETE FROM messages WHERE message_id IN (SELECT message_id FROM messages
          WHERE next_attempt_at <= $1 AND expires_at <= $1 LIMIT $2)
        AND next_attempt_at <= $1 AND expires_at <= $1
        RETURNING message_id AS "messageId", channel, kind, attempts`,
        [now, limit],
      ),
    ),
  remove: (messageId: string, claimedBy: string): Promise<void> =>
    engine.write((tx) => queue.remove(tx, claimedBy, messageId)),
  postpone: (messageId: string, claimedBy: string, nextAttemptAt: number): Promise<void> =>
    engine.write((tx) => queue.postpone(tx, claimedBy, messageId, nextAttemptAt)),
  countQueued: () =>
    engine.read((tx) =>
      tx.all<Pick<MessageRow, 'channel' | 'kind'> & { queued: number }>(
        'SELECT channel, kind, COUNT(*) AS queued FROM messages GROUP BY channel, kind',
      ),
    ),
})

const dueOf = (kinds: string, limit: string) => `SELECT message_id, kind, next_attempt_at FROM messages
  WHERE channel = $4 AND kind IN (${kinds}) AND ${queue.isDue} AND expires_at > $1 ORDER BY next_attempt_at LIMIT ${limit}`

/** Codes before notices. */
const claimDue = queue.claim({
  set: 'claimed_by = $2, next_attempt_at = $3, attempts = attempts + 1',
  candidates: `SELECT message_id FROM (SELECT * FROM (${dueOf("'recovery', 'verification'", '$5')}) AS codes
    UNION ALL SELECT * FROM (${dueOf("'notice'", '$6')}) AS notices) AS due
    ORDER BY CASE kind WHEN 'notice' THEN 1 ELSE 0 END, next_attempt_at LIMIT $5`,
  returning: messages.list,
})

/** Adds a message that is due at once, in the transaction of what it reports. */
export async function addMessage(tx: Writer, row: MessageRow): Promise<void> {
  await messages.insert(tx, { ...row, nextAttemptAt: row.createdAt })
}
