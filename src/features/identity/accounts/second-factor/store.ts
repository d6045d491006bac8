import type { Engine, Reader, Writer } from '../../../../storage/engine.ts'
import { writeWithEvents } from '../../../../storage/event-rows.ts'
import { integer, orNull, type RowOf, rowMapper, text, words } from '../../../../storage/row-mapper.ts'
import { accountReader, accountWriter } from '../store.ts'

const totpFactors = rowMapper('totp_factors', {
  accountId: text(),
  sealed: text(),
  keyVersion: text(),
  /** Codes of this step and before were used. */
  lastStep: orNull(integer()),
  createdAt: integer(),
  /** Null until a first code was right. */
  confirmedAt: orNull(integer()),
})
export type TotpFactor = RowOf<typeof totpFactors.columns>

const passkeys = rowMapper('passkeys', {
  passkeyId: text(),
  accountId: text(),
  credentialId: text(),
  name: text(),
  publicKey: text(),
  signCount: integer(),
  transports: words(),
  createdAt: integer(),
  lastUsedAt: orNull(integer()),
})
export type PasskeyRow = RowOf<typeof passkeys.columns>

const recoveryCodes = rowMapper('recovery_codes', { accountId: text(), codeDigest: text() })

const reads = (tx: Reader) => ({
  totpOf: (accountId: string) => totpFactors.get(tx, 'WHERE account_id = $1', [accountId]),
  /** The oldest first. */
  passkeysOf: (accountId: string) =>
    passkeys.all(tx, 'WHERE account_id = $1 ORDER BY created_at, passkey_id', [accountId]),
  /** Nothing for a suspended account. */
  passkeyToSignIn: (credentialId: string) =>
    passkeys.get(
      tx,
      `WHERE credential_id = $1 AND NOT EXISTS (
        SELECT 1 FROM accounts a WHERE a.account_id = passkeys.account_id AND a.suspended_at IS NOT NULL)`,
      [credentialId],
    ),
  recoveryCodesLeft: async (accountId: string): Promise<number> => {
    const row = await tx.get<{ left: number }>(
      'SELECT COUNT(*) AS "left" FROM recovery_codes WHERE account_id = $1 AND used_at IS NULL',
      [accountId],
    )
    return row!.left
  },
  /** Accounts whose second factors are to be removed by now. */
  dueRemovals: async (now: number, limit: number): Promise<string[]> =>
    (
      await tx.all<{ accountId: string }>(
        'SELECT account_id AS "accountId" FROM factor_removals WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
        [now, limit],
      )
    ).map(({ accountId }) => accountId),
})

const writes = (tx: Writer) => ({
  /** Starts over if a setup was not confirmed. */
  setUpTotp: (row: Pick<TotpFactor, 'accountId' | 'sealed' | 'keyVersion' | 'createdAt'>) =>
    totpFactors.upsert(tx, { ...row, lastStep: null, confirmedAt: null }, ['accountId']),
  confirmTotp: (accountId: string, step: number, at: number) =>
    totpFactors.update(tx, { lastStep: step, confirmedAt: at }, 'account_id = $1', [accountId]),
  /** False if the code of this step, or of a later one, was used: of two instances with one code, one gets true. */
  useTotpStep: async (accountId: string, step: number): Promise<boolean> =>
    (await totpFactors.update(tx, { lastStep: step }, 'account_id = $1 AND COALESCE(last_step, -1) < $2', [
      accountId,
      step,
    ])) === 1,
  removeTotp: (accountId: string) => tx.run('DELETE FROM totp_factors WHERE account_id = $1', [accountId]),
  /** False if another account, or this one, has it already. */
  addPasskey: async (row: Omit<PasskeyRow, 'lastUsedAt'>): Promise<boolean> =>
    (await passkeys.insert(tx, row, 'ON CONFLICT (credential_id) DO NOTHING')) === 1,
  /** False if its counter did not rise. Zero twice is allowed: many authenticators do not count. */
  usePasskey: async (credentialId: string, signCount: number, at: number): Promise<boolean> =>
    (await passkeys.update(
      tx,
      { signCount, lastUsedAt: at },
      'credential_id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))',
      [credentialId, signCount],
    )) === 1,
  renamePasskey: async (accountId: string, passkeyId: string, name: string): Promise<boolean> =>
    (await passkeys.update(tx, { name }, 'account_id = $1 AND passkey_id = $2', [accountId, passkeyId])) === 1,
  removePasskey: async (accountId: string, passkeyId: string): Promise<boolean> =>
    (await tx.run('DELETE FROM passkeys WHERE account_id = $1 AND passkey_id = $2', [accountId, passkeyId])) === 1,
  /** False if the challenge was used before. */
  useChallenge: async (digest: string, expiresAt: number): Promise<boolean> =>
    (await tx.run(
      `INSERT INTO used_passkey_challenges (challenge_digest, expires_at) VALUES ($1, $2)
      ON CONFLICT (challenge_digest) DO NOTHING`,
      [digest, expiresAt],
    )) === 1,
  replaceRecoveryCodes: async (accountId: string, digests: readonly string[]) => {
    await tx.run('DELETE FROM recovery_codes WHERE account_id = $1', [accountId])
    await recoveryCodes.insertAll(
      tx,
      digests.map((codeDigest) => ({ accountId, codeDigest })),
    )
  },
  /** False if there is no such code, or it was used. */
  useRecoveryCode: async (accountId: string, codeDigest: string, at: number): Promise<boolean> =>
    (await tx.run(
      'UPDATE recovery_codes SET used_at = $3 WHERE account_id = $1 AND code_digest = $2 AND used_at IS NULL',
      [accountId, codeDigest, at],
    )) === 1,
})

export type FactorReader = ReturnType<typeof reads> & ReturnType<typeof accountReader>
export type FactorWriter = ReturnType<typeof reads> & ReturnType<typeof writes> & ReturnType<typeof accountWriter>
export type FactorStore = ReturnType<typeof createFactorStore>

/** Writes lock the account first, as those of `accounts` do. */
export const createFactorStore = (engine: Engine, onEvents: () => void) => ({
  read: <T>(work: (tx: FactorReader) => Promise<T>): Promise<T> =>
    engine.read((tx) => work({ ...accountReader(tx), ...reads(tx) })),
  write: <T>(work: (tx: FactorWriter) => Promise<T>): Promise<T> =>
    writeWithEvents(engine, onEvents, (tx, add) => work({ ...accountWriter(tx, add), ...reads(tx), ...writes(tx) })),
})
