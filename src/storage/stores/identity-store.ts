import {
  AccountConflict,
  type AccountRow,
  type ChallengeRow,
  type Credentials,
  type IdentityReader,
  type IdentityStore,
  type IdentityWriter,
  type SessionRow,
} from '../../identity/ports.ts'
import { type Engine, type Reader, UniqueViolation, type Writer } from '../engine.ts'
import { createPurge } from './expiry.ts'
import { addMessage } from './message-store.ts'
import { takeFrom } from './rate-windows.ts'

export function createIdentityStore(engine: Engine): IdentityStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: async (work) => {
      try {
        return await engine.write((tx) => work(writer(tx)))
      } catch (error) {
        throw error instanceof UniqueViolation ? new AccountConflict(error.message, { cause: error }) : error
      }
    },
  }
}

const accountColumns = `a.account_id AS "accountId", a.name, i.identity_subject AS "identitySubject",
  i.phone_masked AS "phoneMasked", a.recovery_email_masked AS "recoveryEmailMasked",
  a.recovery_email_state AS "recoveryEmailState", p.project_id AS "projectId", p.name AS "projectName"`
const accountTables = `accounts a JOIN identities i ON i.account_id = a.account_id
  JOIN projects p ON p.account_id = a.account_id`

const challengeColumns = `purpose, account_id AS "accountId", contact_digest AS "contactDigest", code_digest AS "codeDigest",
  expires_at AS "expiresAt", wrong_attempts AS "wrongAttempts", invalidated_at AS "invalidatedAt", consumed_at AS "consumedAt"`

const sessionColumns = `session_id AS "sessionId", account_id AS "accountId", project_id AS "projectId",
  csrf_digest AS "csrfDigest", created_at AS "createdAt", expires_at AS "expiresAt"`

function reader(tx: Reader): IdentityReader {
  return {
    hasAccounts: async () => (await tx.get('SELECT 1 AS found FROM accounts LIMIT 1')) !== undefined,
    challenge: (digest) =>
      tx.get<ChallengeRow>(`SELECT ${challengeColumns} FROM challenges WHERE challenge_digest = $1`, [digest]),
    isPhoneRegistered: async (phoneDigest) =>
      (await tx.get('SELECT 1 AS found FROM identities WHERE phone_digest = $1', [phoneDigest])) !== undefined,
    credentialsByPhone: (phoneDigest) =>
      tx.get<Credentials>(
        `SELECT ${accountColumns}, a.password_digest AS "passwordDigest" FROM ${accountTables} WHERE i.phone_digest = $1`,
        [phoneDigest],
      ),
    credentialsByVerifiedEmail: (emailDigest) =>
      tx.get<Credentials>(
        `SELECT ${accountColumns}, a.password_digest AS "passwordDigest" FROM ${accountTables}
        WHERE a.recovery_email_digest = $1 AND a.recovery_email_state = 'verified'`,
        [emailDigest],
      ),
    account: (accountId) =>
      tx.get<AccountRow>(`SELECT ${accountColumns} FROM ${accountTables} WHERE a.account_id = $1`, [accountId]),
    session: (digest, now) =>
      tx.get<SessionRow>(`SELECT ${sessionColumns} FROM sessions WHERE session_digest = $1 AND expires_at > $2`, [
        digest,
        now,
      ]),
    sessionsOf: (accountId, now) =>
      tx.all<SessionRow>(
        `SELECT ${sessionColumns} FROM sessions WHERE account_id = $1 AND expires_at > $2
        ORDER BY expires_at DESC LIMIT 100`,
        [accountId, now],
      ),
  }
}

function writer(tx: Writer): IdentityWriter {
  return {
    ...reader(tx),
    takeFrom: (bucket, limit, now) => takeFrom(tx, bucket, limit, now),
    lastIssuedAt: async ({ contactDigest, purpose }, latest) => {
      const row = await tx.get<{ issuedAt: number }>(
        `SELECT issued_at AS "issuedAt" FROM challenges WHERE contact_digest = $1 AND purpose = $2
          AND invalidated_at IS NULL AND issued_at <= $3 ORDER BY issued_at DESC LIMIT 1`,
        [contactDigest, purpose, latest],
      )
      return row?.issuedAt ?? null
    },
    replaceChallenge: async ({ challengeDigest, purpose, accountId, contactDigest, codeDigest, at, expiresAt }) => {
      await tx.run(
        `UPDATE challenges SET invalidated_at = $3 WHERE contact_digest = $1 AND purpose = $2
          AND invalidated_at IS NULL AND consumed_at IS NULL`,
        [contactDigest, purpose, at],
      )
      await tx.run(
        `INSERT INTO challenges (challenge_digest, purpose, account_id, contact_digest, code_digest, issued_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [challengeDigest, purpose, accountId, contactDigest, codeDigest, at, expiresAt],
      )
    },
    // An update that changes nothing locks the row until the transaction ends.
    lockChallenge: (digest) =>
      tx.get<ChallengeRow>(
        `UPDATE challenges SET wrong_attempts = wrong_attempts WHERE challenge_digest = $1 RETURNING ${challengeColumns}`,
        [digest],
      ),
    invalidateChallenge: async (digest, at) => {
      await tx.run('UPDATE challenges SET invalidated_at = $2 WHERE challenge_digest = $1', [digest, at])
    },
    countWrongAttempt: async (digest) => {
      await tx.run('UPDATE challenges SET wrong_attempts = wrong_attempts + 1 WHERE challenge_digest = $1', [digest])
    },
    consumeChallenge: async (digest, maxWrongAttempts, at) =>
      (await tx.run(
        `UPDATE challenges SET consumed_at = $2 WHERE challenge_digest = $1 AND consumed_at IS NULL
          AND invalidated_at IS NULL AND expires_at > $2 AND wrong_attempts < $3`,
        [digest, at, maxWrongAttempts],
      )) === 1,
    ...accountWrites(tx),
    ...sessionWrites(tx),
    addMessage: (row) => addMessage(tx, row),
    purge: createPurge(tx),
  }
}

function accountWrites(tx: Writer): Pick<IdentityWriter, 'createAccount' | 'replacePasswordDigest'> {
  return {
    createAccount: async (row) => {
      await tx.run(
        `INSERT INTO accounts (account_id, name, recovery_email_digest, recovery_email_masked, recovery_email_state,
          password_digest, created_at) VALUES ($1, $2, $3, $4, 'pending_verification', $5, $6)`,
        [row.accountId, row.name, row.recoveryEmailDigest, row.recoveryEmailMasked, row.passwordDigest, row.at],
      )
      await tx.run(
        `INSERT INTO identities (identity_subject, account_id, phone_digest, phone_masked, verified_at)
        VALUES ($1, $2, $3, $4, $5)`,
        [row.identitySubject, row.accountId, row.phoneDigest, row.phoneMasked, row.at],
      )
      await tx.run('INSERT INTO projects (project_id, account_id, name, created_at) VALUES ($1, $2, $3, $4)', [
        row.projectId,
        row.accountId,
        row.projectName,
        row.at,
      ])
      await tx.run('INSERT INTO balances (project_id) VALUES ($1)', [row.projectId])
    },
    replacePasswordDigest: async (accountId, from, to) => {
      await tx.run('UPDATE accounts SET password_digest = $3 WHERE account_id = $1 AND password_digest = $2', [
        accountId,
        from,
        to,
      ])
    },
  }
}

type SessionWrites = Pick<IdentityWriter, 'createSession' | 'endSession' | 'endSessionsOf' | 'replaceCsrf'>

function sessionWrites(tx: Writer): SessionWrites {
  return {
    createSession: async (row) => {
      await tx.run(
        `INSERT INTO sessions (session_digest, session_id, account_id, project_id, csrf_digest, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [row.sessionDigest, row.sessionId, row.accountId, row.projectId, row.csrfDigest, row.createdAt, row.expiresAt],
      )
    },
    endSession: async (digest) => {
      await tx.run('DELETE FROM sessions WHERE session_digest = $1', [digest])
    },
    endSessionsOf: (accountId) => tx.run('DELETE FROM sessions WHERE account_id = $1', [accountId]),
    replaceCsrf: (digest, csrfDigest, now) =>
      tx.get<SessionRow>(
        `UPDATE sessions SET csrf_digest = $2 WHERE session_digest = $1 AND expires_at > $3 RETURNING ${sessionColumns}`,
        [digest, csrfDigest, now],
      ),
  }
}
