import { readFileSync } from 'node:fs'

export type EngineKind = 'sqlite' | 'postgres'

/** One step of the schema. Released migrations never change. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** Programs that know this version or a newer one can serve the store after this step; older ones must be gone before it. */
  readonly compatibleFrom: number
  /** False if this program can also serve a store that does not have the step yet. */
  readonly isRequired: boolean
  readonly statements: (engine: EngineKind) => readonly string[]
}

/** The baseline schema, then every change since, in order. */
export const migrations: readonly Migration[] = [
  step(1, 'gateway-0.2', fromFiles('schema')),
  step(
    2,
    'keys-show-balance',
    inline(
      () => `ALTER TABLE api_keys ADD COLUMN shows_balance INTEGER NOT NULL DEFAULT 1 CHECK (shows_balance IN (0, 1));`,
    ),
    { compatibleFrom: 1 },
  ),
]

/** A step that says nothing else breaks older programs, and this program does not serve without it. */
function step(
  version: number,
  name: string,
  statements: Migration['statements'],
  { compatibleFrom = version, isRequired = true }: Partial<Pick<Migration, 'compatibleFrom' | 'isRequired'>> = {},
): Migration {
  return { version, name, compatibleFrom, isRequired, statements }
}

/** One file per engine: `<file>.sqlite.sql` and `<file>.postgres.sql`. */
function fromFiles(file: string): Migration['statements'] {
  return (engine) => statementsIn(readFileSync(new URL(`${file}.${engine}.sql`, import.meta.url), 'utf8'))
}

/** What the engines call the same thing. Texts compare by their bytes on both. */
const dialects = {
  sqlite: { text: 'TEXT', bigint: 'INTEGER', tableOptions: 'STRICT, WITHOUT ROWID' },
  postgres: { text: 'TEXT COLLATE "C"', bigint: 'BIGINT', tableOptions: '' },
} as const

/** The same SQL for both engines, but for these words. */
export function inline(sql: (words: (typeof dialects)[EngineKind]) => string): Migration['statements'] {
  return (engine) => statementsIn(`${sql(dialects[engine])}\n`)
}

/** A semicolon and a blank line end a statement, because functions contain semicolons. */
function statementsIn(sql: string): string[] {
  return sql
    .split(/;\n(?:\n|$)/)
    .map((statement) => statement.replace(/^--.*\n?/gm, '').trim())
    .filter((statement) => statement !== '')
}
