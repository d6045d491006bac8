import type { StoredContact } from '../../../identity/contacts.ts'
import type { AccountReader, AccountRow, AccountWriter, Credentials } from '../../../identity/ports/accounts.ts'
import type { Reader, Writer } from '../../engine.ts'
import { placeholders } from '../../sql-text.ts'

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
