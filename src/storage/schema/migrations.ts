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
  step(
    2,
    'leaf-runs',
    `
-- Leaves that are consecutive entries of a project. \`salts\` has 24 characters for each. Own texts, and the entries of 0.2.0, are in
-- \`transparency_leaves\`.
CREATE TABLE transparency_runs (
  log_number BIGINT NOT NULL REFERENCES transparency_logs (log_number),
  first_index BIGINT NOT NULL CHECK (first_index >= 0),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  from_seq BIGINT NOT NULL CHECK (from_seq > 0),
  to_seq BIGINT NOT NULL,
  salts TEXT NOT NULL,
  PRIMARY KEY (log_number, first_index),
  CHECK (to_seq >= from_seq AND to_seq - from_seq < 256 AND length(salts) = 24 * (to_seq - from_seq + 1))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX transparency_runs_by_entry ON transparency_runs (log_number, project_id, from_seq);
`,
    { compatibleFrom: 1 },
  ),
  step(
    3,
    'checkpoint-keepers',
    `
-- Data directories that keep a checkpoint, and the database server on which each last compared it with the store.
CREATE TABLE transparency_keepers (
  keeper_id TEXT NOT NULL PRIMARY KEY,
  host TEXT NOT NULL,
  server TEXT NOT NULL,
  seen_at BIGINT NOT NULL
) STRICT, WITHOUT ROWID;

-- Published checkpoints that the log of that number contradicts.
CREATE TABLE transparency_contradictions (
  log_number BIGINT NOT NULL CHECK (log_number > 0),
  checkpoint TEXT NOT NULL,
  PRIMARY KEY (log_number, checkpoint)
) STRICT, WITHOUT ROWID;
`,
    { compatibleFrom: 1 },
  ),
  step(
    4,
    'refused-calls',
    `
-- Calls that were refused without a charge: the newest of each key, for a day.
CREATE TABLE refused_calls (
  project_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  code TEXT NOT NULL,
  PRIMARY KEY (project_id, key_id, request_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX refused_calls_by_request ON refused_calls (request_id);

-- How many calls of a key were refused in an hour. Instances add to the same row.
CREATE TABLE refusal_counts (
  project_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  hour BIGINT NOT NULL,
  code TEXT NOT NULL,
  calls BIGINT NOT NULL CHECK (calls > 0),
  PRIMARY KEY (project_id, key_id, hour, code)
) STRICT, WITHOUT ROWID;

CREATE INDEX refusal_counts_by_hour ON refusal_counts (hour);
`,
    { compatibleFrom: 1 },
  ),
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
