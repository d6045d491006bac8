import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomBytes } from './randomness.ts'
import { syncDirectory } from './sync-directory.ts'

export interface SecretOptions {
  readonly dataDir: string
  /** Whether the store has accounts: their digests match only with the secret that made them. */
  readonly hasAccounts: () => Promise<boolean>
}

/** The secret of a local gateway, created at its first start. A new one would make every stored digest useless. */
export async function loadOrCreateSecret({ dataDir, hasAccounts }: SecretOptions): Promise<string> {
  const file = fileIn(dataDir)
  const stored = await readSecret(file)
  if (stored !== null && isIntact(stored)) return stored
  if (await hasAccounts()) {
    const fault = stored === null ? 'is missing' : 'is damaged'
    throw new SecretUnusable(`${file} ${fault}, and the accounts in the store need it: restore it from a backup`)
  }
  if (stored !== null) throw new SecretUnusable(`${file} is damaged: restore it from a backup, or remove it`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await createDurably(file, randomBytes(32).toString('base64url'))
  return (await readSecret(file)) ?? ''
}

/** The secret of a local gateway; throws if there is none. For programs that must not create one. */
export async function loadSecret(dataDir: string): Promise<string> {
  const file = fileIn(dataDir)
  const stored = await readSecret(file)
  if (stored === null) throw new SecretMissing(`${file} is missing: start the gateway once, or set GATEWAY_SECRET`)
  if (!isIntact(stored)) throw new SecretUnusable(`${file} is damaged: restore it from a backup`)
  return stored
}

const fileIn = (dataDir: string) => join(dataDir, 'secret')

export class SecretUnusable extends Error {
  override readonly name: string = 'SecretUnusable'
}

export class SecretMissing extends SecretUnusable {
  override readonly name = 'SecretMissing'
}

const minLength = 32

/** A power cut can leave an empty or partial file, or zeros. */
const isIntact = (secret: string) => secret.length >= minLength && !/\p{Cc}/u.test(secret)

async function readSecret(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new SecretUnusable(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Syncs the file and its directory before anything depends on it. Of two processes the first one wins. */
export async function createDurably(file: string, text: string): Promise<void> {
  const partial = `${file}.${randomBytes(8).toString('hex')}`
  await writeSynced(partial, text)
  try {
    // Unlike a rename, a link never replaces a secret that another process created first.
    await link(partial, file)
  } catch (error) {
    // Some file systems have no hard links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  await syncDirectory(dirname(file))
}

/** Creates a private file and syncs it. */
export async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
