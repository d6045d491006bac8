import { createHmac } from 'node:crypto'
import type { Keyring, Sealed } from '../../base/keyring.ts'
import { isSameDigest } from '../../base/signatures.ts'

/**
 * Digests of everything that must not be readable in the store. Values that can be brute-forced (phone, email, 6-digit code)
 * are keyed with the gateway's secrets; 256-bit random tokens need no key.
 */
export interface Digests {
  readonly phone: (phone: string) => KeyedDigest
  readonly email: (email: string) => KeyedDigest
  readonly code: (challengeId: string, code: string) => KeyedDigest
  readonly requester: (network: string) => KeyedDigest
}

/** Writes use the current secret. Lookups try all: a row may have been written with an older one. */
export interface KeyedDigest {
  readonly current: string
  readonly all: readonly string[]
}

export function createDigests({ keys }: Pick<Keyring, 'keys'>): Digests {
  const keyed = (domain: string, value: string): KeyedDigest => {
    const all = keys.map(({ secret }) => createHmac('sha256', secret).update(`${domain}\n${value}`).digest('base64url'))
    return { current: all[0]!, all }
  }
  return {
    phone: (phone) => keyed('phone', phone),
    // Lower-cased: mailboxes are case-insensitive in practice.
    email: (email) => keyed('email', email.toLowerCase()),
    code: (challengeId, code) => keyed('code', `${challengeId}\n${code}`),
    requester: (network) => keyed('requester', network),
  }
}

export const isDigestOf = (stored: string, { all }: KeyedDigest): boolean =>
  all.some((digest) => isSameDigest(digest, stored))

/** 138****5678 */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(-4)}`

/** l***@example.com */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}***${email.slice(at)}`
}

/** A phone or email as the store keeps it: found by its digest, shown by its mask, written to by opening the sealed copy. */
export interface StoredContact extends Sealed {
  readonly digest: string
  readonly masked: string
}

export type ContactKind = 'phone' | 'email'

export interface Contacts {
  readonly phone: (accountId: string, phone: string) => StoredContact
  readonly email: (accountId: string, email: string) => StoredContact
  readonly open: (kind: ContactKind, accountId: string, contact: Sealed) => string
  /** Whether the contact was sealed and digested with the current secret. */
  readonly isCurrent: (keyVersion: string | null) => boolean
}

export function createContacts(keyring: Keyring, digests: Digests): Contacts {
  return {
    phone: (accountId, phone) => ({
      digest: digests.phone(phone).current,
      masked: maskPhone(phone),
      ...keyring.seal(contactContext('phone', accountId), phone),
    }),
    email: (accountId, email) => ({
      digest: digests.email(email).current,
      masked: maskEmail(email),
      ...keyring.seal(contactContext('email', accountId), email),
    }),
    open: (kind, accountId, contact) => keyring.open(contactContext(kind, accountId), contact),
    isCurrent: (keyVersion) => keyVersion === keyring.current.version,
  }
}

/** A contact copied to another account does not open there. */
export const contactContext = (kind: ContactKind, accountId: string): string => `${kind} ${accountId}`
