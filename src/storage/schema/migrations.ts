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
export const migrations: readonly Migration[] = [fromFiles(1, 'gateway-0.2', 'schema')]

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
