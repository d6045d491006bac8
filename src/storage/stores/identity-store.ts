import type { StoredContact } from '../../identity/contacts.ts'
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
import { placeholders } from '../sql-text.ts'
import { createPurge } from './expiry.ts'
import { takeFrom } from './rate-windows.ts'
import { readSecretVersions } from './secret-store.ts'

export function createIdentityStore(engine: Engine): IdentityStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: async (work) => {
      try {
        return await engine.write((tx) => work(identityWriter(tx)))
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

const credentialColumns = `${accountColumns}, a.password_digest AS "passwordDigest",
  i.phone_key_version AS "phoneKeyVersion", a.recovery_email_key_version AS "emailKeyVersion"`

const challengeColumns = `purpose, account_id AS "accountId", contact_digest AS "contactDigest", code_digest AS "codeDigest",
  expires_at AS "expiresAt", wrong_attempts AS "wrongAttempts", invalidated_at AS "invalidatedAt", consumed_at AS "consumedAt"`

const sessionColumns = `session_id AS "sessionId", account_id AS "accountId", project_id AS "projectId",
  csrf_digest AS "csrfDigest", created_at AS "createdAt", expires_at AS "expiresAt"`

function reader(tx: Reader): IdentityReader {
  return {
    hasAccounts: async () => (await tx.get('SELECT 1 AS found FROM accounts LIMIT 1')) !== undefined,
    challenge: (digest) =>
      tx.get<ChallengeRow>(`SELECT ${challengeColumns} FROM challenges WHERE challenge_digest = $1`, [digest]),
    secretVersions: () => readSecretVersions(tx),
    isPhoneRegistered: async ({ all }) =>
      (await tx.get(`SELECT 1 AS found FROM identities WHERE phone_digest IN (${placeholders(all)})`, all)) !==
      undefined,
    credentialsByPhone: ({ all }) =>
      tx.get<Credentials>(
        `SELECT ${credentialColumns} FROM ${accountTables}
        WHERE i.phone_digest IN (${placeholders(all)}) AND a.suspended_at IS NULL`,
        all,
      ),
    credentialsByVerifiedEmail: ({ all }) =>
      tx.get<Credentials>(
        `SELECT ${credentialColumns} FROM ${accountTables}
        WHERE a.recovery_email_digest IN (${placeholders(all)}) AND a.recovery_email_state = 'verified'
          AND a.suspended_at IS NULL`,
        all,
      ),
    account: (accountId) =>
      tx.get<AccountRow>(`SELECT ${accountColumns} FROM ${accountTables} WHERE a.account_id = $1`, [accountId]),
    session: (digest, now) =>
      tx.get<SessionRow>(
        // A session that was opened while its account was suspended is worth nothing.
        `SELECT ${sessionColumns} FROM sessions WHERE session_digest = $1 AND expires_at > $2
          AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = sessions.account_id AND a.suspended_at IS NOT NULL)`,
        [digest, now],
      ),
    sessionsOf: (accountId, now) =>
      tx.all<SessionRow>(
        `SELECT ${sessionColumns} FROM sessions WHERE account_id = $1 AND expires_at > $2
        ORDER BY expires_at DESC LIMIT 100`,
        [accountId, now],
      ),
  }
}

export function identityWriter(tx: Writer): IdentityWriter {
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
    purge: createPurge(tx),
  }
}

const contactValues = ({ digest, masked, sealed, keyVersion }: StoredContact) => [digest, masked, sealed, keyVersion]

type AccountWrites = Pick<IdentityWriter, 'createAccount' | 'resealContact' | 'replacePasswordDigest'>

function accountWrites(tx: Writer): AccountWrites {
  return {
    createAccount: async (row) => {
      await tx.run(
        `INSERT INTO accounts (account_id, name, recovery_email_state, password_digest, created_at, recovery_email_digest,
          recovery_email_masked, recovery_email_sealed, recovery_email_key_version)
        VALUES ($1, $2, 'pending_verification', $3, $4, $5, $6, $7, $8)`,
        [row.accountId, row.name, row.passwordDigest, row.at, ...contactValues(row.recoveryEmail)],
      )
      await tx.run(
        `INSERT INTO identities (identity_subject, account_id, verified_at, phone_digest, phone_masked, phone_sealed,
          phone_key_version) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [row.identitySubject, row.accountId, row.at, ...contactValues(row.phone)],
      )
      await tx.run('INSERT INTO projects (project_id, account_id, name, created_at) VALUES ($1, $2, $3, $4)', [
        row.projectId,
        row.accountId,
        row.projectName,
        row.at,
      ])
      await tx.run('INSERT INTO balances (project_id) VALUES ($1)', [row.projectId])
    },
    resealContact: async (kind, accountId, { digest, sealed, keyVersion }) => {
      const [table, contact] = kind === 'phone' ? ['identities', 'phone'] : ['accounts', 'recovery_email']
      await tx.run(
        `UPDATE ${table} SET ${contact}_digest = $2, ${contact}_sealed = $3, ${contact}_key_version = $4
        WHERE account_id = $1`,
        [accountId, digest, sealed, keyVersion],
      )
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
