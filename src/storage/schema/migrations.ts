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
  step(
    5,
    'uncredited-payments',
    `
-- Money that a provider received and that is not credited: of a payment in review, or once more for an order that was paid. An
-- operator ends it, by crediting or by refunding it. \`returned_fen\` was paid back there by hand, null if the provider does not say how much.
-- \`next_query_at\` is when the outcome is carried out next; \`claimed_by\` does it now.
CREATE TABLE uncredited_payments (
  uncredited_id TEXT NOT NULL PRIMARY KEY,
  payment_id TEXT NOT NULL REFERENCES payments (payment_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  transaction_id TEXT NOT NULL,
  amount_fen BIGINT NOT NULL CHECK (amount_fen >= 0),
  currency TEXT NOT NULL,
  returned_fen BIGINT,
  paid_at BIGINT NOT NULL,
  found_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'crediting', 'credited', 'refunding', 'refunded', 'review')),
  note TEXT,
  decided_by TEXT,
  decided_at BIGINT,
  reason TEXT,
  refund_id TEXT UNIQUE,
  provider_refund_id TEXT,
  ended_at BIGINT,
  failures BIGINT NOT NULL CHECK (failures >= 0),
  next_query_at BIGINT,
  claimed_by TEXT
) STRICT;

CREATE UNIQUE INDEX uncredited_payments_by_transaction ON uncredited_payments (payment_id, transaction_id);

CREATE INDEX uncredited_payments_by_project ON uncredited_payments (project_id, payment_id);

CREATE INDEX uncredited_payments_by_next_query ON uncredited_payments (next_query_at) WHERE next_query_at IS NOT NULL;

CREATE INDEX uncredited_payments_by_decision ON uncredited_payments (decided_at) WHERE decided_at IS NOT NULL;

-- @postgres
ALTER TABLE approvals DROP CONSTRAINT approvals_subject_check;

-- @postgres
ALTER TABLE approvals ADD CONSTRAINT approvals_subject_check
  CHECK (subject IN ('movement', 'refund', 'refund_decision', 'payment_end'));

-- SQLite cannot change a CHECK: the rows are put back into a new table, which resolves the deferred references.
-- @sqlite
PRAGMA defer_foreign_keys = ON;

-- @sqlite
CREATE TABLE approvals_copy AS SELECT * FROM approvals;

-- @sqlite
DROP TABLE approvals;

-- @sqlite
CREATE TABLE approvals (
  approval_id TEXT NOT NULL PRIMARY KEY,
  subject TEXT NOT NULL CHECK (subject IN ('movement', 'refund', 'refund_decision', 'payment_end')),
  subject_id TEXT,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  requested_by TEXT NOT NULL,
  requested_via TEXT NOT NULL CHECK (requested_via IN ('web', 'command line')),
  requested_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
  decided_by TEXT,
  decided_at BIGINT,
  CHECK ((subject = 'movement') = (subject_id IS NULL)),
  CHECK ((state = 'pending') = (decided_at IS NULL)),
  CHECK ((state = 'pending') = (decided_by IS NULL))
) STRICT;

-- @sqlite
INSERT INTO approvals SELECT * FROM approvals_copy;

-- @sqlite
DROP TABLE approvals_copy;

-- @sqlite
CREATE UNIQUE INDEX approvals_by_reference ON approvals (project_id, kind, reference) WHERE state <> 'rejected';

-- @sqlite
CREATE INDEX approvals_by_state ON approvals (state, approval_id);

-- @sqlite
CREATE INDEX approvals_by_subject ON approvals (subject, subject_id) WHERE subject_id IS NOT NULL;

-- @sqlite
CREATE INDEX approvals_by_reference_key ON approvals (kind, reference_key) WHERE state = 'pending';
`,
    { compatibleFrom: 1 },
  ),
  step(
    6,
    'status',
    `
-- Calls of all instances, for the public status page, in spans of five minutes, an hour and a day. \`latency_ms\` is the longest that
-- these calls took; 0 for calls that failed.
CREATE TABLE operation_calls (
  span_ms BIGINT NOT NULL,
  starts_at BIGINT NOT NULL,
  operation TEXT NOT NULL,
  latency_ms BIGINT NOT NULL CHECK (latency_ms >= 0),
  calls BIGINT NOT NULL CHECK (calls > 0),
  PRIMARY KEY (span_ms, starts_at, operation, latency_ms)
) STRICT, WITHOUT ROWID;

-- Outages and maintenance that operators tell the public about. \`ends_at\` is null while the end is unknown.
CREATE TABLE incidents (
  incident_id TEXT NOT NULL PRIMARY KEY,
  zh TEXT NOT NULL,
  en TEXT NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT,
  added_by TEXT NOT NULL,
  CHECK (ends_at >= starts_at)
) STRICT;

CREATE INDEX incidents_by_time ON incidents (starts_at, incident_id);

CREATE INDEX incidents_open ON incidents (starts_at) WHERE ends_at IS NULL;
`,
    { compatibleFrom: 1 },
  ),
  step(
    7,
    'open-refunds',
    `
-- @postgres
-- Charges in progress, found without an extra index: follows each project's ledger back until all its reserved credits are
-- accounted for, which is at its oldest call in progress. Without the credits of open refunds it went back to the first entry.
CREATE OR REPLACE VIEW reserved_charges AS
SELECT b.project_id, c.charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM balances b
  CROSS JOIN LATERAL (
    WITH RECURSIVE back AS (
      SELECT b.last_entry_id AS entry_id, NULL::text COLLATE "C" AS charge_id, b.reserved - (
        SELECT COALESCE(SUM(r.credits), 0)::bigint FROM reviewable_charges r WHERE r.project_id = b.project_id
      ) - (
        SELECT COALESCE(SUM(f.credits), 0)::bigint FROM payment_refunds f
        WHERE f.project_id = b.project_id AND f.hold_entry_id IS NOT NULL AND f.end_entry_id IS NULL
      ) AS missing
      UNION ALL
      SELECT e.previous_id, c.charge_id, back.missing - COALESCE(c.credits, 0)
      FROM back
        JOIN ledger_entries e ON e.entry_id = back.entry_id
        LEFT JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = e.charge_id LIMIT 1) c ON e.kind = 'reserve' AND c.state = 'reserved'
      WHERE back.missing > 0
    ) SELECT charge_id FROM back WHERE charge_id IS NOT NULL
  ) found
  CROSS JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = found.charge_id LIMIT 1) c
WHERE b.reserved > 0;
`,
    { compatibleFrom: 1, isRequired: false },
  ),
  step(
    8,
    'uncredited-credit',
    `
-- @postgres
CREATE TYPE uncredited_credit_row_v1 AS (
  payment_id TEXT, transaction_id TEXT, state TEXT, ended_at BIGINT, next_query_at BIGINT, claimed_by TEXT
);
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
