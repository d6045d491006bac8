import { dayMs } from '../../../base/time.ts'
import type { Credits } from '../../../contract/schemas/account.ts'
import { readSecretVersions } from '../../../ops/secrets.ts'
import { insertBalance, readBalance } from '../../../storage/balance-rows.ts'
import { type Engine, type Reader, UniqueViolation, type Writer } from '../../../storage/engine.ts'
import type { AddEvent } from '../../../storage/event-rows.ts'
import { writeWithEvents } from '../../../storage/event-rows.ts'
import { from, integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { type ExpiringTable, placeholders, purgeExpired } from '../../../storage/sql-text.ts'
import type { MessageRow } from '../messages/message.ts'
import { addMessage } from '../messages/store.ts'
import { challengeReads, challengeWrites, countIn, type Limit, takeFrom, usedIn } from './challenge-store.ts'
import type { ContactKind, KeyedDigest, StoredContact } from './contacts.ts'
import { factorReads, factorWrites, hasFactor } from './factor-store.ts'

const contactColumns = (name: string) => ({
  digest: text(`${name}_digest`),
  masked: text(`${name}_masked`),
  sealed: text(`${name}_sealed`),
  keyVersion: text(`${name}_key_version`),
})
export const recoveryEmailState = text<'pending_verification' | 'verified'>()

const accountTable = rowMapper('accounts', {
  accountId: text(),
  name: text(),
  passwordDigest: text(),
  createdAt: integer(),
  recoveryEmailState,
  ...contactColumns('recovery_email'),
})
const identityTable = rowMapper('identities', {
  identitySubject: text(),
  accountId: text(),
  verifiedAt: integer(),
  ...contactColumns('phone'),
})
const projectTable = rowMapper('projects', { projectId: text(), accountId: text(), name: text(), createdAt: integer() })

export const accountTables = `accounts a JOIN identities i ON i.account_id = a.account_id
  JOIN projects p ON p.account_id = a.account_id`
const accounts = rowMapper(accountTables, {
  ...from('a', { accountId: text(), name: text(), recoveryEmailMasked: text(), recoveryEmailState }),
  ...from('i', { identitySubject: text(), phoneMasked: text() }),
  ...from('p', { projectId: text(), projectName: text('name') }),
})
/** A contact from before there were sealed copies has none, and no key version. */
const credentials = rowMapper(accountTables, {
  ...accounts.columns,
  passwordDigest: text('a.password_digest'),
  ...from('i', { phoneDigest: text(), phoneSealed: orNull(text()), phoneKeyVersion: orNull(text()) }),
  emailDigest: text('a.recovery_email_digest'),
  emailSealed: orNull(text('a.recovery_email_sealed')),
  emailKeyVersion: orNull(text('a.recovery_email_key_version')),
  hasFactor: hasFactor('a.account_id'),
})
const sessionColumns = {
  sessionId: text(),
  accountId: text(),
  projectId: text(),
  csrfDigest: text(),
  createdAt: integer(),
  expiresAt: integer(),
  factorAt: orNull(integer()),
}
const sessions = rowMapper('sessions', { ...sessionColumns, hasFactor: hasFactor('sessions.account_id') })
const listedColumns = { ...sessionColumns, browser: orNull(text()), network: orNull(text()) }
const listedSessions = rowMapper('sessions', listedColumns)
const newSessions = rowMapper('sessions', { ...listedColumns, sessionDigest: text() })
const requesters = rowMapper('account_requesters', {
  accountId: text(),
  requesterDigest: text(),
  lastSeenAt: integer(),
})

export type AccountRow = RowOf<typeof accounts.columns>
export type Credentials = RowOf<typeof credentials.columns>

const isVerifiedEmail = (digests: readonly string[]) =>
  `recovery_email_digest IN (${placeholders(digests)}) AND recovery_email_state = 'verified'`

const accountReads = (tx: Reader) => ({
  hasAccounts: async () => (await tx.get('SELECT 1 AS found FROM accounts LIMIT 1')) !== undefined,
  isPhoneRegistered: async ({ all }: KeyedDigest) =>
    (await tx.get(`SELECT 1 AS found FROM identities WHERE phone_digest IN (${placeholders(all)})`, all)) !== undefined,
  credentialsByPhone: ({ all }: KeyedDigest) =>
    credentials.get(tx, `WHERE i.phone_digest IN (${placeholders(all)}) AND a.suspended_at IS NULL`, all),
  credentialsByVerifiedEmail: ({ all }: KeyedDigest) =>
    credentials.get(tx, `WHERE a.${isVerifiedEmail(all)} AND a.suspended_at IS NULL`, all),
  isSuspended: async (accountId: string): Promise<boolean> =>
    (await tx.get('SELECT 1 AS found FROM accounts WHERE account_id = $1 AND suspended_at IS NOT NULL', [
      accountId,
    ])) !== undefined,
  credentialsOf: (accountId: string) => readCredentials(tx, accountId),
  credentialsOfProject: (projectId: string) => credentials.get(tx, 'WHERE p.project_id = $1', [projectId]),
  /** The account that this identifier can recover. A pending email finds none. */
  accountIdOf: async (kind: ContactKind, { all }: KeyedDigest) => {
    const found =
      kind === 'phone'
        ? await identityTable.get(tx, `WHERE phone_digest IN (${placeholders(all)})`, all)
        : await accountTable.get(tx, `WHERE ${isVerifiedEmail(all)}`, all)
    return found?.accountId
  },
  account: (accountId: string) => accounts.get(tx, 'WHERE a.account_id = $1', [accountId]),
})

export const readCredentials = (tx: Reader, accountId: string) =>
  credentials.get(tx, 'WHERE a.account_id = $1', [accountId])

interface NewAccount extends Pick<AccountRow, 'accountId' | 'name' | 'identitySubject' | 'projectId' | 'projectName'> {
  readonly recoveryEmail: StoredContact
  readonly passwordDigest: string
  readonly phone: StoredContact
  readonly at: number
}

/** Locks the project until this write ends, so that limits on how many things it has are checked one write at a time. */
export const lockProject = (tx: Writer, projectId: string) =>
  // An update that changes nothing locks the row.
  tx.run('UPDATE projects SET name = name WHERE project_id = $1', [projectId])

const accountWrites = (tx: Writer) => ({
  createAccount: async (row: NewAccount) => {
    const { accountId, name, passwordDigest, identitySubject, projectId, projectName, at } = row
    const account = { accountId, name, passwordDigest, createdAt: at }
    await accountTable.insert(tx, {
      ...account,
      recoveryEmailState: 'pending_verification',
      ...row.recoveryEmail,
    })
    await identityTable.insert(tx, { identitySubject, accountId, verifiedAt: at, ...row.phone })
    await projectTable.insert(tx, { projectId, accountId, name: projectName, createdAt: at })
    await insertBalance(tx, projectId)
  },
  /** Locks the account until this write ends. Comes before every other lock of the account's rows, so that no two writes deadlock. */
  lockAccount: async (accountId: string) => {
    // An update that changes nothing locks the row until the transaction ends.
    await tx.run('UPDATE accounts SET name = name WHERE account_id = $1', [accountId])
    return readCredentials(tx, accountId)
  },
  /** Stores the same contact again, sealed and digested with the current secret. */
  resealContact: (kind: ContactKind, accountId: string, { digest, sealed, keyVersion }: StoredContact) =>
    (kind === 'phone' ? identityTable : accountTable).update(tx, { digest, sealed, keyVersion }, 'account_id = $1', [
      accountId,
    ]),
  /** Rejects with AccountConflict when another account has verified the address. */
  setRecoveryEmail: (accountId: string, email: StoredContact, state: AccountRow['recoveryEmailState']) =>
    accountTable.update(tx, { recoveryEmailState: state, ...email }, 'account_id = $1', [accountId]),
  replacePasswordDigest: (accountId: string, from: string, to: string) =>
    accountTable.update(tx, { passwordDigest: to }, 'account_id = $1 AND password_digest = $2', [accountId, from]),
})

/** Enough for every network that one person uses. */
const keptRequesters = 50

interface RequesterSighting {
  readonly accountId: string
  readonly requesterDigest: string
  /** Digests of the same requester with older secrets: they are forgotten. */
  readonly older: readonly string[]
  readonly at: number
}

const requesterWrites = (tx: Writer) => ({
  requestersOf: async (accountId: string) =>
    (await requesters.all(tx, 'WHERE account_id = $1', [accountId])).map(({ requesterDigest }) => requesterDigest),
  /** Notes a sign-in; only the latest requesters of an account are kept. */
  noteRequester: async ({ accountId, requesterDigest, older, at }: RequesterSighting) => {
    await requesters.upsert(tx, { accountId, requesterDigest, lastSeenAt: at }, ['accountId', 'requesterDigest'])
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
})

const sessionReads = (tx: Reader) => ({
  session: (digest: string, now: number) =>
    sessions.get(
      tx,
      // A session opened while its account was suspended is not valid.
      `WHERE session_digest = $1 AND expires_at > $2
        AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = sessions.account_id AND a.suspended_at IS NOT NULL)`,
      [digest, now],
    ),
  sessionsOf: (accountId: string, now: number) =>
    listedSessions.all(tx, 'WHERE account_id = $1 AND expires_at > $2 ORDER BY expires_at DESC LIMIT 100', [
      accountId,
      now,
    ]),
})

const sessionWrites = (tx: Writer) => ({
  createSession: (row: RowOf<typeof newSessions.columns>) => newSessions.insert(tx, row),
  endSession: (digest: string) => tx.run('DELETE FROM sessions WHERE session_digest = $1', [digest]),
  /** False if the account has no such session. */
  endSessionById: async (accountId: string, sessionId: string, now: number) =>
    (await tx.run('DELETE FROM sessions WHERE account_id = $1 AND session_id = $2 AND expires_at > $3', [
      accountId,
      sessionId,
      now,
    ])) === 1,
  endSessionsOf: (accountId: string) => tx.run('DELETE FROM sessions WHERE account_id = $1', [accountId]),
  endOtherSessionsOf: (accountId: string, keptDigest: string) =>
    tx.run('DELETE FROM sessions WHERE account_id = $1 AND session_digest <> $2', [accountId, keptDigest]),
  proveFactor: (digest: string, at: number) => sessions.update(tx, { factorAt: at }, 'session_digest = $1', [digest]),
  /** False if the session is gone. */
  replaceCsrf: async (digest: string, csrfDigest: string, now: number) =>
    (await sessions.update(tx, { csrfDigest }, 'session_digest = $1 AND expires_at > $2', [digest, now])) === 1,
})

/** A unique constraint refused the account: another request created it first. */
export class AccountConflict extends Error {
  override readonly name = 'AccountConflict'
}

export type AccountReader = ReturnType<typeof accountReader>
export type AccountWriter = ReturnType<typeof accountWriter>
export type AccountStore = ReturnType<typeof createAccountStore>

export const createAccountStore = (engine: Engine, onEvents = () => {}) => ({
  read: <T>(work: (tx: AccountReader) => Promise<T>): Promise<T> => engine.read((tx) => work(accountReader(tx))),
  /** Rejects with AccountConflict when a unique row already exists. */
  write: async <T>(work: (tx: AccountWriter) => Promise<T>): Promise<T> => {
    try {
      return await writeWithEvents(engine, onEvents, (tx, add) => work(accountWriter(tx, add)))
    } catch (error) {
      throw error instanceof UniqueViolation ? new AccountConflict(error.message, { cause: error }) : error
    }
  },
})

export const accountReader = (tx: Reader) => ({
  ...accountReads(tx),
  ...challengeReads(tx),
  ...sessionReads(tx),
  ...factorReads(tx),
  /** Which secrets the store was written with. */
  secretVersions: () => readSecretVersions(tx),
})

export const accountWriter = (tx: Writer, addEvent: AddEvent) => ({
  ...accountReader(tx),
  ...accountWrites(tx),
  ...requesterWrites(tx),
  ...challengeWrites(tx),
  ...sessionWrites(tx),
  ...factorWrites(tx),
  /** Ends every code and every sign-in of the account that is in progress. */
  endOpenProofsOf: async (accountId: string, at: number) => {
    await challengeWrites(tx).invalidateChallengesOf(accountId, at)
    await factorWrites(tx).endPendingSignInsOf(accountId)
  },
  takeFrom: (bucket: string, limit: Limit, now: number) => takeFrom(tx, bucket, limit, now),
  countIn: (bucket: string, windowSeconds: number, now: number) => countIn(tx, bucket, windowSeconds, now),
  usedIn: (bucket: string, windowSeconds: number, now: number) => usedIn(tx, bucket, windowSeconds, now),
  /** Adds a message to the outbox. Call `wake` of the outbox after the commit. */
  addMessage: (row: MessageRow) => addMessage(tx, row),
  addEvent,
  /** Deletes expired rows, at most `limit` of each kind. Returns how many. */
  purge: async (now: number, limit: number): Promise<number> => {
    let removed = 0
    for (const table of expiring) removed += await purgeExpired(tx, table, now, limit)
    return removed
  },
})

export const createCreditsReader =
  (engine: Engine) =>
  (projectId: string): Promise<Credits> =>
    engine.read(async (tx) => {
      const { available = 0, reserved = 0 } = (await readBalance(tx, projectId)) ?? {}
      return { available, reserved }
    })

const expiring: readonly ExpiringTable[] = [
  // For a day after it expires, a challenge is reported as expired rather than unknown.
  { table: 'challenges', key: 'challenge_digest', expiresAt: 'expires_at', graceMs: dayMs },
  { table: 'sessions', key: 'session_digest', expiresAt: 'expires_at' },
  { table: 'pending_sign_ins', key: 'token_digest', expiresAt: 'expires_at' },
  { table: 'used_passkey_challenges', key: 'challenge_digest', expiresAt: 'expires_at' },
  { table: 'rate_windows', key: 'bucket', expiresAt: 'window_ends_at' },
]

export const countCreated = (engine: Pick<Engine, 'read'>, from: number, to: number): Promise<number> =>
  engine.read(async (tx) => {
    const sql = 'SELECT COUNT(*) AS count FROM accounts WHERE created_at >= $1 AND created_at < $2'
    return (await tx.get<{ count: number }>(sql, [from, to]))!.count
  })
