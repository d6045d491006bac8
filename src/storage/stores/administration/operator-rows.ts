import type { AdministrationReader, AdministrationWriter, OperatorRow } from '../../../administration/ports.ts'
import type { Reader, Writer } from '../../engine.ts'

type StoredOperator = Omit<OperatorRow, 'mustChangePassword'> & { mustChangePassword: number }

const columns = `name, role, password_digest AS "passwordDigest", must_change_password AS "mustChangePassword",
  totp_sealed AS "totpSealed", totp_key_version AS "totpKeyVersion", last_totp_step AS "lastTotpStep",
  created_at AS "createdAt", disabled_at AS "disabledAt"`

const toOperator = (row: StoredOperator): OperatorRow => ({ ...row, mustChangePassword: row.mustChangePassword === 1 })

/** Far more than anybody employs. */
const listLimit = 1000

export function operatorReads(tx: Reader): Pick<AdministrationReader, 'operators' | 'operator'> {
  return {
    operators: async () =>
      (await tx.all<StoredOperator>(`SELECT ${columns} FROM operators ORDER BY name LIMIT ${listLimit}`)).map(
        toOperator,
      ),
    operator: async (name) => {
      const row = await tx.get<StoredOperator>(`SELECT ${columns} FROM operators WHERE lower(name) = lower($1)`, [name])
      return row && toOperator(row)
    },
  }
}

type OperatorWrites = Pick<
  AdministrationWriter,
  | 'insertOperator'
  | 'replaceCredentials'
  | 'disableOperator'
  | 'useTotpStep'
  | 'replacePassword'
  | 'confirmPassword'
  | 'replaceTotp'
>

export function operatorWrites(tx: Writer): OperatorWrites {
  return {
    insertOperator: async (row) => {
      await tx.run(
        `INSERT INTO operators (name, role, password_digest, must_change_password, totp_sealed, totp_key_version, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          row.name,
          row.role,
          row.passwordDigest,
          row.mustChangePassword ? 1 : 0,
          row.totpSealed,
          row.totpKeyVersion,
          row.createdAt,
        ],
      )
    },
    replaceCredentials: async (name, row) => {
      await tx.run(
        `UPDATE operators SET password_digest = $2, must_change_password = $3, totp_sealed = $4, totp_key_version = $5,
          last_totp_step = NULL, disabled_at = NULL WHERE name = $1`,
        [name, row.passwordDigest, row.mustChangePassword ? 1 : 0, row.totpSealed, row.totpKeyVersion],
      )
    },
    disableOperator: async (name, at) => {
      await tx.run('UPDATE operators SET disabled_at = $2 WHERE name = $1', [name, at])
    },
    useTotpStep: async (name, step) =>
      (await tx.run(
        'UPDATE operators SET last_totp_step = $2 WHERE name = $1 AND (last_totp_step IS NULL OR last_totp_step < $2)',
        [name, step],
      )) === 1,
    replacePassword: async (name, { from, to }) =>
      (await tx.run('UPDATE operators SET password_digest = $3 WHERE name = $1 AND password_digest = $2', [
        name,
        from,
        to,
      ])) === 1,
    confirmPassword: async (name) => {
      await tx.run('UPDATE operators SET must_change_password = 0 WHERE name = $1', [name])
    },
    replaceTotp: async (name, { totpSealed, totpKeyVersion }) => {
      await tx.run(
        'UPDATE operators SET totp_sealed = $2, totp_key_version = $3, last_totp_step = NULL WHERE name = $1',
        [name, totpSealed, totpKeyVersion],
      )
    },
  }
}
