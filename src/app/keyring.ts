import type { Keyring } from '../base/keyring.ts'
import { contactContext, createDigests } from '../features/accounts/contacts.ts'
import { messageContext } from '../features/messages/outbox.ts'
import { totpContext } from '../features/operators/administration/operators.ts'
import { webhookContext } from '../features/webhooks/delivery.ts'
import type { SealedKind } from '../ops/secrets.ts'

/** Everything in the store that is sealed, and how to seal it anew. */
export function sealedKinds(keyring: Keyring): SealedKind[] {
  const digests = createDigests(keyring)
  return [
    {
      name: 'phones',
      context: (accountId) => contactContext('phone', accountId),
      digest: (phone) => digests.phone(phone).current,
    },
    {
      name: 'recoveryEmails',
      context: (accountId) => contactContext('email', accountId),
      digest: (email) => digests.email(email).current,
    },
    { name: 'messages', context: messageContext, digest: null },
    { name: 'operatorCodes', context: totpContext, digest: null },
    { name: 'webhookSecrets', context: webhookContext, digest: null },
  ]
}
