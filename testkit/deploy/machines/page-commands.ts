import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface PrintedBlock {
  /** The machine that its fence names: `sh a`; `sh postgres` is for a shell of that user. */
  readonly on: 'a' | 'b' | 'c' | 'both' | 'all' | 'postgres' | 'client' | 'build'
  readonly text: string
}

/** The command blocks of a page, by the heading above them. */
export function printedBlocks(name: 'two-machines' | 'patroni'): ReadonlyMap<string, readonly PrintedBlock[]> {
  const page = readFileSync(resolve(import.meta.dirname, `../../../docs/${name}.md`), 'utf8')
  const parts = page.split(/^## (.*)$/m).slice(1)
  const headings = parts.filter((_, index) => index % 2 === 0)
  return new Map(headings.map((heading, index) => [heading, blocksOf(parts[index * 2 + 1]!)]))
}

const blocksOf = (text: string): PrintedBlock[] =>
  [...text.matchAll(/^```sh (a|b|c|both|all|postgres|client|build)\n([\s\S]*?)^```$/gm)].map(([, on, commands]) => ({
    on: on as PrintedBlock['on'],
    text: commands!,
  }))

/** Commands within the texts of the operations pages that `two-machines.test.ts` runs on its machines. */
export const inlineOnMachines = {
  backupStatus: 'systemctl status gateway-backup',
  gatewayLog: 'journalctl --unit=gateway --output=cat',
  stopDatabase: 'systemctl stop postgresql@15-main',
  startDatabase: 'systemctl start postgresql@15-main',
  awaitNoStandby: "ALTER SYSTEM SET synchronous_standby_names = ''",
  reload: 'SELECT pg_reload_conf()',
  allowWrites: 'ALTER ROLE gateway IN DATABASE gateway RESET default_transaction_read_only',
  dump: 'pg_dump --format=custom',
} as const
