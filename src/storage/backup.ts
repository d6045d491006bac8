import type { OpenedEngine } from './open-store.ts'

/** How to back up the store while it is in use: `copyTo`, or the tool that `instead` names. */
export type Backup = { readonly copyTo: (file: string) => Promise<void> } | { readonly instead: string }

export const backupOf = (engine: OpenedEngine): Backup =>
  engine.kind === 'sqlite'
    ? { copyTo: (file) => engine.backup(file) }
    : {
        instead: 'PostgreSQL makes its own backups: run pg_dump --format=custom --file=FILE with the same DATABASE_URL',
      }
