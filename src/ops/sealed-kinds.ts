import { createKeyring, type Keyring } from '../base/keyring.ts'
import { loadOrCreateSecret, loadSecret } from '../base/secret-file.ts'
import type { Config } from '../config/config.ts'
import type { IdentityStore } from '../features/accounts/ports.ts'
import { checkSecret, type SecretStore } from './secrets.ts'

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
