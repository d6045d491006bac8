import { readFileSync } from 'node:fs'
import { type EngineKind, statementsFor } from './sql-dialects.ts'

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

/** The schema of 0.2.0, which never changes, then every change since, in order. */
export const migrations: readonly Migration[] = [
  {
    ...step(1, 'gateway-0.2.0', ''),
    statements: (engine) => [
      ...statementsFor(engine, read('schema.sql')),
      ...(engine === 'postgres' ? statementsFor(engine, read('schema.postgres.sql')) : []),
    ],
  },
]

/**
 * One step, in the SQL of `statementsFor`. Unless it says otherwise, it breaks older programs, and this program does not serve
 * without it.
 */
export function step(
  version: number,
  name: string,
  sql: string,
  { compatibleFrom = version, isRequired = true }: Partial<Pick<Migration, 'compatibleFrom' | 'isRequired'>> = {},
): Migration {
  return { version, name, compatibleFrom, isRequired, statements: (engine) => statementsFor(engine, sql) }
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}
