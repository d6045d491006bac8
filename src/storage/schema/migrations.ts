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
  step(5, 'receipts', receipts(), { compatibleFrom: 1 }),
  step(
    6,
    'orders-sessions-events',
    inline(
      ({ text, bigint }) => `
ALTER TABLE orders ADD COLUMN cancelled_at ${bigint};

ALTER TABLE sessions ADD COLUMN browser ${text};

ALTER TABLE sessions ADD COLUMN network ${text};

CREATE INDEX events_by_type ON events (project_id, type, seq);
`,
    ),
    { compatibleFrom: 1 },
  ),
  step(7, 'call-log', callLog(), { compatibleFrom: 1 }),
  step(
    8,
    'delivery-answers',
    inline(({ text }) => `ALTER TABLE webhook_deliveries ADD COLUMN answer_body ${text};`),
    { compatibleFrom: 1 },
  ),
  step(
    9,
    'witnesses',
    inline(({ text }) => `ALTER TABLE transparency_logs ADD COLUMN cosigned ${text};`),
    { compatibleFrom: 1 },
  ),
  step(10, 'second-factor', secondFactor(), { compatibleFrom: 1 }),
  step(11, 'passkeys', passkeys(), { compatibleFrom: 1 }),
  step(12, 'archived-receipts', fromFiles('archived-receipts'), { compatibleFrom: 1 }),
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

/**
 * The keys that sign receipts and checkpoints, and the tree of the ledger. `number` 0 is the key of the salts; the signing keys
 * count from 1. A leaf is a ledger entry, or a text of its own (`body`). A tile grows until it has 256 hashes; a log is never changed
 * but by appending to it. `refused` is the checkpoint that an instance kept and the log contradicts.
 */
function receipts(): Migration['statements'] {
  const tables = inline(
    ({ text, bigint, tableOptions }) => `
ALTER TABLE charges ADD COLUMN response_sha256 ${text};

CREATE TABLE signing_keys (
  key_id ${text} NOT NULL PRIMARY KEY,
  number ${bigint} NOT NULL UNIQUE CHECK (number >= 0),
  public_key ${text} NOT NULL,
  sealed ${text} NOT NULL,
  key_version ${text} NOT NULL,
  created_at ${bigint} NOT NULL,
  ends_at ${bigint}
) ${tableOptions};

CREATE TABLE transparency_logs (
  log_number ${bigint} NOT NULL PRIMARY KEY CHECK (log_number > 0),
  started_at ${bigint} NOT NULL,
  size ${bigint} NOT NULL CHECK (size >= 0),
  last_entry_id ${bigint} NOT NULL,
  checkpoint ${text},
  signed_at ${bigint} NOT NULL,
  audit_day ${bigint} NOT NULL,
  refused ${text},
  claimed_by ${text},
  claim_until ${bigint} NOT NULL
) ${tableOptions};

CREATE TABLE transparency_leaves (
  log_number ${bigint} NOT NULL REFERENCES transparency_logs (log_number),
  leaf_index ${bigint} NOT NULL CHECK (leaf_index >= 0),
  entry_id ${bigint},
  salt ${text} NOT NULL,
  body ${text},
  PRIMARY KEY (log_number, leaf_index),
  CHECK ((entry_id IS NULL) <> (body IS NULL))
) ${tableOptions};

CREATE UNIQUE INDEX transparency_leaves_by_entry ON transparency_leaves (entry_id, log_number) WHERE entry_id IS NOT NULL;

CREATE INDEX transparency_leaves_with_body ON transparency_leaves (log_number, leaf_index) WHERE body IS NOT NULL;

CREATE TABLE transparency_tiles (
  log_number ${bigint} NOT NULL REFERENCES transparency_logs (log_number),
  level ${bigint} NOT NULL CHECK (level >= 0),
  tile_index ${bigint} NOT NULL CHECK (tile_index >= 0),
  hashes ${text} NOT NULL,
  PRIMARY KEY (log_number, level, tile_index)
) ${tableOptions};

CREATE TABLE transparency_progress (
  log_number ${bigint} NOT NULL REFERENCES transparency_logs (log_number),
  project_id ${text} NOT NULL REFERENCES projects (project_id),
  entries ${bigint} NOT NULL CHECK (entries > 0),
  told_day ${bigint} NOT NULL,
  PRIMARY KEY (log_number, project_id)
) ${tableOptions};
`,
  )
  // A new type: gateways of the version before keep writing the old one.
  const rowType =
    'CREATE TYPE charge_outcome_row AS (charge_id text, state text, ended_at bigint, reason text, usage text, response_sha256 text)'
  return (engine) => [...tables(engine), ...(engine === 'postgres' ? [rowType] : [])]
}

/**
 * What a payer proves at a sign-in beyond the password. One-time codes count from `confirmed_at`, when their first code was right.
 * `factor_at` is when a session last proved a factor. A removal is due a day after a recovery code asked for it.
 */
function secondFactor(): Migration['statements'] {
  return inline(
    ({ text, bigint, tableOptions }) => `
ALTER TABLE sessions ADD COLUMN factor_at ${bigint};

CREATE TABLE totp_factors (
  account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (account_id),
  sealed ${text} NOT NULL,
  key_version ${text} NOT NULL,
  last_step ${bigint},
  created_at ${bigint} NOT NULL,
  confirmed_at ${bigint}
) ${tableOptions};

CREATE TABLE recovery_codes (
  account_id ${text} NOT NULL REFERENCES accounts (account_id),
  code_digest ${text} NOT NULL,
  used_at ${bigint},
  PRIMARY KEY (account_id, code_digest)
) ${tableOptions};

CREATE TABLE pending_sign_ins (
  token_digest ${text} NOT NULL PRIMARY KEY,
  account_id ${text} NOT NULL REFERENCES accounts (account_id),
  expires_at ${bigint} NOT NULL
) ${tableOptions};

CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account_id, expires_at);

CREATE TABLE factor_removals (
  account_id ${text} NOT NULL PRIMARY KEY REFERENCES accounts (account_id),
  due_at ${bigint} NOT NULL
) ${tableOptions};

CREATE INDEX factor_removals_by_time ON factor_removals (due_at);
`,
  )
}

/**
 * The model of a call, and for keys that ask for it what was sent and answered. Contents have no index by age: ids of charges sort by
 * time. The sealed text comes last, so that looking for old secrets reads no text.
 */
function callLog(): Migration['statements'] {
  const columns = inline(
    ({ text, bigint }) => `
ALTER TABLE charges ADD COLUMN model ${text};

ALTER TABLE api_keys ADD COLUMN logs_content ${bigint} NOT NULL DEFAULT 0 CHECK (logs_content IN (0, 1));

CREATE TABLE charge_contents (
  charge_id ${text} NOT NULL PRIMARY KEY,
  project_id ${text} NOT NULL,
  key_version ${text} NOT NULL,
  sealed ${text} NOT NULL
)`,
  )
  // New types: gateways of the version before keep writing the old ones.
  const rowTypes = [
    `CREATE TYPE new_charge_row AS (
      charge_id text, project_id text, key_id text, operation text, credits bigint, pricing_version text, state text,
      idempotency_digest text, fingerprint text, isolation_version int, leaves_process int, instance_id text,
      request_id text, reserved_at bigint, budget_id text, budget_period bigint, model text)`,
    'CREATE TYPE charge_content_row AS (charge_id text, project_id text, key_version text, sealed text)',
  ]
  // With a rowid on SQLite, because large rows make a tree without one deep.
  return (engine) => {
    const [model, logsContent, contents] = columns(engine) as [string, string, string]
    return engine === 'sqlite'
      ? [model, logsContent, `${contents} STRICT`]
      : [model, logsContent, contents, ...rowTypes]
  }
}

/** `sign_count` is the counter that the authenticator sent last, zero if it has none. A used challenge is kept until it expires. */
function passkeys(): Migration['statements'] {
  return inline(
    ({ text, bigint, tableOptions }) => `
CREATE TABLE passkeys (
  passkey_id ${text} NOT NULL PRIMARY KEY,
  account_id ${text} NOT NULL REFERENCES accounts (account_id),
  credential_id ${text} NOT NULL UNIQUE,
  name ${text} NOT NULL,
  public_key ${text} NOT NULL,
  sign_count ${bigint} NOT NULL,
  transports ${text} NOT NULL,
  created_at ${bigint} NOT NULL,
  last_used_at ${bigint}
) ${tableOptions};

CREATE INDEX passkeys_by_account ON passkeys (account_id, created_at);

CREATE TABLE used_passkey_challenges (
  challenge_digest ${text} NOT NULL PRIMARY KEY,
  expires_at ${bigint} NOT NULL
) ${tableOptions};

CREATE INDEX used_passkey_challenges_by_time ON used_passkey_challenges (expires_at);
`,
  )
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
