import type { AccountWriter } from '../../../identity/ports/accounts.ts'
import type { Writer } from '../../engine.ts'
import { placeholders } from '../../sql-text.ts'

/** Enough for every network that one person uses. */
const keptRequesters = 50

/** Where an account has signed in from. */
export function requesterWrites(tx: Writer): Pick<AccountWriter, 'requestersOf' | 'noteRequester'> {
  return {
    requestersOf: async (accountId) => {
      const rows = await tx.all<{ requesterDigest: string }>(
        'SELECT requester_digest AS "requesterDigest" FROM account_requesters WHERE account_id = $1',
        [accountId],
      )
      return rows.map(({ requesterDigest }) => requesterDigest)
    },
    noteRequester: async ({ accountId, requesterDigest, older, at }) => {
      await tx.run(
        `INSERT INTO account_requesters (account_id, requester_digest, last_seen_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, requester_digest) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
        [accountId, requesterDigest, at],
      )
      if (older.length > 0) {
        await tx.run(
          `DELETE FROM account_requesters WHERE account_id = $1 AND requester_digest IN (${placeholders(older, 2)})`,
          [accountId, ...older],
        )
      }
      await tx.run(
        `DELETE FROM account_requesters WHERE account_id = $1 AND requester_digest NOT IN (
          SELECT requester_digest FROM account_requesters WHERE account_id = $1
          ORDER BY last_seen_at DESC, requester_digest LIMIT ${keptRequesters})`,
        [accountId],
      )
    },
  }
}
