import type { Credits } from '../../contract/schemas/account.ts'
import type { SessionRow } from '../../http/guards.ts'
import { readSecretVersions } from '../../ops/secrets.ts'
import { type Engine, type Reader, UniqueViolation, type Writer } from '../../storage/engine.ts'
import type { AddEvent } from '../../storage/event-rows.ts'
import { writeWithEvents } from '../../storage/event-rows.ts'
import { createPurge, placeholders } from '../../storage/sql-text.ts'
import { addMessage } from '../messages/store.ts'
import { challengeReads, challengeWrites, countIn, takeFrom, usedIn } from './challenge-store.ts'
import type { StoredContact } from './contacts.ts'
import {
  AccountConflict,
  type AccountReader,
  type AccountRow,
  type AccountWriter,
  type Credentials,
  type IdentityReader,
  type IdentityStore,
  type IdentityWriter,
  type SessionReader,
  type SessionWriter,
} from './ports.ts'

const accountColumns = `a.account_id AS "accountId", a.name, i.identity_subject AS "identitySubject",
  i.phone_masked AS "phoneMasked", a.recovery_email_masked AS "recoveryEmailMasked",
  a.recovery_email_state AS "recoveryEmailState", p.project_id AS "projectId", p.name AS "projectName"`
const accountTables = `accounts a JOIN identities i ON i.account_id = a.account_id
  JOIN projects p ON p.account_id = a.account_id`

const credentialColumns = `${accountColumns}, a.password_digest AS "passwordDigest", i.phone_digest AS "phoneDigest",
  i.phone_sealed AS "phoneSealed", i.phone_key_version AS "phoneKeyVersion", a.recovery_email_digest AS "emailDigest",
  a.recovery_email_sealed AS "emailSealed", a.recovery_email_key_version AS "emailKeyVersion"`

const isVerifiedEmail = (digests: readonly string[]) =>
  `recovery_email_digest IN (${placeholders(digests)}) AND recovery_email_state = 'verified'`

export function accountReads(tx: Reader): AccountReader {
  return {
    hasAccounts: async () => (await tx.get('SELECT 1 AS found FROM accounts LIMIT 1')) !== undefined,
    isPhoneRegistered: async ({ all }) =>
      (await tx.get(`SELECT 1 AS found FROM identities WHERE phone_digest IN (${placeholders(all)})`, all)) !==
      undefined,
    credentialsByPhone: ({ all }) =>
      tx.get<Credentials>(
        `SELECT ${credentialColumns} FROM ${accountTables} WHERE i.phone_digest IN (${placeholders(all)})
        AND a.suspended_at IS NULL`,
        all,
      ),
    credentialsByVerifiedEmail: ({ all }) =>
      tx.get<Credentials>(
        `SELECT ${credentialColumns} FROM ${accountTables} WHERE a.${isVerifiedEmail(all)} AND a.suspended_at IS NULL`,
        all,
      ),
    credentialsOf: (accountId) => readCredentials(tx, accountId),
    credentialsOfProject: (projectId) =>
      tx.get<Credentials>(`SELECT ${credentialColumns} FROM ${accountTables} WHERE p.project_id = $1`, [projectId]),
    accountIdOf: async (kind, { all }) => {
      const row = await tx.get<{ accountId: string }>(
        kind === 'phone'
          ? `SELECT account_id AS "accountId" FROM identities WHERE phone_digest IN (${placeholders(all)})`
          : `SELECT account_id AS "accountId" FROM accounts WHERE ${isVerifiedEmail(all)}`,
        all,
      )
      return row?.accountId
    },
    account: (accountId) =>
      tx.get<AccountRow>(`SELECT ${accountColumns} FROM ${accountTables} WHERE a.account_id = $1`, [accountId]),
  }
}

export const readCredentials = (tx: Reader, accountId: string) =>
  tx.get<Credentials>(`SELECT ${credentialColumns} FROM ${accountTables} WHERE a.account_id = $1`, [accountId])

const contactValues = ({ digest, masked, sealed, keyVersion }: StoredContact) => [digest, masked, sealed, keyVersion]

type AccountWrites = Omit<AccountWriter, keyof AccountReader | 'requestersOf' | 'noteRequester'>

export function accountWrites(tx: Writer): AccountWrites {
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
    lockAccount: async (accountId) => {
      // An update that changes nothing locks the row until the transaction ends.
      await tx.run('UPDATE accounts SET name = name WHERE account_id = $1', [accountId])
      return readCredentials(tx, accountId)
    },
    resealContact: async (kind, accountId, { digest, sealed, keyVersion }) => {
      const [table, contact] = kind === 'phone' ? ['identities', 'phone'] : ['accounts', 'recovery_email']
      await tx.run(
        `UPDATE ${table} SET ${contact}_digest = $2, ${contact}_sealed = $3, ${contact}_key_version = $4
        WHERE account_id = $1`,
        [accountId, digest, sealed, keyVersion],
      )
    },
    setRecoveryEmail: async (accountId, email, state) => {
      await tx.run(
        `UPDATE accounts SET recovery_email_state = $2, recovery_email_digest = $3, recovery_email_masked = $4,
          recovery_email_sealed = $5, recovery_email_key_version = $6 WHERE account_id = $1`,
        [accountId, state, ...contactValues(email)],
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

const sessionColumns = `session_id AS "sessionId", account_id AS "accountId", project_id AS "projectId",
  csrf_digest AS "csrfDigest", created_at AS "createdAt", expires_at AS "expiresAt"`

export function sessionReads(tx: Reader): SessionReader {
  return {
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

export function sessionWrites(tx: Writer): Omit<SessionWriter, keyof SessionReader> {
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
    endSessionById: async (accountId, sessionId, now) =>
      (await tx.run('DELETE FROM sessions WHERE account_id = $1 AND session_id = $2 AND expires_at > $3', [
        accountId,
        sessionId,
        now,
      ])) === 1,
    endSessionsOf: (accountId) => tx.run('DELETE FROM sessions WHERE account_id = $1', [accountId]),
    endOtherSessionsOf: (accountId, keptDigest) =>
      tx.run('DELETE FROM sessions WHERE account_id = $1 AND session_digest <> $2', [accountId, keptDigest]),
    replaceCsrf: (digest, csrfDigest, now) =>
      tx.get<SessionRow>(
        `UPDATE sessions SET csrf_digest = $2 WHERE session_digest = $1 AND expires_at > $3 RETURNING ${sessionColumns}`,
        [digest, csrfDigest, now],
      ),
  }
}

export function createIdentityStore(engine: Engine, onEvents = () => {}): IdentityStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: async (work) => {
      try {
        return await writeWithEvents(engine, onEvents, (tx, add) => work(identityWriter(tx, add)))
      } catch (error) {
        throw error instanceof UniqueViolation ? new AccountConflict(error.message, { cause: error }) : error
      }
    },
  }
}

function reader(tx: Reader): IdentityReader {
  return {
    ...accountReads(tx),
    ...challengeReads(tx),
    ...sessionReads(tx),
    secretVersions: () => readSecretVersions(tx),
  }
}

export function identityWriter(tx: Writer, addEvent: AddEvent): IdentityWriter {
  return {
    ...reader(tx),
    ...accountWrites(tx),
    ...requesterWrites(tx),
    ...challengeWrites(tx),
    ...sessionWrites(tx),
    takeFrom: (bucket, limit, now) => takeFrom(tx, bucket, limit, now),
    countIn: (bucket, windowSeconds, now) => countIn(tx, bucket, windowSeconds, now),
    usedIn: (bucket, windowSeconds, now) => usedIn(tx, bucket, windowSeconds, now),
    addMessage: (row) => addMessage(tx, row),
    addEvent,
    purge: createPurge(tx),
  }
}

export const createCreditsReader =
  (engine: Engine) =>
  (projectId: string): Promise<Credits> =>
    engine.read(async (tx) => {
      const row = await tx.get<Credits>('SELECT available, reserved FROM balances WHERE project_id = $1', [projectId])
      return row ?? { available: 0, reserved: 0 }
    })
