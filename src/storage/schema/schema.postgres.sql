-- The schema of a new PostgreSQL store. schema.sqlite.sql is its equivalent for SQLite; a test compares the two.
-- Statements are separated by blank lines. Times are epoch milliseconds; digests are text. No column holds a phone number, an
-- email address, a code, a session, a token or a key in plain form. docs/data-model.md shows how the tables relate.

-- Text sorts by bytes (COLLATE "C"), as in SQLite. A locale would order ids differently and may change with the C library.

-- One row per verification code sent, as a digest.
CREATE TABLE challenges (
  challenge_digest TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  phone_digest TEXT COLLATE "C" NOT NULL,
  code_digest TEXT COLLATE "C" NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  wrong_attempts INTEGER NOT NULL DEFAULT 0 CHECK (wrong_attempts >= 0),
  invalidated_at BIGINT,
  consumed_at BIGINT
);

CREATE INDEX challenges_by_phone ON challenges (phone_digest, issued_at);

CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- Registered people. The recovery email is stored as a digest and a mask.
CREATE TABLE accounts (
  account_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  recovery_email_digest TEXT COLLATE "C" NOT NULL,
  recovery_email_masked TEXT COLLATE "C" NOT NULL,
  recovery_email_state TEXT COLLATE "C" NOT NULL CHECK (recovery_email_state IN ('pending_verification', 'verified')),
  password_digest TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);

-- Only verified addresses are unique; a pending one blocks nobody.
CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (recovery_email_digest)
  WHERE recovery_email_state = 'verified';

-- The verified phone of each account, and its permanent subject at the identity provider.
CREATE TABLE identities (
  identity_subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES accounts (account_id),
  phone_digest TEXT COLLATE "C" NOT NULL UNIQUE,
  phone_masked TEXT COLLATE "C" NOT NULL,
  verified_at BIGINT NOT NULL
);

-- Each account has one project, which owns its credits, keys, orders and charges.
CREATE TABLE projects (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES accounts (account_id),
  name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);

-- Console sessions. The cookie and the CSRF token are stored as digests.
CREATE TABLE sessions (
  session_digest TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  session_id TEXT COLLATE "C" NOT NULL UNIQUE,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id),
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  csrf_digest TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sessions_by_account ON sessions (account_id, expires_at);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Fixed-window rate limits of requests other than billable calls.
CREATE TABLE rate_windows (
  bucket TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  window_ends_at BIGINT NOT NULL,
  used INTEGER NOT NULL
);

CREATE INDEX rate_windows_by_end ON rate_windows (window_ends_at);

-- API keys, as digests. A key's rate window and usage are in its row, so that a batch updates one row per key.
CREATE TABLE api_keys (
  key_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  key_digest TEXT COLLATE "C" NOT NULL UNIQUE,
  display_prefix TEXT COLLATE "C" NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  expires_at BIGINT,
  rotated_from_key_id TEXT COLLATE "C",
  window_ends_at BIGINT NOT NULL DEFAULT 0,
  window_used INTEGER NOT NULL DEFAULT 0,
  calls BIGINT NOT NULL DEFAULT 0,
  last_used_at BIGINT
);

CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, key_id);

-- The credits of each project. The CHECK is invariant I1; `entries` and `last_entry_id` are the end of the ledger.
CREATE TABLE balances (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  available BIGINT NOT NULL DEFAULT 0 CHECK (available >= 0),
  reserved BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  settled BIGINT NOT NULL DEFAULT 0 CHECK (settled >= 0),
  credited BIGINT NOT NULL DEFAULT 0 CHECK (credited >= 0),
  entries BIGINT NOT NULL DEFAULT 0 CHECK (entries >= 0),
  last_entry_id BIGINT,
  CHECK (available + reserved + settled = credited)
);

-- Recharge orders: pending, then credited once.
CREATE TABLE orders (
  order_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  idempotency_digest TEXT COLLATE "C" NOT NULL,
  amount_fen BIGINT NOT NULL CHECK (amount_fen > 0),
  credit_amount BIGINT NOT NULL CHECK (credit_amount > 0),
  pricing_version TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'simulated_paid', 'credited')),
  created_at BIGINT NOT NULL,
  simulated_paid_at BIGINT,
  credited_at BIGINT,
  CHECK ((state = 'credited') = (credited_at IS NOT NULL))
);

CREATE UNIQUE INDEX orders_by_idempotency ON orders (project_id, idempotency_digest);

CREATE INDEX orders_by_project ON orders (project_id, created_at, order_id);

-- The source of credits: one lot per credited order (invariant I5).
CREATE TABLE credit_lots (
  lot_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  order_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES orders (order_id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('simulated_prepaid')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  created_at BIGINT NOT NULL
);

CREATE INDEX credit_lots_by_project ON credit_lots (project_id);

-- One row per admitted call, with the price at that time. Half of each page stays free and no index includes the state, so that
-- ending a charge is a HOT update. That saves a ninth of what a call costs the server.
CREATE TABLE charges (
  charge_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  credits BIGINT NOT NULL CHECK (credits > 0),
  pricing_version TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('reserved', 'settled', 'released', 'manual_review')),
  idempotency_digest TEXT COLLATE "C",
  fingerprint TEXT COLLATE "C" NOT NULL,
  isolation_version INTEGER NOT NULL,
  leaves_process INTEGER NOT NULL CHECK (leaves_process IN (0, 1)),
  instance_id TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  reserved_at BIGINT NOT NULL,
  ended_at BIGINT,
  reason TEXT COLLATE "C",
  usage TEXT COLLATE "C",
  CHECK ((state = 'reserved') = (ended_at IS NULL))
) WITH (fillfactor = 50);

-- Invariant I3. An Idempotency-Key that was freed is null, and nulls are never equal.
CREATE UNIQUE INDEX charges_by_idempotency ON charges (project_id, idempotency_digest);

-- The stored response of each ended call, for replays.
CREATE TABLE charge_responses (
  charge_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  status INTEGER NOT NULL,
  code TEXT COLLATE "C",
  body TEXT COLLATE "C" NOT NULL,
  stored_at BIGINT NOT NULL
);

-- A batch takes one value and uses it and the next 255.
CREATE SEQUENCE ledger_entry_ids INCREMENT BY 256;

-- Every movement of credits, append-only. Each entry has the id of the previous one in its project, so a project's entries form
-- a chain that ends at its balance. Only every 32nd is indexed by number: a full index would cost each call two page writes.
CREATE TABLE ledger_entries (
  entry_id BIGINT NOT NULL PRIMARY KEY DEFAULT nextval('ledger_entry_ids'),
  previous_id BIGINT,
  project_id TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL CHECK (seq > 0),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('credit', 'reserve', 'settle', 'release', 'review')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  available BIGINT NOT NULL CHECK (available >= 0),
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  charge_id TEXT COLLATE "C",
  lot_id TEXT COLLATE "C",
  entered_at BIGINT NOT NULL,
  CHECK ((seq = 1) = (previous_id IS NULL))
);

CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id);

CREATE INDEX ledger_entries_by_number ON ledger_entries (project_id, seq) WHERE seq % 32 = 0;

CREATE INDEX ledger_entries_by_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;

-- Operators' decisions on charges in review, with their reasons.
CREATE TABLE review_decisions (
  charge_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES charges (charge_id),
  decision TEXT COLLATE "C" NOT NULL CHECK (decision IN ('settled', 'released')),
  reason TEXT COLLATE "C" NOT NULL,
  decided_by TEXT COLLATE "C" NOT NULL,
  decided_at BIGINT NOT NULL
);

-- Settled calls and credits per project, day and operation, for reports.
CREATE TABLE usage_days (
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  day INTEGER NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL CHECK (calls > 0),
  credits BIGINT NOT NULL CHECK (credits > 0),
  PRIMARY KEY (project_id, day, operation)
);

-- Items that searches returned to a project, for the pick operations to read.
CREATE TABLE snapshots (
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  provider TEXT COLLATE "C" NOT NULL,
  product_id TEXT COLLATE "C" NOT NULL,
  item TEXT COLLATE "C" NOT NULL,
  shown_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, provider, product_id)
);

CREATE INDEX snapshots_by_project ON snapshots (project_id, shown_at);

CREATE INDEX snapshots_by_age ON snapshots (shown_at);

-- Leases of running gateways. When one expires, another gateway recovers that instance's charges.
CREATE TABLE instances (
  instance_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL
);

ALTER SEQUENCE ledger_entry_ids OWNED BY ledger_entries.entry_id;

CREATE INDEX ledger_entries_in_review ON ledger_entries (project_id, charge_id) WHERE kind = 'review';

-- Charges in review, found through their ledger entries. LATERAL looks up each charge separately; with a join, the planner may
-- read every charge.
CREATE VIEW reviewable_charges AS
SELECT e.project_id, e.charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM ledger_entries e
  CROSS JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = e.charge_id LIMIT 1) c
WHERE e.kind = 'review' AND c.state = 'manual_review';

-- Charges under way, found without an extra index: follows each project's ledger back until all its reserved credits are
-- accounted for, which is at its oldest call under way.
CREATE VIEW reserved_charges AS
SELECT b.project_id, c.charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM balances b
  CROSS JOIN LATERAL (
    WITH RECURSIVE back AS (
      SELECT b.last_entry_id AS entry_id, NULL::text COLLATE "C" AS charge_id, b.reserved - (
        SELECT COALESCE(SUM(r.credits), 0)::bigint FROM reviewable_charges r WHERE r.project_id = b.project_id
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

-- Rejects an optimistic batch whose expected rows have changed (src/storage/postgres/book-statements.ts).
CREATE FUNCTION refuse_stale_row() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'GW001', MESSAGE = 'a row has changed since the batch was decided';
END $$;

-- Tables that every call writes have triggers instead of foreign keys. PostgreSQL checks a foreign key row by row and locks each
-- parent, which took 103 of the 335 microseconds a call cost the server. These triggers check all rows of a statement at once,
-- without locks, and parents can never be deleted. A new row must also belong to its parent's project.
-- LATERAL and (|| '') keep the planner from reading all parents.
CREATE FUNCTION check_references_of_charges() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_broken boolean;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    is_broken := EXISTS (
      SELECT FROM added a
        LEFT JOIN LATERAL (
          SELECT true AS found FROM api_keys p WHERE p.key_id = a.key_id AND p.project_id || '' = a.project_id LIMIT 1
        ) a_key ON true
      WHERE a_key.found IS NULL);
  ELSE
    is_broken := NOT EXISTS (SELECT FROM projects p WHERE p.project_id = NEW.project_id)
      OR NOT EXISTS (SELECT FROM api_keys p WHERE p.key_id = NEW.key_id);
  END IF;
  IF is_broken THEN
    RAISE foreign_key_violation USING TABLE = 'charges',
      MESSAGE = 'a row of charges violates a foreign key: it refers to a row that does not exist';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION check_references_of_charge_responses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_broken boolean;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    is_broken := EXISTS (
      SELECT FROM added a
        LEFT JOIN LATERAL (SELECT true AS found FROM charges p WHERE p.charge_id = a.charge_id LIMIT 1) a_charge ON true
      WHERE a_charge.found IS NULL);
  ELSE
    is_broken := NOT EXISTS (SELECT FROM charges p WHERE p.charge_id = NEW.charge_id);
  END IF;
  IF is_broken THEN
    RAISE foreign_key_violation USING TABLE = 'charge_responses',
      MESSAGE = 'a row of charge_responses violates a foreign key: it refers to a row that does not exist';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION check_references_of_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_broken boolean;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    is_broken := EXISTS (
      SELECT FROM added a
        LEFT JOIN LATERAL (
          SELECT true AS found FROM charges p WHERE p.charge_id = a.charge_id AND p.project_id || '' = a.project_id LIMIT 1
        ) a_charge ON true
      WHERE CASE
        WHEN a.charge_id IS NOT NULL AND a_charge.found IS NULL THEN true
        WHEN a.lot_id IS NOT NULL
          THEN NOT EXISTS (SELECT FROM credit_lots p WHERE p.lot_id = a.lot_id AND p.project_id = a.project_id)
        WHEN a.charge_id IS NULL THEN NOT EXISTS (SELECT FROM projects p WHERE p.project_id = a.project_id)
        ELSE false END);
  ELSE
    is_broken := NOT EXISTS (SELECT FROM projects p WHERE p.project_id = NEW.project_id)
      OR (NEW.charge_id IS NOT NULL AND NOT EXISTS (SELECT FROM charges p WHERE p.charge_id = NEW.charge_id))
      OR (NEW.lot_id IS NOT NULL AND NOT EXISTS (SELECT FROM credit_lots p WHERE p.lot_id = NEW.lot_id));
  END IF;
  IF is_broken THEN
    RAISE foreign_key_violation USING TABLE = 'ledger_entries',
      MESSAGE = 'a row of ledger_entries violates a foreign key: it refers to a row that does not exist';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER check_added_references AFTER INSERT ON charges REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_charges();

CREATE TRIGGER check_changed_references AFTER UPDATE OF project_id, key_id ON charges
  FOR EACH ROW EXECUTE FUNCTION check_references_of_charges();

CREATE TRIGGER check_added_references AFTER INSERT ON charge_responses REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_charge_responses();

CREATE TRIGGER check_changed_references AFTER UPDATE OF charge_id ON charge_responses
  FOR EACH ROW EXECUTE FUNCTION check_references_of_charge_responses();

CREATE TRIGGER check_added_references AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_ledger_entries();

CREATE TRIGGER check_changed_references AFTER UPDATE OF project_id, charge_id, lot_id ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION check_references_of_ledger_entries();

CREATE FUNCTION refuse_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE foreign_key_violation USING TABLE = TG_TABLE_NAME,
    MESSAGE = format('foreign keys refer to %s: its rows are never deleted or renamed', TG_TABLE_NAME);
END $$;

CREATE TRIGGER refuse_delete BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF project_id ON projects FOR EACH ROW
  WHEN (NEW.project_id IS DISTINCT FROM OLD.project_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF key_id ON api_keys FOR EACH ROW
  WHEN (NEW.key_id IS DISTINCT FROM OLD.key_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON charges FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF charge_id ON charges FOR EACH ROW
  WHEN (NEW.charge_id IS DISTINCT FROM OLD.charge_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON charges FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON credit_lots FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF lot_id ON credit_lots FOR EACH ROW
  WHEN (NEW.lot_id IS DISTINCT FROM OLD.lot_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON credit_lots FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

-- A batch sends its rows as arrays of these types (src/storage/books/book-writes.ts declares the columns).
CREATE TYPE balance_change_row AS (
  project_id text, available bigint, reserved bigint, settled bigint, credited bigint, entries bigint,
  last_entry_id bigint, expected_entries bigint, expected_last_entry_id bigint
);

CREATE TYPE key_change_row AS (
  key_id text, window_ends_at bigint, window_used int, calls bigint, last_used_at bigint,
  expected_window_ends_at bigint, expected_window_used int, expected_calls bigint, expected_revoked_at bigint,
  expected_expires_at bigint
);

CREATE TYPE charge_end_row AS (
  charge_id text, state text, ended_at bigint, reason text, usage text
);

CREATE TYPE key_release_row AS (
  charge_id text, idempotency_digest text
);

CREATE TYPE charge_row AS (
  charge_id text, project_id text, key_id text, operation text, credits bigint, pricing_version text, state
  text, idempotency_digest text, fingerprint text, isolation_version int, leaves_process int, instance_id
  text, request_id text, reserved_at bigint
);

CREATE TYPE response_row AS (
  charge_id text, status int, code text, body text, stored_at bigint
);

CREATE TYPE response_change_row AS (
  charge_id text, status int, code text, body text, stored_at bigint
);

CREATE TYPE review_decision_row AS (
  charge_id text, decision text, reason text, decided_by text, decided_at bigint
);

CREATE TYPE snapshot_row AS (
  project_id text, provider text, product_id text, item text, shown_at bigint
);

CREATE TYPE usage_day_row AS (
  project_id text, day int, operation text, calls bigint, credits bigint
);

CREATE TYPE order_credit_row AS (
  order_id text, state text, simulated_paid_at bigint, credited_at bigint
);

CREATE TYPE credit_lot_row AS (
  lot_id text, project_id text, order_id text, kind text, amount bigint, created_at bigint
);

CREATE TYPE ledger_entry_row AS (
  entry_id bigint, previous_id bigint, project_id text, seq bigint, kind text, amount bigint, available
  bigint, reserved bigint, charge_id text, lot_id text, entered_at bigint
);
