import type { Reader, Writer } from '../../../storage/engine.ts'
import type {
  AdministrationReader,
  AdministrationWriter,
  OperatorRow,
  OperatorSessionRow,
  SignInFailures,
} from '../administration/ports.ts'

type Flag = 'mustChangePassword' | 'isTotpEnrolled' | 'awaitsApproval'
type StoredOperator = Omit<OperatorRow, Flag> & Record<Flag, number>

const columns = `name, role, password_digest AS "passwordDigest", must_change_password AS "mustChangePassword",
  totp_sealed AS "totpSealed", totp_key_version AS "totpKeyVersion", last_totp_step AS "lastTotpStep",
  totp_enrolled AS "isTotpEnrolled", totp_failures AS "totpFailures", credentials_by AS "credentialsBy",
  credentials_at AS "credentialsAt", awaits_approval AS "awaitsApproval", created_at AS "createdAt", disabled_at AS "disabledAt"`

const toOperator = (row: StoredOperator): OperatorRow => ({
  ...row,
  mustChangePassword: row.mustChangePassword === 1,
  isTotpEnrolled: row.isTotpEnrolled === 1,
  awaitsApproval: row.awaitsApproval === 1,
})

/** Above any real number of operators. */
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
  | 'settleOperator'
  | 'disableOperator'
  | 'takeTotpAttempt'
  | 'countSignInFailure'
  | 'takeSignInFailures'
  | 'useTotpStep'
  | 'replacePassword'
  | 'confirmPassword'
  | 'replaceTotp'
>

export function operatorWrites(tx: Writer): OperatorWrites {
  return {
    insertOperator: async (row) => {
      await tx.run(
        `INSERT INTO operators (name, role, password_digest, must_change_password, totp_sealed, totp_key_version, totp_enrolled,
          totp_failures, credentials_by, credentials_at, awaits_approval, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $8, $9, $10)`,
        [
          row.name,
          row.role,
          row.passwordDigest,
          row.mustChangePassword ? 1 : 0,
          row.totpSealed,
          row.totpKeyVersion,
          row.credentialsBy,
          row.credentialsAt,
          row.awaitsApproval ? 1 : 0,
          row.createdAt,
        ],
      )
    },
    replaceCredentials: async (name, row) => {
      await tx.run(
        `UPDATE operators SET password_digest = $2, must_change_password = $3, totp_sealed = $4, totp_key_version = $5,
          last_totp_step = NULL, totp_enrolled = 0, totp_failures = 0, disabled_at = NULL, credentials_by = $6,
          credentials_at = $7, awaits_approval = $8 WHERE name = $1`,
        [
          name,
          row.passwordDigest,
          row.mustChangePassword ? 1 : 0,
          row.totpSealed,
          row.totpKeyVersion,
          row.credentialsBy,
          row.credentialsAt,
          row.awaitsApproval ? 1 : 0,
        ],
      )
    },
    settleOperator: async (name, disabledAt) =>
      (await tx.run(
        'UPDATE operators SET awaits_approval = 0, disabled_at = $2 WHERE name = $1 AND awaits_approval = 1',
        [name, disabledAt],
      )) === 1,
    disableOperator: async (name, at) => {
      await tx.run('UPDATE operators SET disabled_at = $2 WHERE name = $1', [name, at])
    },
    takeTotpAttempt: async (name, most) =>
      (
        await tx.get<{ attempts: number }>(
          `UPDATE operators SET totp_failures = totp_failures + 1 WHERE name = $1 AND totp_failures < $2
          RETURNING totp_failures AS attempts`,
          [name, most],
        )
      )?.attempts ?? null,
    useTotpStep: async (name, step) =>
      (await tx.run(
        `UPDATE operators SET last_totp_step = $2, totp_failures = 0, totp_enrolled = 1
        WHERE name = $1 AND (last_totp_step IS NULL OR last_totp_step < $2)`,
        [name, step],
      )) === 1,
    countSignInFailure: async ({ name, reason, at }) =>
      (await tx.get<{ attempts: number }>(
        `INSERT INTO sign_in_failures (name, reason, attempts, first_at, last_at) VALUES ($1, $2, 1, $3, $3)
        ON CONFLICT (name, reason) DO UPDATE SET attempts = sign_in_failures.attempts + 1, last_at = excluded.last_at
        RETURNING attempts`,
        [name, reason, at],
      ))!.attempts,
    takeSignInFailures: (before, limit) =>
      tx.all<SignInFailures>(
        `DELETE FROM sign_in_failures WHERE (name, reason) IN (
          SELECT name, reason FROM sign_in_failures WHERE first_at < $1 ORDER BY first_at LIMIT $2)
        RETURNING name, reason, attempts, first_at AS "firstAt", last_at AS "lastAt"`,
        [before, limit],
      ),
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

type StoredSession = Omit<OperatorSessionRow, 'isLocal' | 'mustChangePassword' | 'isTotpEnrolled'> & {
  isLocal: number
  mustChangePassword: number | null
  isTotpEnrolled: number | null
}

export function sessionReads(tx: Reader): Pick<AdministrationReader, 'operatorSession'> {
  return {
    operatorSession: async (sessionDigest) => {
      const row = await tx.get<StoredSession>(
        `SELECT s.session_digest AS "sessionDigest", s.name, s.is_local AS "isLocal", s.csrf_digest AS "csrfDigest",
          s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt",
          o.role, o.must_change_password AS "mustChangePassword", o.totp_enrolled AS "isTotpEnrolled",
          o.disabled_at AS "disabledAt"
        FROM operator_sessions s LEFT JOIN operators o ON o.name = s.name AND s.is_local = 0
        WHERE s.session_digest = $1`,
        [sessionDigest],
      )
      return (
        row && {
          ...row,
          isLocal: row.isLocal === 1,
          mustChangePassword: row.mustChangePassword === 1,
          isTotpEnrolled: row.isTotpEnrolled === 1,
        }
      )
    },
  }
}

type SessionWrites = Pick<
  AdministrationWriter,
  'insertOperatorSession' | 'touchOperatorSession' | 'endOperatorSession' | 'endOperatorSessions'
>

export function sessionWrites(tx: Writer): SessionWrites {
  return {
    insertOperatorSession: async (row) => {
      await tx.run(
        `INSERT INTO operator_sessions (session_digest, name, is_local, csrf_digest, created_at, last_seen_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $5, $6)`,
        [row.sessionDigest, row.name, row.isLocal ? 1 : 0, row.csrfDigest, row.createdAt, row.expiresAt],
      )
    },
    touchOperatorSession: async (sessionDigest, at) => {
      await tx.run('UPDATE operator_sessions SET last_seen_at = $2 WHERE session_digest = $1 AND last_seen_at < $2', [
        sessionDigest,
        at,
      ])
    },
    endOperatorSession: async (sessionDigest) => {
      await tx.run('DELETE FROM operator_sessions WHERE session_digest = $1', [sessionDigest])
    },
    endOperatorSessions: (name, keptDigest = '') =>
      tx.run('DELETE FROM operator_sessions WHERE name = $1 AND is_local = 0 AND session_digest <> $2', [
        name,
        keptDigest,
      ]),
  }
}
