import type { Engine, Writer } from '../../storage/engine.ts'
import type { MessageRow } from './message.ts'
import type { ClaimedMessage, MessageFacts, MessageStore, QueuedMessages } from './ports.ts'

export function createMessageStore(engine: Engine): MessageStore {
  return {
    hasDue: (now) =>
      engine.read(
        async (tx) =>
          (await tx.get('SELECT 1 AS found FROM messages WHERE next_attempt_at <= $1 LIMIT 1', [now])) !== undefined,
      ),
    claim: ({ by, now, until, slots }) =>
      engine.write(async (tx) => {
        const claimed: ClaimedMessage[] = []
        for (const { channel, free, forNotices } of slots)
          claimed.push(...(await tx.all<ClaimedMessage>(claimDue, [by, now, until, channel, free, forNotices])))
        return claimed
      }),
    dropExpired: (now, limit) =>
      engine.write((tx) =>
        tx.all<MessageFacts>(
          `DELETE FROM messages WHERE message_id IN (SELECT message_id FROM messages
            WHERE next_attempt_at <= $1 AND expires_at <= $1 LIMIT $2)
          AND next_attempt_at <= $1 AND expires_at <= $1
          RETURNING message_id AS "messageId", channel, kind, attempts`,
          [now, limit],
        ),
      ),
    remove: async (messageId, claimedBy) => {
      await engine.write((tx) =>
        tx.run('DELETE FROM messages WHERE message_id = $1 AND claimed_by = $2', [messageId, claimedBy]),
      )
    },
    postpone: async (messageId, claimedBy, nextAttemptAt) => {
      await engine.write((tx) =>
        tx.run(
          'UPDATE messages SET claimed_by = NULL, next_attempt_at = $3 WHERE message_id = $1 AND claimed_by = $2',
          [messageId, claimedBy, nextAttemptAt],
        ),
      )
    },
    countQueued: () =>
      engine.read((tx) =>
        tx.all<QueuedMessages>('SELECT channel, kind, COUNT(*) AS queued FROM messages GROUP BY channel, kind'),
      ),
  }
}

const messageColumns = `message_id AS "messageId", account_id AS "accountId", channel, kind, sealed,
  key_version AS "keyVersion", created_at AS "createdAt", expires_at AS "expiresAt", attempts`

const dueOf = (kinds: string, limit: string) => `SELECT message_id, kind, next_attempt_at FROM messages
  WHERE channel = $4 AND kind IN (${kinds}) AND next_attempt_at <= $2 AND expires_at > $2 ORDER BY next_attempt_at LIMIT ${limit}`

/** Codes before notices. Repeated outside: for a message claimed meanwhile, PostgreSQL rechecks only the outer condition. */
const claimDue = `UPDATE messages SET claimed_by = $1, next_attempt_at = $3, attempts = attempts + 1
  WHERE message_id IN (SELECT message_id FROM (SELECT * FROM (${dueOf("'recovery', 'verification'", '$5')}) AS codes
    UNION ALL SELECT * FROM (${dueOf("'notice'", '$6')}) AS notices) AS due
    ORDER BY CASE kind WHEN 'notice' THEN 1 ELSE 0 END, next_attempt_at LIMIT $5)
  AND next_attempt_at <= $2 RETURNING ${messageColumns}`

/** Adds a message that is due at once, in the transaction of what it tells of. */
export async function addMessage(tx: Writer, row: MessageRow): Promise<void> {
  await tx.run(
    `INSERT INTO messages (message_id, account_id, channel, kind, sealed, key_version, created_at, expires_at, next_attempt_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7)`,
    [row.messageId, row.accountId, row.channel, row.kind, row.sealed, row.keyVersion, row.createdAt, row.expiresAt],
  )
}
