import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { now } from '../../../src/base/clock.ts'
import { createKeyring } from '../../../src/base/keyring.ts'
import { type Config, loadConfig } from '../../../src/config/config.ts'
import { openStore } from '../../../src/storage/open-store.ts'
import { silentLogger } from '../silent-logger.ts'

export const storeName = 'gateway.sqlite'
export const logName = `${storeName}-wal`
const secret = 'the secret of the simulation, 32 bytes or more'
export const keyring = createKeyring(secret)

/** In memory where possible: what reaches the disk is decided here, not by the machine. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
export const newFolder = (): string => mkdtempSync(join(parent, 'gateway-disk-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** The environment of a gateway on a data directory, and its settings in a file next to it. */
export function environmentOf(dataDir: string): Record<string, string> {
  const file = `${dataDir}.json`
  const settings = { server: { drainMs: 500, drainDelayMs: 0 }, charges: { resultDays: 30, retentionDays } }
  writeFileSync(file, JSON.stringify(settings))
  return {
    GATEWAY_ORIGIN: 'http://localhost:8787',
    GATEWAY_LISTEN: '127.0.0.1:0',
    GATEWAY_OPERATOR_LISTEN: 'off',
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_SECRET: secret,
    GATEWAY_CONFIG: file,
  }
}

export const retentionDays = 35

export const configOf = (dataDir: string): Config => loadConfig(environmentOf(dataDir))

/** A store with its schema and nothing else: every recording begins with a copy of it. */
export async function newStore(): Promise<Buffer> {
  const dataDir = newFolder()
  try {
    const options = { databaseUrl: undefined, dataDir, exclusive: true, clock: now, logger: silentLogger }
    await (await openStore(options)).close()
    return readFileSync(join(dataDir, storeName))
  } finally {
    removeFolder(dataDir)
  }
}

export type Files = ReadonlyMap<string, Buffer>

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of files) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { mode: 0o600 })
  }
}
