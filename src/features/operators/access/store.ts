import type { OperatorRole } from '../../../operator-kit/roles.ts'
import type { Reader, Writer } from '../../../storage/engine.ts'
import { flag, from, integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'

const credentialColumns = {
  passwordDigest: text(),
  mustChangePassword: flag(),
  totpSealed: text(),
  totpKeyVersion: text(),
  /** Who was shown them on the web; null if they come from the command line. */
  credentialsBy: orNull(text()),
  credentialsAt: integer(),
  /** Whether a second administrator must agree before they work. */
  awaitsApproval: flag(),
}
const operators = rowMapper('operators', {
  name: text(),
  role: text<OperatorRole>(),
  ...credentialColumns,
  /** The step of the last one-time code that was accepted: each is good once. */
  lastTotpStep: orNull(integer()),
  /** Whether a code was ever accepted. */
  isTotpEnrolled: flag('totp_enrolled'),
  /** Attempts since the last code that was accepted. */
  totpFailures: integer(),
  createdAt: integer(),
  disabledAt: orNull(integer()),
})
const newSessionColumns = {
  sessionDigest: text(),
  name: text(),
  /** Of the local administrator, who is not among the operators. */
  isLocal: flag(),
  csrfDigest: text(),
  createdAt: integer(),
  expiresAt: integer(),
}
const sessionColumns = { ...newSessionColumns, lastSeenAt: integer() }
const newSessions = rowMapper('operator_sessions', sessionColumns)
const sessions = rowMapper('operator_sessions s LEFT JOIN operators o ON o.name = s.name AND s.is_local = 0', {
  ...from('s', sessionColumns),
  ...from('o', {
    /** Null for the local administrator, and for an operator that is gone. */
    role: orNull(text<OperatorRole>()),
    mustChangePassword: flag(),
    isTotpEnrolled: flag('totp_enrolled'),
    disabledAt: orNull(integer()),
  }),
})
const failures = rowMapper('sign_in_failures', {
  name: text(),
  reason: text(),
  attempts: integer(),
  firstAt: integer(),
  lastAt: integer(),
})

export type OperatorCredentials = RowOf<typeof credentialColumns>
export type OperatorRow = RowOf<typeof operators.columns>
/** Failed sign-ins of one name for one reason. */
type SignInFailures = RowOf<typeof failures.columns>

/** Above any real number of operators. */
const listLimit = 1000

export const operatorReads = (tx: Reader) => ({
  operators: () => operators.all(tx, `ORDER BY name LIMIT ${listLimit}`),
  /** Names differ by more than case. */
  operator: (name: string) => operators.get(tx, 'WHERE lower(name) = lower($1)', [name]),
  /** With the role and state that its operator has now. */
  operatorSession: (sessionDigest: string) => sessions.get(tx, 'WHERE s.session_digest = $1', [sessionDigest]),
})

export const operatorWrites = (tx: Writer) => ({
  insertOperator: (row: OperatorCredentials & Pick<OperatorRow, 'name' | 'role' | 'createdAt'>) =>
    operators.insert(tx, { ...row, isTotpEnrolled: false, totpFailures: 0 }),
  /** Replaces the credentials, and enables and unlocks the operator. */
  replaceCredentials: (name: string, credentials: OperatorCredentials) => {
    const unlocked = { lastTotpStep: null, isTotpEnrolled: false, totpFailures: 0, disabledAt: null }
    return operators.update(tx, { ...credentials, ...unlocked }, 'name = $1', [name])
  },
  /** Ends the waiting for an approval: with a time, the operator is disabled. False if it was not waiting. */
  settleOperator: async (name: string, disabledAt: number | null) => {
    const changes = { awaitsApproval: false, disabledAt }
    return (await operators.update(tx, changes, 'name = $1 AND awaits_approval = 1', [name])) === 1
  },
  disableOperator: (name: string, at: number) => operators.update(tx, { disabledAt: at }, 'name = $1', [name]),
  /** Counts an attempt before its code is checked. Returns how many there were since the last right one; null if locked. */
  takeTotpAttempt: async (name: string, most: number) =>
    (
      await tx.get<{ attempts: number }>(
        `UPDATE operators SET totp_failures = totp_failures + 1 WHERE name = $1 AND totp_failures < $2
        RETURNING totp_failures AS attempts`,
        [name, most],
      )
    )?.attempts ?? null,
  /** False if a code of this step or a later one was accepted before. Otherwise the operator is enrolled. */
  useTotpStep: async (name: string, step: number) => {
    const changes = { lastTotpStep: step, totpFailures: 0, isTotpEnrolled: true }
    const isUnused = 'name = $1 AND (last_totp_step IS NULL OR last_totp_step < $2)'
    return (await operators.update(tx, changes, isUnused, [name, step])) === 1
  },
  /** Counts a failed sign-in. Returns how many of its kind there were since they were last summed up. */
  countSignInFailure: async ({ name, reason, at }: { name: string; reason: string; at: number }) =>
    (await tx.get<{ attempts: number }>(
      `INSERT INTO sign_in_failures (name, reason, attempts, first_at, last_at) VALUES ($1, $2, 1, $3, $3)
      ON CONFLICT (name, reason) DO UPDATE SET attempts = sign_in_failures.attempts + 1, last_at = excluded.last_at
      RETURNING attempts`,
      [name, reason, at],
    ))!.attempts,
  /** Removes the counts that began before this time. */
  takeSignInFailures: (before: number, limit: number) =>
    tx.all<SignInFailures>(
      `DELETE FROM sign_in_failures WHERE (name, reason) IN (
        SELECT name, reason FROM sign_in_failures WHERE first_at < $1 ORDER BY first_at LIMIT $2)
      RETURNING ${failures.list}`,
      [before, limit],
    ),
  /** Replaces one digest by another; false if `from` is no longer stored. */
  replacePassword: async (name: string, { from, to }: { readonly from: string; readonly to: string }) =>
    (await operators.update(tx, { passwordDigest: to }, 'name = $1 AND password_digest = $2', [name, from])) === 1,
  /** The operator has chosen the password. */
  confirmPassword: (name: string) => operators.update(tx, { mustChangePassword: false }, 'name = $1', [name]),
  replaceTotp: (name: string, totp: Pick<OperatorCredentials, 'totpSealed' | 'totpKeyVersion'>) =>
    operators.update(tx, { ...totp, lastTotpStep: null }, 'name = $1', [name]),
  insertOperatorSession: (row: RowOf<typeof newSessionColumns>) =>
    newSessions.insert(tx, { ...row, lastSeenAt: row.createdAt }),
  touchOperatorSession: (sessionDigest: string, at: number) =>
    newSessions.update(tx, { lastSeenAt: at }, 'session_digest = $1 AND last_seen_at < $2', [sessionDigest, at]),
  endOperatorSession: (sessionDigest: string) =>
    tx.run('DELETE FROM operator_sessions WHERE session_digest = $1', [sessionDigest]),
  /** Ends the sessions of an operator, but for the one that is kept. */
  endOperatorSessions: (name: string, keptDigest = '') =>
    tx.run('DELETE FROM operator_sessions WHERE name = $1 AND is_local = 0 AND session_digest <> $2', [
      name,
      keptDigest,
    ]),
})
