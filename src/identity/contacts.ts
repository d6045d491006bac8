import type { Keyring, Sealed } from '../secrets/keyring.ts'
import type { Digests } from './digests.ts'
import { maskEmail, maskPhone } from './masks.ts'

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
