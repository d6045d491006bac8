import type { OpenedEngine } from './open-store.ts'

/** How a copy of the store is made while it is in use: by this program, or by the database's own. */
export type Backup = { readonly copyTo: (file: string) => Promise<void> } | { readonly instead: string }

export const backupOf = (engine: OpenedEngine): Backup =>
  engine.kind === 'sqlite'
    ? { copyTo: (file) => engine.backup(file) }
    : {
        instead: 'PostgreSQL makes its own backups: run pg_dump --format=custom --file=FILE with the same DATABASE_URL',
      }
