import { createKeyring, type Keyring, type Sealed, SealUnusable } from '../base/keyring.ts'
import { loadOrCreateSecret, loadSecret, SecretUnusable } from '../base/secret-file.ts'
import type { Config } from '../config/config.ts'
import type { Engine, Reader } from '../storage/engine.ts'

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

/** One kind of sealed value, such as phones. */
export interface SealedKind {
  readonly name: string
  readonly context: (id: string) => string
  /** The digest that the value is found by; null if it is found by its id. */
  readonly digest: ((plaintext: string) => string) | null
}

interface SealedValue extends Sealed {
  readonly id: string
}

interface ResealedValue {
  readonly from: SealedValue
  readonly to: Sealed
  readonly digest: string | null
}

interface SealedStore {
  /** Values sealed with another secret than `keyVersion`, in the order of their ids. */
  outdated(kind: string, keyVersion: string, after: string, limit: number): Promise<readonly SealedValue[]>
  /** In one transaction. A value that has changed since it was read stays as it is. Returns how many were replaced. */
  replace(kind: string, values: readonly ResealedValue[]): Promise<number>
  /** How many values use another secret than `keyVersion`, and how many contacts have no sealed copy. */
  countOutdated(keyVersion: string): Promise<OutdatedCounts>
  /** Forgets all secrets but this one, unless a value still needs another. Returns whether it is the only one now. */
  retireOthers(keyVersion: string): Promise<boolean>
}

export interface OutdatedCounts {
  readonly outdated: number
  /** Older than sealed copies: only their owner's next sign-in can renew them. */
  readonly unsealed: number
}

export interface Rotation extends OutdatedCounts {
  /** How many values of each kind were sealed anew. */
  readonly rotated: Readonly<Record<string, number>>
  /** Values that could not be opened; they are among `outdated`. */
  readonly unusable: number
  /** Whether older secrets are no longer needed. */
  readonly isFinished: boolean
}

const pageSize = 200

/**
 * Seals and digests every value with the current secret, a page at a time. It can be stopped and run again at any point: what
 * is left is what still names another secret. The gateway keeps serving, because its lookups try all secrets.
 */
export async function rotateSecret(
  store: SealedStore,
  keyring: Keyring,
  kinds: readonly SealedKind[],
): Promise<Rotation> {
  const { version } = keyring.current
  const rotated: Record<string, number> = {}
  let unusable = 0
  for (const kind of kinds) {
    rotated[kind.name] = 0
    for (let after = ''; ; ) {
      const page = await store.outdated(kind.name, version, after, pageSize)
      if (page.length === 0) break
      after = page.at(-1)!.id
      const values = page.map((value) => reseal(keyring, kind, value)).filter((value) => value !== null)
      unusable += page.length - values.length
      rotated[kind.name]! += await store.replace(kind.name, values)
    }
  }
  const isFinished = await store.retireOthers(version)
  return { rotated, unusable, ...(await store.countOutdated(version)), isFinished }
}

function reseal(keyring: Keyring, { context, digest }: SealedKind, from: SealedValue): ResealedValue | null {
  try {
    const plaintext = keyring.open(context(from.id), from)
    return { from, to: keyring.seal(context(from.id), plaintext), digest: digest?.(plaintext) ?? null }
  } catch (error) {
    if (error instanceof SealUnusable) return null
    throw error
  }
}

export function createSecretStore(engine: Engine): SecretStore {
  return {
    secretVersions: () => engine.read(readSecretVersions),
    addSecretVersion: ({ keyVersion, checkValue }, at) =>
      engine.write(async (tx) => {
        await tx.run(
          `INSERT INTO secret_versions (key_version, check_value, first_used_at) VALUES ($1, $2, $3)
          ON CONFLICT (key_version) DO NOTHING`,
          [keyVersion, checkValue, at],
        )
      }),
  }
}

export const readSecretVersions = (tx: Reader): Promise<SecretVersion[]> =>
  tx.all<SecretVersion>('SELECT key_version AS "keyVersion", check_value AS "checkValue" FROM secret_versions')

interface SealedColumns {
  readonly table: string
  readonly id: string
  readonly sealed: string
  readonly keyVersion: string
  readonly digest: string | null
}

/** Where sealed values are. The names are those of `SealedKind`. */
const columnsOf: Readonly<Record<string, SealedColumns>> = {
  phones: {
    table: 'identities',
    id: 'account_id',
    sealed: 'phone_sealed',
    keyVersion: 'phone_key_version',
    digest: 'phone_digest',
  },
  recoveryEmails: {
    table: 'accounts',
    id: 'account_id',
    sealed: 'recovery_email_sealed',
    keyVersion: 'recovery_email_key_version',
    digest: 'recovery_email_digest',
  },
  operatorCodes: {
    table: 'operators',
    id: 'name',
    sealed: 'totp_sealed',
    keyVersion: 'totp_key_version',
    digest: null,
  },
  oneTimeCodes: {
    table: 'totp_factors',
    id: 'account_id',
    sealed: 'sealed',
    keyVersion: 'key_version',
    digest: null,
  },
  webhookSecrets: { table: 'webhooks', id: 'webhook_id', sealed: 'sealed', keyVersion: 'key_version', digest: null },
  paymentCallbacks: {
    table: 'payment_inbox',
    id: 'inbox_id',
    sealed: 'sealed',
    keyVersion: 'key_version',
    digest: null,
  },
  callContents: {
    table: 'charge_contents',
    id: 'charge_id',
    sealed: 'sealed',
    keyVersion: 'key_version',
    digest: null,
  },
  signingKeys: { table: 'signing_keys', id: 'key_id', sealed: 'sealed', keyVersion: 'key_version', digest: null },
  messages: { table: 'messages', id: 'message_id', sealed: 'sealed', keyVersion: 'key_version', digest: null },
}

export function createSealedStore(engine: Engine): SealedStore {
  return {
    outdated: (kind, version, after, limit) => {
      const { table, id, sealed, keyVersion } = columnsOf[kind]!
      return engine.read((tx) =>
        tx.all<SealedValue>(
          `SELECT ${id} AS id, ${sealed} AS sealed, ${keyVersion} AS "keyVersion" FROM ${table}
          WHERE ${id} > $1 AND ${sealed} IS NOT NULL AND ${keyVersion} <> $2 ORDER BY ${id} LIMIT $3`,
          [after, version, limit],
        ),
      )
    },
    replace: (kind, values) =>
      engine.write(async (tx) => {
        const { table, id, sealed, keyVersion, digest } = columnsOf[kind]!
        let replaced = 0
        for (const { from, to, digest: newDigest } of values) {
          replaced += await tx.run(
            `UPDATE ${table} SET ${sealed} = $3, ${keyVersion} = $4${digest ? `, ${digest} = $5` : ''}
            WHERE ${id} = $1 AND ${sealed} = $2`,
            [from.id, from.sealed, to.sealed, to.keyVersion, ...(digest ? [newDigest] : [])],
          )
        }
        return replaced
      }),
    countOutdated: (version) => engine.read((tx) => countOutdated(tx, version)),
    retireOthers: (version) =>
      engine.write(async (tx) => {
        const { outdated, unsealed } = await countOutdated(tx, version)
        if (outdated + unsealed > 0) return false
        await tx.run('DELETE FROM secret_versions WHERE key_version <> $1', [version])
        return true
      }),
  }
}

async function countOutdated(tx: Reader, version: string): Promise<OutdatedCounts> {
  let outdated = 0
  let unsealed = 0
  for (const { table, sealed, keyVersion } of Object.values(columnsOf)) {
    const row = await tx.get<OutdatedCounts>(
      `SELECT count(CASE WHEN ${sealed} IS NOT NULL AND ${keyVersion} <> $1 THEN 1 END) AS outdated,
        count(CASE WHEN ${sealed} IS NULL THEN 1 END) AS unsealed FROM ${table}`,
      [version],
    )
    outdated += row!.outdated
    unsealed += row!.unsealed
  }
  return { outdated, unsealed }
}

/** The configured secrets, or the one in the data directory, which is created unless the store has accounts already. */
export async function openKeyring(
  { secret, secretPrevious, dataDir }: SecretSettings,
  { hasAccounts, secrets }: SecretStores,
  clock: () => number,
): Promise<Keyring> {
  const keyring = createKeyring(secret ?? (await loadOrCreateSecret({ dataDir, hasAccounts })), secretPrevious)
  await checkSecret(secrets, keyring, clock)
  return keyring
}

/** The same for the command line, which never creates a secret. */
export async function readKeyring({ secret, secretPrevious, dataDir }: SecretSettings): Promise<Keyring> {
  return createKeyring(secret ?? (await loadSecret(dataDir)), secretPrevious)
}

interface SecretStores {
  readonly hasAccounts: () => Promise<boolean>
  readonly secrets: SecretStore
}

type SecretSettings = Pick<Config, 'secret' | 'secretPrevious' | 'dataDir'>
