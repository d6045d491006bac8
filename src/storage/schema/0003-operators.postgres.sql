-- Credits that operators grant and withdraw, suspended accounts, operators with their approvals, and the audit log.

ALTER TABLE credit_lots ALTER COLUMN order_id DROP NOT NULL;

ALTER TABLE credit_lots DROP CONSTRAINT credit_lots_kind_check;

ALTER TABLE credit_lots
  ADD CONSTRAINT credit_lots_kind_check CHECK (kind IN ('simulated_prepaid', 'operator_grant')),
  ADD CHECK ((kind = 'operator_grant') = (order_id IS NULL));

ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check;

ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check
  CHECK (kind IN ('credit', 'reserve', 'settle', 'release', 'review', 'grant', 'withdraw'));

-- A suspended account cannot sign in. Its keys have the time too, because the commit that reserves credits reads only the key.
ALTER TABLE accounts ADD COLUMN suspended_at BIGINT;

ALTER TABLE accounts ADD COLUMN suspension_reason TEXT COLLATE "C";

ALTER TABLE api_keys ADD COLUMN suspended_at BIGINT;

-- An operator searches by these.
CREATE INDEX accounts_by_email ON accounts (recovery_email_digest);

CREATE INDEX api_keys_by_display_prefix ON api_keys (display_prefix);

-- Grants and withdrawals that wait for a second operator, and what was decided about them.
CREATE TABLE approvals (
  approval_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  requested_by TEXT COLLATE "C" NOT NULL,
  requested_via TEXT COLLATE "C" NOT NULL CHECK (requested_via IN ('web', 'command line')),
  requested_at BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
  decided_by TEXT COLLATE "C",
  decided_at BIGINT,
  CHECK ((state = 'pending') = (decided_at IS NULL)),
  CHECK ((state = 'pending') = (decided_by IS NULL))
);

-- One request per reference; a rejected one may be made again.
CREATE UNIQUE INDEX approvals_by_reference ON approvals (project_id, kind, reference) WHERE state <> 'rejected';

CREATE INDEX approvals_by_state ON approvals (state, approval_id);

-- What an operator granted or withdrew: the external reference of a ledger entry. `entry_id` has no foreign key, like
-- the ledger itself; reconcile checks it.
CREATE TABLE operator_movements (
  movement_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT COLLATE "C" NOT NULL,
  entry_id BIGINT NOT NULL UNIQUE,
  lot_id TEXT COLLATE "C" UNIQUE REFERENCES credit_lots (lot_id),
  approval_id TEXT COLLATE "C" UNIQUE REFERENCES approvals (approval_id),
  audit_id TEXT COLLATE "C" NOT NULL,
  moved_at BIGINT NOT NULL,
  CHECK ((kind = 'grant') = (lot_id IS NOT NULL))
);

-- The same bank transfer is never granted twice.
CREATE UNIQUE INDEX operator_movements_by_reference ON operator_movements (project_id, kind, reference);

-- Every action of an operator, append-only. Each entry's hash covers the hash of the one before it.
CREATE TABLE audit_entries (
  seq BIGINT NOT NULL PRIMARY KEY CHECK (seq > 0),
  audit_id TEXT COLLATE "C" NOT NULL UNIQUE,
  acted_at BIGINT NOT NULL,
  acted_by TEXT COLLATE "C" NOT NULL,
  via TEXT COLLATE "C" NOT NULL CHECK (via IN ('web', 'command line')),
  action TEXT COLLATE "C" NOT NULL,
  object TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  state_before TEXT COLLATE "C",
  state_after TEXT COLLATE "C",
  previous_hash TEXT COLLATE "C" NOT NULL,
  entry_hash TEXT COLLATE "C" NOT NULL
);

CREATE INDEX audit_entries_by_time ON audit_entries (acted_at);

CREATE INDEX audit_entries_by_operator ON audit_entries (acted_by, seq);

CREATE INDEX audit_entries_by_action ON audit_entries (action, seq);

CREATE INDEX audit_entries_by_object ON audit_entries (object, seq);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed or deleted';
END $$;

CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- The end of the audit log, in one row: it shows when the last entries are missing, and locking it keeps one chain.
CREATE TABLE audit_head (
  head_id INTEGER NOT NULL PRIMARY KEY CHECK (head_id = 1),
  entries BIGINT NOT NULL CHECK (entries >= 0),
  last_hash TEXT COLLATE "C" NOT NULL
);

INSERT INTO audit_head (head_id, entries, last_hash) VALUES (1, 0, '');

-- People who operate the gateway.
CREATE TABLE operators (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'support', 'treasurer', 'admin')),
  password_digest TEXT COLLATE "C" NOT NULL,
  must_change_password INTEGER NOT NULL CHECK (must_change_password IN (0, 1)),
  totp_sealed TEXT COLLATE "C" NOT NULL,
  totp_key_version TEXT COLLATE "C" NOT NULL,
  last_totp_step BIGINT,
  created_at BIGINT NOT NULL,
  disabled_at BIGINT
);

-- Signed-in browsers of operators. The local administrator of a loopback origin is not in `operators`.
CREATE TABLE operator_sessions (
  session_digest TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  is_local INTEGER NOT NULL CHECK (is_local IN (0, 1)),
  csrf_digest TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX operator_sessions_by_name ON operator_sessions (name);

CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at);

-- Providers that an operator took out of service, on all instances.
CREATE TABLE provider_switches (
  provider TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  is_out INTEGER NOT NULL CHECK (is_out IN (0, 1)),
  changed_by TEXT COLLATE "C" NOT NULL,
  changed_at BIGINT NOT NULL
);

-- Reconciliations that were run, with their results.
CREATE TABLE reconcile_runs (
  run_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  started_by TEXT COLLATE "C" NOT NULL,
  started_at BIGINT NOT NULL,
  finished_at BIGINT,
  is_sound INTEGER CHECK (is_sound IN (0, 1)),
  report TEXT COLLATE "C"
);

-- A batch sends its rows as arrays of these types (src/storage/books/book-writes.ts declares the columns).
ALTER TYPE key_change_row RENAME ATTRIBUTE expected_revoked_at TO expected_blocked_at;

CREATE TYPE operator_movement_row AS (
  movement_id text, project_id text, kind text, amount bigint, reference text, entry_id bigint, lot_id text, approval_id text,
  audit_id text, moved_at bigint
);

CREATE TYPE granted_lot_row AS (
  lot_id text, project_id text, kind text, amount bigint, created_at bigint
);

CREATE TYPE approval_grant_row AS (
  approval_id text, state text, decided_by text, decided_at bigint
);

CREATE TYPE audit_entry_row AS (
  seq bigint, audit_id text, acted_at bigint, acted_by text, via text, action text, object text, reason text, state_before
  text, state_after text, previous_hash text, entry_hash text
);

CREATE TYPE audit_head_change_row AS (
  head_id int, entries bigint, last_hash text
);
