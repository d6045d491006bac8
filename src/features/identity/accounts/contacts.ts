import { createHmac } from 'node:crypto'
import type { Keyring, Sealed } from '../../../base/keyring.ts'
import { isSameDigest } from '../../../base/signatures.ts'

/** Writes use the current secret. Lookups try all: a row may have been written with an older one. */
export interface KeyedDigest {
  readonly current: string
  readonly all: readonly string[]
}

export type Digests = ReturnType<typeof createDigests>

/**
 * Digests of everything that must not be readable in the store. Values that can be brute-forced (phone, email, 6-digit code)
 * are keyed with the gateway's secrets; 256-bit random tokens need no key.
 */
export function createDigests({ keys }: Pick<Keyring, 'keys'>) {
  const keyed = (domain: string, value: string): KeyedDigest => {
    const all = keys.map(({ secret }) => createHmac('sha256', secret).update(`${domain}\n${value}`).digest('base64url'))
    return { current: all[0]!, all }
  }
  return {
    phone: (phone: string) => keyed('phone', phone),
    // Lower-cased: mailboxes are case-insensitive in practice.
    email: (email: string) => keyed('email', email.toLowerCase()),
    code: (challengeId: string, code: string) => keyed('code', `${challengeId}\n${code}`),
    requester: (network: string) => keyed('requester', network),
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

export type Contacts = ReturnType<typeof createContacts>

export function createContacts(keyring: Keyring, digests: Digests) {
  const masks = { phone: maskPhone, email: maskEmail }
  const stored =
    (kind: ContactKind) =>
    (accountId: string, contact: string): StoredContact => ({
      digest: digests[kind](contact).current,
      masked: masks[kind](contact),
      ...keyring.seal(contactContext(kind, accountId), contact),
    })
  return {
    phone: stored('phone'),
    email: stored('email'),
    open: (kind: ContactKind, accountId: string, contact: Sealed) =>
      keyring.open(contactContext(kind, accountId), contact),
    /** Whether the contact was sealed and digested with the current secret. */
    isCurrent: (keyVersion: string | null) => keyVersion === keyring.current.version,
  }
}

/** A contact copied to another account does not open there. */
export const contactContext = (kind: ContactKind, accountId: string): string => `${kind} ${accountId}`
