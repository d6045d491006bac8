import { readFileSync } from 'node:fs'
import type { Migration } from './migration.ts'

/** From this step on, instances and migrations record what they are compatible with. */
export const recordsVersions = 'instance-versions'

/** From this step on, old charges can be archived. */
export const archivesMigration = 'archives'

/** The baseline schema, then every change since, in order. */
export const migrations: readonly Migration[] = [
  fromFiles(1, 'baseline', 'schema'),
  fromFiles(2, 'account-recovery', '0002-account-recovery'),
  fromFiles(3, 'operators', '0003-operators'),
  fromFiles(4, 'media-jobs', '0004-media-jobs'),
  fromFiles(5, 'key-budgets', '0005-key-budgets'),
  fromFiles(6, 'events', '0006-events'),
  fromFiles(7, 'webhooks', '0007-webhooks'),
  fromFiles(8, 'alerts', '0008-alerts'),
  fromFiles(9, recordsVersions, '0009-instance-versions', { compatibleFrom: 8, isRequired: false }),
  // An older program serves a store with a shortened ledger; only its own reconcile takes the start of it for a gap.
  fromFiles(10, archivesMigration, '0010-archives', { compatibleFrom: 9, isRequired: false }),
]

/** A step that says nothing else breaks older programs, and this program does not serve without it. */
function fromFiles(
  version: number,
  name: string,
  /** One file per engine: `<file>.sqlite.sql` and `<file>.postgres.sql`. */
  file: string,
  { compatibleFrom = version, isRequired = true }: Partial<Pick<Migration, 'compatibleFrom' | 'isRequired'>> = {},
): Migration {
  const read = (engine: string) => readFileSync(new URL(`${file}.${engine}.sql`, import.meta.url), 'utf8')
  return { version, name, compatibleFrom, isRequired, statements: (engine) => statementsIn(read(engine)) }
}

/** A semicolon and a blank line end a statement, because functions contain semicolons. */
function statementsIn(sql: string): string[] {
  return sql
    .split(/;\n(?:\n|$)/)
    .map((statement) => statement.replace(/^--.*\n?/gm, '').trim())
    .filter((statement) => statement !== '')
}
