import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Backup } from '../storage/open-store.ts'
import { Misuse, type Terminal } from './terminal.ts'

export interface BackupDeps {
  readonly withBackup: <T>(work: (backup: Backup) => Promise<T>) => Promise<T>
  readonly terminal: Terminal
}

export function addBackup(program: Command, { withBackup, terminal }: BackupDeps): void {
  program
    .command('backup <file>')
    .description('copy the embedded store into a new file while it is in use')
    .option('--json', 'print JSON')
    .action(async (path: string, { json }: { json?: true }) => {
      const file = resolve(path)
      if (existsSync(file)) throw new Misuse(`${file} already exists; a backup never overwrites a file`)
      if (!existsSync(dirname(file))) throw new Misuse(`the directory ${dirname(file)} does not exist`)
      await withBackup(async (backup) => {
        if ('instead' in backup) throw new Misuse(backup.instead)
        await backup.copyTo(file)
      })
      const { size: bytes } = await stat(file)
      if (json) return terminal.printJson({ file, bytes })
      await terminal.print(
        `${file} now holds a copy of the store (${bytes} bytes). Keep a copy of the secret with it.\n`,
      )
    })
}
