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
  step(3, 'pending-deliveries', pendingDeliveries(), { compatibleFrom: 1 }),
  step(4, 'payments', fromFiles('payments'), { compatibleFrom: 1 }),
]

/**
 * Answers to an OpenAI client that are still to be delivered: written with the reservation, removed once the answer was written
 * out. A client that lost its connection repeats the call, and finds its first attempt here.
 */
function pendingDeliveries(): Migration['statements'] {
  const table = inline(
    ({ text, bigint, tableOptions }) => `
CREATE TABLE pending_deliveries (
  charge_id ${text} NOT NULL PRIMARY KEY,
  key_id ${text} NOT NULL,
  fingerprint ${text} NOT NULL,
  request_id ${text} NOT NULL,
  instance_id ${text} NOT NULL,
  is_lost ${bigint} NOT NULL CHECK (is_lost IN (0, 1))
) ${tableOptions};

CREATE INDEX pending_deliveries_by_call ON pending_deliveries (key_id, fingerprint);
`,
  )
  const rowType =
    'CREATE TYPE pending_delivery_row AS (charge_id text, key_id text, fingerprint text, request_id text, instance_id text, is_lost int)'
  return (engine) => [...table(engine), ...(engine === 'postgres' ? [rowType] : [])]
}

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
