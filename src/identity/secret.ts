import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface KeptSecretOptions {
  readonly dataDir: string
  /** Whether the store has accounts, whose digests only the secret they were made with can match. */
  readonly hasAccounts: () => Promise<boolean>
}

/** The secret that a local gateway makes for itself, once: another one would make every stored digest useless. */
export async function keptSecret({ dataDir, hasAccounts }: KeptSecretOptions): Promise<string> {
  const file = join(dataDir, 'secret')
  const kept = await readSecret(file)
  if (kept !== null && isWhole(kept)) return kept
  if (await hasAccounts()) {
    const fault = kept === null ? 'is missing' : 'is damaged'
    throw new SecretUnusable(`${file} ${fault}, and the accounts in the store need it: restore it from a backup`)
  }
  if (kept !== null) throw new SecretUnusable(`${file} is damaged: restore it from a backup, or remove it`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await createDurably(file, randomBytes(32).toString('base64url'))
  return (await readSecret(file)) ?? ''
}

export class SecretUnusable extends Error {
  override readonly name = 'SecretUnusable'
}

const minLength = 32

/** A power cut can leave an empty file, a part of one, or zeros. */
const isWhole = (secret: string) => secret.length >= minLength && !/\p{Cc}/u.test(secret)

async function readSecret(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new SecretUnusable(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** On disk, contents and name, before anything depends on it. Whoever is first wins, also between two processes. */
async function createDurably(file: string, text: string): Promise<void> {
  const partial = `${file}.${randomBytes(8).toString('hex')}`
  await writeSynced(partial, text)
  try {
    // Unlike a rename, a link never replaces the secret of another process that was faster.
    await link(partial, file)
  } catch (error) {
    // Some file systems have no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
  await syncDirectory(dirname(file))
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows neither opens directories nor needs it.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
