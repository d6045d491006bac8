import type { ContactKind, StoredContact } from '../contacts.ts'
import type { KeyedDigest } from '../digests.ts'

export interface AccountRow {
  readonly accountId: string
  readonly name: string
  readonly identitySubject: string
  readonly phoneMasked: string
  readonly recoveryEmailMasked: string
  readonly recoveryEmailState: 'pending_verification' | 'verified'
  readonly projectId: string
  readonly projectName: string
}

/** An account with its password and contacts. A contact from before there were sealed copies has none, and no key version. */
export interface Credentials extends AccountRow {
  readonly passwordDigest: string
  readonly phoneDigest: string
  readonly phoneSealed: string | null
  readonly phoneKeyVersion: string | null
  readonly emailDigest: string
  readonly emailSealed: string | null
  readonly emailKeyVersion: string | null
}

export interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly recoveryEmail: StoredContact
  readonly passwordDigest: string
  readonly identitySubject: string
  readonly phone: StoredContact
  readonly projectId: string
  readonly projectName: string
  readonly at: number
}

export interface AccountReader {
  hasAccounts(): Promise<boolean>
  isPhoneRegistered(phone: KeyedDigest): Promise<boolean>
  credentialsByPhone(phone: KeyedDigest): Promise<Credentials | undefined>
  credentialsByVerifiedEmail(email: KeyedDigest): Promise<Credentials | undefined>
  credentialsOf(accountId: string): Promise<Credentials | undefined>
  credentialsOfProject(projectId: string): Promise<Credentials | undefined>
  /** The account that this identifier can recover. A pending email finds none. */
  accountIdOf(kind: ContactKind, contact: KeyedDigest): Promise<string | undefined>
  account(accountId: string): Promise<AccountRow | undefined>
}

export interface AccountWriter extends AccountReader {
  createAccount(row: NewAccount): Promise<void>
  /** Locks the account until this write ends. Comes before every other lock of the account's rows, so that no two writes deadlock. */
  lockAccount(accountId: string): Promise<Credentials | undefined>
  /** Stores the same contact again, sealed and digested with the current secret. */
  resealContact(kind: ContactKind, accountId: string, contact: StoredContact): Promise<void>
  /** Rejects with AccountConflict when another account has verified the address. */
  setRecoveryEmail(accountId: string, email: StoredContact, state: AccountRow['recoveryEmailState']): Promise<void>
  replacePasswordDigest(accountId: string, from: string, to: string): Promise<void>
  /** Digests of the networks that the account has signed in from. */
  requestersOf(accountId: string): Promise<string[]>
  /** Notes a sign-in; only the latest requesters of an account are kept. */
  noteRequester(sighting: RequesterSighting): Promise<void>
}

export interface RequesterSighting {
  readonly accountId: string
  readonly requesterDigest: string
  /** Digests of the same requester with older secrets: they are forgotten. */
  readonly older: readonly string[]
  readonly at: number
}
