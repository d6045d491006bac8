import { readFileSync } from 'node:fs'
import type { Migration } from './migration.ts'

/** The baseline schema, then every change since, in order. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'baseline',
    statements: (engine) => statementsIn(readFileSync(new URL(`schema.${engine}.sql`, import.meta.url), 'utf8')),
  },
]

/** A semicolon and a blank line end a statement, because functions contain semicolons. */
const statementsIn = (sql: string): string[] =>
  sql
    .split(/;\n(?:\n|$)/)
    .map((statement) => statement.replace(/^--.*\n?/gm, '').trim())
    .filter((statement) => statement !== '')
