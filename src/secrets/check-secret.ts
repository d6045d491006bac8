import type { Keyring } from './keyring.ts'
import { SecretUnusable } from './secret-file.ts'

export interface SecretStore {
  /** The secrets that values in the store were made with. */
  secretVersions(): Promise<readonly SecretVersion[]>
  /** Does nothing if the version is there. */
  addSecretVersion(version: SecretVersion, at: number): Promise<void>
}

export interface SecretVersion {
  readonly keyVersion: string
  readonly checkValue: string
}

/**
 * Refuses a secret that the store was not written with, before the gateway fails to find its accounts. A new current secret is
 * recorded, provided that the older ones are configured too.
 */
export async function checkSecret(store: SecretStore, keyring: Keyring, clock: () => number): Promise<void> {
  const known = await store.secretVersions()
  refuseForeignSecret(known, keyring)
  const { version, checkValue } = keyring.current
  if (!known.some(({ keyVersion }) => keyVersion === version)) {
    await store.addSecretVersion({ keyVersion: version, checkValue }, clock())
  }
}

/** Throws `SecretUnusable` if the store was written with a secret that is not configured. */
export function refuseForeignSecret(known: readonly SecretVersion[], keyring: Keyring): void {
  if (known.every((version) => isConfigured(version, keyring))) return
  throw new SecretUnusable(
    'GATEWAY_SECRET is not the secret that this store was written with: set it to that secret, or name that secret in GATEWAY_SECRET_PREVIOUS',
  )
}

const isConfigured = ({ keyVersion, checkValue }: SecretVersion, { keys }: Keyring) =>
  keys.some((key) => key.version === keyVersion && key.checkValue === checkValue)

/**
 * Throws if another instance has begun to use a secret that this one lacks, or has finished replacing this one's. Without it
 * somebody could register twice: neither instance would find what the other wrote.
 */
export function requireKnownSecrets(known: readonly SecretVersion[], keyring: Keyring): void {
  const isCurrentKnown = known.some(({ keyVersion }) => keyVersion === keyring.current.version)
  if (isCurrentKnown && known.every((version) => isConfigured(version, keyring))) return
  throw new Error('the secret was rotated: restart this instance with the same GATEWAY_SECRET as the others')
}
