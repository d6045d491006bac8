import { totpContext } from './administration/operators.ts'
import type { Config } from './config/config.ts'
import { contactContext } from './identity/contacts.ts'
import { createDigests } from './identity/digests.ts'
import type { IdentityStore } from './identity/ports.ts'
import { messageContext } from './messages/outbox.ts'
import { checkSecret, type SecretStore } from './secrets/check-secret.ts'
import { createKeyring, type Keyring } from './secrets/keyring.ts'
import type { SealedKind } from './secrets/rotate.ts'
import { loadOrCreateSecret, loadSecret } from './secrets/secret-file.ts'
import { webhookContext } from './webhooks/webhook-secrets.ts'

/** The configured secrets, or the one in the data directory, which is created unless the store has accounts already. */
export async function openKeyring(
  { secret, secretPrevious, dataDir }: SecretSettings,
  { identity, secrets }: SecretStores,
  clock: () => number,
): Promise<Keyring> {
  const hasAccounts = () => identity.read((tx) => tx.hasAccounts())
  const keyring = createKeyring(secret ?? (await loadOrCreateSecret({ dataDir, hasAccounts })), secretPrevious)
  await checkSecret(secrets, keyring, clock)
  return keyring
}

/** The same for the command line, which never creates a secret. */
export async function readKeyring({ secret, secretPrevious, dataDir }: SecretSettings): Promise<Keyring> {
  return createKeyring(secret ?? (await loadSecret(dataDir)), secretPrevious)
}

type SecretStores = { readonly identity: IdentityStore; readonly secrets: SecretStore }
type SecretSettings = Pick<Config, 'secret' | 'secretPrevious' | 'dataDir'>

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
