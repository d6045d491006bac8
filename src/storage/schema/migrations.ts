import { readFileSync } from 'node:fs'
import type { Migration } from './migration.ts'

/** Every step of the schema, in order: the whole schema of a new store, then what changed since. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'baseline',
    statements: (engine) => statementsIn(readFileSync(new URL(`schema.${engine}.sql`, import.meta.url), 'utf8')),
  },
]

/** A statement ends with a semicolon and a blank line; functions have semicolons inside. */
const statementsIn = (sql: string): string[] =>
  sql
    .split(/;\n(?:\n|$)/)
    .map((statement) => statement.replace(/^--.*\n?/gm, '').trim())
    .filter((statement) => statement !== '')
