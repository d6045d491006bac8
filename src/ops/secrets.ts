import { createKeyring, type Keyring, type Sealed, SealUnusable } from '../base/keyring.ts'
import { loadOrCreateSecret, loadSecret, SecretUnusable } from '../base/secret-file.ts'
import type { Config } from '../config/config.ts'
import type { Engine, Reader, Writer } from '../storage/engine.ts'

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
 * a phone could register twice: neither instance would find what the other wrote.
 */
export function requireKnownSecrets(known: readonly SecretVersion[], keyring: Keyring): void {
  const isCurrentKnown = known.some(({ keyVersion }) => keyVersion === keyring.current.version)
  if (isCurrentKnown && known.every((version) => isConfigured(version, keyring))) return
  throw new Error('the secret was rotated: restart this instance with the same GATEWAY_SECRET as the others')
}

/** One kind of sealed value, such as phones, and the columns that it is in. */
export interface SealedKind {
  readonly name: string
  readonly table: string
  readonly id: string
  /** By default `sealed` and `key_version`. */
  readonly sealed?: string
  readonly keyVersion?: string
  readonly context: (id: string) => string
  /** The digest that the value is found by; none if it is found by its id. */
  readonly digest?: { readonly column: string; readonly of: (plaintext: string) => string }
}

interface SealedValue extends Sealed {
  readonly id: string
}

interface ResealedValue {
  readonly from: SealedValue
  readonly to: Sealed
  readonly digest: string | null
}

export interface OutdatedCounts {
  readonly outdated: number
  /** Older than sealed copies: only their owner's next sign-in can renew them. */
  readonly unsealed: number
}

export interface Rotation extends OutdatedCounts {
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
export async function rotateSecret(engine: Engine, keyring: Keyring, kinds: readonly SealedKind[]): Promise<Rotation> {
  const { version } = keyring.current
  const rotated: Record<string, number> = {}
  let unusable = 0
  for (const kind of kinds) {
    rotated[kind.name] = 0
    for (let after = ''; ; ) {
      const page = await engine.read((tx) => outdated(tx, kind, version, after))
      if (page.length === 0) break
      after = page.at(-1)!.id
      const values = page.map((value) => reseal(keyring, kind, value)).filter((value) => value !== null)
      unusable += page.length - values.length
      rotated[kind.name]! += await engine.write((tx) => replace(tx, kind, values))
    }
  }
  const isFinished = await retireOthers(engine, version, kinds)
  return { rotated, unusable, ...(await countOutdated(engine, version, kinds)), isFinished }
}

function reseal(keyring: Keyring, { context, digest }: SealedKind, from: SealedValue): ResealedValue | null {
  try {
    const plaintext = keyring.open(context(from.id), from)
    return { from, to: keyring.seal(context(from.id), plaintext), digest: digest?.of(plaintext) ?? null }
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

/** Values sealed with another secret than `version`, in the order of their ids. */
function outdated(
  tx: Reader,
  { table, id, sealed = 'sealed', keyVersion = 'key_version' }: SealedKind,
  version: string,
  after: string,
): Promise<SealedValue[]> {
  return tx.all<SealedValue>(
    `SELECT ${id} AS id, ${sealed} AS sealed, ${keyVersion} AS "keyVersion" FROM ${table}
    WHERE ${id} > $1 AND ${sealed} IS NOT NULL AND ${keyVersion} <> $2 ORDER BY ${id} LIMIT $3`,
    [after, version, pageSize],
  )
}

/** A value that has changed since it was read stays as it is. Returns how many were replaced. */
async function replace(
  tx: Writer,
  { table, id, sealed = 'sealed', keyVersion = 'key_version', digest }: SealedKind,
  values: readonly ResealedValue[],
): Promise<number> {
  let replaced = 0
  for (const { from, to, digest: newDigest } of values) {
    replaced += await tx.run(
      `UPDATE ${table} SET ${sealed} = $3, ${keyVersion} = $4${digest ? `, ${digest.column} = $5` : ''}
      WHERE ${id} = $1 AND ${sealed} = $2`,
      [from.id, from.sealed, to.sealed, to.keyVersion, ...(digest ? [newDigest] : [])],
    )
  }
  return replaced
}

/** Forgets all secrets but this one, unless a value still needs another. Returns whether it is the only one now. */
const retireOthers = (engine: Engine, version: string, kinds: readonly SealedKind[]): Promise<boolean> =>
  engine.write(async (tx) => {
    const { outdated, unsealed } = await countIn(tx, version, kinds)
    if (outdated + unsealed > 0) return false
    await tx.run('DELETE FROM secret_versions WHERE key_version <> $1', [version])
    return true
  })

/** How many values use another secret than `version`, and how many contacts have no sealed copy. */
export const countOutdated = (
  engine: Pick<Engine, 'read'>,
  version: string,
  kinds: readonly SealedKind[],
): Promise<OutdatedCounts> => engine.read((tx) => countIn(tx, version, kinds))

async function countIn(tx: Reader, version: string, kinds: readonly SealedKind[]): Promise<OutdatedCounts> {
  let outdated = 0
  let unsealed = 0
  for (const { table, sealed = 'sealed', keyVersion = 'key_version' } of kinds) {
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
