import type { Reader, Writer } from '../../../storage/engine.ts'
import { flag, integer, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'

/** What signing in must know about second factors. The factors themselves belong to the feature `second-factor`. */

/** Whether the account in this column has a second factor. One that is still being set up does not count. */
export const hasFactor = (accountColumn: string) =>
  flag(`CASE WHEN EXISTS (SELECT 1 FROM totp_factors f WHERE f.account_id = ${accountColumn}
    AND f.confirmed_at IS NOT NULL) OR EXISTS (SELECT 1 FROM passkeys k WHERE k.account_id = ${accountColumn})
    THEN 1 ELSE 0 END`)

const pendingSignIns = rowMapper('pending_sign_ins', { tokenDigest: text(), accountId: text(), expiresAt: integer() })
export type PendingSignIn = RowOf<typeof pendingSignIns.columns>

/** Each needed the right password, so this is far more than one person opens at once. */
const keptPendingSignIns = 5

export const factorReads = (tx: Reader) => ({
  /** A sign-in whose password was right and that waits for the second factor. */
  pendingSignIn: (tokenDigest: string, now: number) =>
    pendingSignIns.get(tx, 'WHERE token_digest = $1 AND expires_at > $2', [tokenDigest, now]),
  /** When the second factors of the account will be removed; null if they stay. */
  removalDueAt: async (accountId: string): Promise<number | null> => {
    const found = await tx.get<{ dueAt: number }>(
      'SELECT due_at AS "dueAt" FROM factor_removals WHERE account_id = $1',
      [accountId],
    )
    return found?.dueAt ?? null
  },
})

export const factorWrites = (tx: Writer) => ({
  addPendingSignIn: async (row: PendingSignIn) => {
    await pendingSignIns.insert(tx, row)
    await tx.run(
      `DELETE FROM pending_sign_ins WHERE account_id = $1 AND token_digest NOT IN (
        SELECT token_digest FROM pending_sign_ins WHERE account_id = $1
        ORDER BY expires_at DESC, token_digest LIMIT ${keptPendingSignIns})`,
      [row.accountId],
    )
  },
  /** False if it was already used or ended. */
  endPendingSignIn: async (tokenDigest: string): Promise<boolean> =>
    (await tx.run('DELETE FROM pending_sign_ins WHERE token_digest = $1', [tokenDigest])) === 1,
  endPendingSignInsOf: (accountId: string) => tx.run('DELETE FROM pending_sign_ins WHERE account_id = $1', [accountId]),
  /** Returns false if a removal was waiting already: that one keeps its time. */
  startRemoval: async (accountId: string, dueAt: number): Promise<boolean> =>
    (await tx.run(
      'INSERT INTO factor_removals (account_id, due_at) VALUES ($1, $2) ON CONFLICT (account_id) DO NOTHING',
      [accountId, dueAt],
    )) === 1,
  /** False if no removal was waiting. */
  endRemoval: async (accountId: string): Promise<boolean> =>
    (await tx.run('DELETE FROM factor_removals WHERE account_id = $1', [accountId])) === 1,
  /** Removes every second factor of the account and what belongs to them. */
  removeFactors: async (accountId: string) => {
    for (const table of ['totp_factors', 'passkeys', 'recovery_codes', 'factor_removals'])
      await tx.run(`DELETE FROM ${table} WHERE account_id = $1`, [accountId])
  },
})
