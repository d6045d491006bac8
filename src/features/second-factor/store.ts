import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import { writeWithEvents } from '../../storage/event-rows.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../storage/row-mapper.ts'
import { identityReader, identityWriter } from '../accounts/store.ts'

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

const recoveryCodes = rowMapper('recovery_codes', { accountId: text(), codeDigest: text() })

const reads = (tx: Reader) => ({
  totpOf: (accountId: string) => totpFactors.get(tx, 'WHERE account_id = $1', [accountId]),
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

export type FactorReader = ReturnType<typeof reads> & ReturnType<typeof identityReader>
export type FactorWriter = ReturnType<typeof reads> & ReturnType<typeof writes> & ReturnType<typeof identityWriter>
export type FactorStore = ReturnType<typeof createFactorStore>

/** Writes lock the account first, as those of `accounts` do. */
export const createFactorStore = (engine: Engine, onEvents: () => void) => ({
  read: <T>(work: (tx: FactorReader) => Promise<T>): Promise<T> =>
    engine.read((tx) => work({ ...identityReader(tx), ...reads(tx) })),
  write: <T>(work: (tx: FactorWriter) => Promise<T>): Promise<T> =>
    writeWithEvents(engine, onEvents, (tx, add) => work({ ...identityWriter(tx, add), ...reads(tx), ...writes(tx) })),
})
