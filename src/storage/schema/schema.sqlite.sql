-- The schema of a new SQLite store. schema.postgres.sql is its equivalent for PostgreSQL; a test compares the two.
-- Statements are separated by blank lines. Times are epoch milliseconds; digests are text. No column holds a phone number, an
-- email address, a code, a session, a token or a key in plain form. docs/data-model.md shows how the tables relate.

-- Small tables with frequent updates are WITHOUT ROWID, so that an update writes one page instead of two. CHECKs use OR, because
-- SQLite fills a temporary table for each IN list.

-- One row per verification code sent, as a digest.
CREATE TABLE challenges (
  challenge_digest TEXT NOT NULL PRIMARY KEY,
  phone_digest TEXT NOT NULL,
  code_digest TEXT NOT NULL,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  wrong_attempts INTEGER NOT NULL DEFAULT 0 CHECK (wrong_attempts >= 0),
  invalidated_at INTEGER,
  consumed_at INTEGER
) STRICT;

CREATE INDEX challenges_by_phone ON challenges (phone_digest, issued_at);

CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- Registered people. The recovery email is stored as a digest and a mask.
CREATE TABLE accounts (
  account_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  recovery_email_digest TEXT NOT NULL,
  recovery_email_masked TEXT NOT NULL,
  recovery_email_state TEXT NOT NULL CHECK (recovery_email_state = 'pending_verification' OR recovery_email_state = 'verified'),
  password_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Only verified addresses are unique; a pending one blocks nobody.
CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (recovery_email_digest)
  WHERE recovery_email_state = 'verified';

-- The verified phone of each account, and its permanent subject at the identity provider.
CREATE TABLE identities (
  identity_subject TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
  phone_digest TEXT NOT NULL UNIQUE,
  phone_masked TEXT NOT NULL,
  verified_at INTEGER NOT NULL
) STRICT;

-- Each account has one project, which owns its credits, keys, orders and charges.
CREATE TABLE projects (
  project_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Console sessions. The cookie and the CSRF token are stored as digests.
CREATE TABLE sessions (
  session_digest TEXT NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  csrf_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_by_account ON sessions (account_id, expires_at);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Fixed-window rate limits of requests other than billable calls.
CREATE TABLE rate_windows (
  bucket TEXT NOT NULL PRIMARY KEY,
  window_ends_at INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX rate_windows_by_end ON rate_windows (window_ends_at);

-- API keys, as digests. A key's rate window and usage are in its row, so that a batch updates one row per key.
CREATE TABLE api_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  key_digest TEXT NOT NULL UNIQUE,
  display_prefix TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  rotated_from_key_id TEXT,
  window_ends_at INTEGER NOT NULL DEFAULT 0,
  window_used INTEGER NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER
) STRICT;

CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, key_id);

-- The credits of each project. The CHECK is invariant I1; `entries` and `last_entry_id` are the end of the ledger.
CREATE TABLE balances (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  available INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  settled INTEGER NOT NULL DEFAULT 0 CHECK (settled >= 0),
  credited INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0),
  entries INTEGER NOT NULL DEFAULT 0 CHECK (entries >= 0),
  last_entry_id INTEGER,
  CHECK (available + reserved + settled = credited)
) STRICT, WITHOUT ROWID;

-- Recharge orders: pending, then credited once.
CREATE TABLE orders (
  order_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  idempotency_digest TEXT NOT NULL,
  amount_fen INTEGER NOT NULL CHECK (amount_fen > 0),
  credit_amount INTEGER NOT NULL CHECK (credit_amount > 0),
  pricing_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'pending' OR state = 'simulated_paid' OR state = 'credited'),
  created_at INTEGER NOT NULL,
  simulated_paid_at INTEGER,
  credited_at INTEGER,
  CHECK ((state = 'credited') = (credited_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX orders_by_idempotency ON orders (project_id, idempotency_digest);

CREATE INDEX orders_by_project ON orders (project_id, created_at, order_id);

-- The source of credits: one lot per credited order (invariant I5).
CREATE TABLE credit_lots (
  lot_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  order_id TEXT NOT NULL UNIQUE REFERENCES orders (order_id),
  kind TEXT NOT NULL CHECK (kind = 'simulated_prepaid'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX credit_lots_by_project ON credit_lots (project_id);

-- One row per admitted call, with the price at that time.
CREATE TABLE charges (
  charge_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  key_id TEXT NOT NULL REFERENCES api_keys (key_id),
  operation TEXT NOT NULL,
  credits INTEGER NOT NULL CHECK (credits > 0),
  pricing_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'reserved' OR state = 'settled' OR state = 'released' OR state = 'manual_review'),
  idempotency_digest TEXT,
  fingerprint TEXT NOT NULL,
  isolation_version INTEGER NOT NULL,
  leaves_process INTEGER NOT NULL CHECK (leaves_process IN (0, 1)),
  instance_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  reserved_at INTEGER NOT NULL,
  ended_at INTEGER,
  reason TEXT,
  usage TEXT,
  CHECK ((state = 'reserved') = (ended_at IS NULL))
) STRICT;

-- Invariant I3. An Idempotency-Key that was freed is null, and nulls are never equal.
CREATE UNIQUE INDEX charges_by_idempotency ON charges (project_id, idempotency_digest);

-- The stored response of each ended call, for replays.
CREATE TABLE charge_responses (
  charge_id TEXT NOT NULL PRIMARY KEY REFERENCES charges (charge_id),
  status INTEGER NOT NULL,
  code TEXT,
  body TEXT NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT;

-- Every movement of credits, append-only. Each entry has the id of the previous one in its project, so a project's entries form
-- a chain that ends at its balance. Only every 32nd is indexed by number: a full index would cost each call two page writes.
CREATE TABLE ledger_entries (
  entry_id INTEGER NOT NULL PRIMARY KEY,
  previous_id INTEGER,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  kind TEXT NOT NULL CHECK (kind = 'credit' OR kind = 'reserve' OR kind = 'settle' OR kind = 'release' OR kind = 'review'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  available INTEGER NOT NULL CHECK (available >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  charge_id TEXT REFERENCES charges (charge_id),
  lot_id TEXT REFERENCES credit_lots (lot_id),
  entered_at INTEGER NOT NULL,
  CHECK ((seq = 1) = (previous_id IS NULL))
) STRICT;

CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id);

CREATE INDEX ledger_entries_by_number ON ledger_entries (project_id, seq) WHERE seq % 32 = 0;

CREATE INDEX ledger_entries_by_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;

-- Operators' decisions on charges in review, with their reasons.
CREATE TABLE review_decisions (
  charge_id TEXT NOT NULL PRIMARY KEY REFERENCES charges (charge_id),
  decision TEXT NOT NULL CHECK (decision = 'settled' OR decision = 'released'),
  reason TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  decided_at INTEGER NOT NULL
) STRICT;

-- Settled calls and credits per project, day and operation, for reports. The key starts with the day, which keeps today's rows
-- together; starting with the project, nearly every call would write a separate page.
CREATE TABLE usage_days (
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  day INTEGER NOT NULL,
  operation TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls > 0),
  credits INTEGER NOT NULL CHECK (credits > 0),
  PRIMARY KEY (day, project_id, operation)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_days_by_project ON usage_days (project_id, day);

-- Items that searches returned to a project, for the pick operations to read.
CREATE TABLE snapshots (
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  provider TEXT NOT NULL,
  product_id TEXT NOT NULL,
  item TEXT NOT NULL,
  shown_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, provider, product_id)
) STRICT;

CREATE INDEX snapshots_by_project ON snapshots (project_id, shown_at);

CREATE INDEX snapshots_by_age ON snapshots (shown_at);

-- Leases of running gateways. Always empty on SQLite, which has a single instance.
CREATE TABLE instances (
  instance_id TEXT NOT NULL PRIMARY KEY,
  started_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT;

CREATE INDEX charges_reserved ON charges (charge_id) WHERE state = 'reserved';

CREATE INDEX charges_in_review ON charges (project_id, charge_id) WHERE state = 'manual_review';

-- Charges under way. INDEXED BY, because the planner would otherwise read all charges of a project.
CREATE VIEW reserved_charges AS
SELECT project_id, charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM charges INDEXED BY charges_reserved WHERE state = 'reserved';

-- Charges in review.
CREATE VIEW reviewable_charges AS
SELECT project_id, charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM charges INDEXED BY charges_in_review WHERE state = 'manual_review';
