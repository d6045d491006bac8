-- Credits that operators grant and withdraw, suspended accounts, operators with their approvals, and the audit log.

-- SQLite cannot change a CHECK, so both tables are copied. The copy of the ledger refers to the copy of the lots, because a table
-- that others refer to cannot be dropped; the renames below update the reference.
CREATE TABLE new_credit_lots (
  lot_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  order_id TEXT UNIQUE REFERENCES orders (order_id),
  kind TEXT NOT NULL CHECK (kind = 'simulated_prepaid' OR kind = 'operator_grant'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'operator_grant') = (order_id IS NULL))
) STRICT;

INSERT INTO new_credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
SELECT lot_id, project_id, order_id, kind, amount, created_at FROM credit_lots;

CREATE TABLE new_ledger_entries (
  entry_id INTEGER NOT NULL PRIMARY KEY,
  previous_id INTEGER,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  kind TEXT NOT NULL CHECK (kind = 'credit' OR kind = 'reserve' OR kind = 'settle' OR kind = 'release' OR kind = 'review'
    OR kind = 'grant' OR kind = 'withdraw'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  available INTEGER NOT NULL CHECK (available >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  charge_id TEXT REFERENCES charges (charge_id),
  lot_id TEXT REFERENCES new_credit_lots (lot_id),
  entered_at INTEGER NOT NULL,
  CHECK ((seq = 1) = (previous_id IS NULL))
) STRICT;

INSERT INTO new_ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available, reserved, charge_id, lot_id, entered_at)
SELECT entry_id, previous_id, project_id, seq, kind, amount, available, reserved, charge_id, lot_id, entered_at
FROM ledger_entries ORDER BY entry_id;

DROP TABLE ledger_entries;

DROP TABLE credit_lots;

ALTER TABLE new_credit_lots RENAME TO credit_lots;

ALTER TABLE new_ledger_entries RENAME TO ledger_entries;

CREATE INDEX credit_lots_by_project ON credit_lots (project_id);

CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id);

CREATE INDEX ledger_entries_by_number ON ledger_entries (project_id, seq) WHERE seq % 32 = 0;

CREATE INDEX ledger_entries_by_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;

-- A suspended account cannot sign in. Its keys have the time too, because the commit that reserves credits reads only the key.
ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;

ALTER TABLE accounts ADD COLUMN suspension_reason TEXT;

ALTER TABLE api_keys ADD COLUMN suspended_at INTEGER;

-- An operator searches by these.
CREATE INDEX accounts_by_email ON accounts (recovery_email_digest);

CREATE INDEX api_keys_by_display_prefix ON api_keys (display_prefix);

-- Grants and withdrawals that wait for a second operator, and what was decided about them.
CREATE TABLE approvals (
  approval_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind = 'grant' OR kind = 'withdraw'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  reason TEXT NOT NULL,
  requested_by TEXT NOT NULL,
  requested_via TEXT NOT NULL CHECK (requested_via = 'web' OR requested_via = 'command line'),
  requested_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state = 'pending' OR state = 'approved' OR state = 'rejected'),
  decided_by TEXT,
  decided_at INTEGER,
  CHECK ((state = 'pending') = (decided_at IS NULL)),
  CHECK ((state = 'pending') = (decided_by IS NULL))
) STRICT;

-- One request per reference; a rejected one may be made again.
CREATE UNIQUE INDEX approvals_by_reference ON approvals (project_id, kind, reference) WHERE state <> 'rejected';

CREATE INDEX approvals_by_state ON approvals (state, approval_id);

-- What an operator granted or withdrew: the external reference of a ledger entry. `entry_id` has no foreign key, because SQLite
-- could then not rebuild the ledger again; reconcile checks it.
CREATE TABLE operator_movements (
  movement_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind = 'grant' OR kind = 'withdraw'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  entry_id INTEGER NOT NULL UNIQUE,
  lot_id TEXT UNIQUE REFERENCES credit_lots (lot_id),
  approval_id TEXT UNIQUE REFERENCES approvals (approval_id),
  audit_id TEXT NOT NULL,
  moved_at INTEGER NOT NULL,
  CHECK ((kind = 'grant') = (lot_id IS NOT NULL))
) STRICT;

-- The same bank transfer is never granted twice.
CREATE UNIQUE INDEX operator_movements_by_reference ON operator_movements (project_id, kind, reference);

-- Every action of an operator, append-only. Each entry's hash covers the hash of the one before it.
CREATE TABLE audit_entries (
  seq INTEGER NOT NULL PRIMARY KEY CHECK (seq > 0),
  audit_id TEXT NOT NULL UNIQUE,
  acted_at INTEGER NOT NULL,
  acted_by TEXT NOT NULL,
  via TEXT NOT NULL CHECK (via = 'web' OR via = 'command line'),
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  reason TEXT NOT NULL,
  state_before TEXT,
  state_after TEXT,
  previous_hash TEXT NOT NULL,
  entry_hash TEXT NOT NULL
) STRICT;

CREATE INDEX audit_entries_by_time ON audit_entries (acted_at);

CREATE INDEX audit_entries_by_operator ON audit_entries (acted_by, seq);

CREATE INDEX audit_entries_by_action ON audit_entries (action, seq);

CREATE INDEX audit_entries_by_object ON audit_entries (object, seq);

CREATE TRIGGER refuse_audit_update BEFORE UPDATE ON audit_entries BEGIN
  SELECT RAISE(ABORT, 'audit entries are never changed');
END;

CREATE TRIGGER refuse_audit_delete BEFORE DELETE ON audit_entries BEGIN
  SELECT RAISE(ABORT, 'audit entries are never deleted');
END;

-- The end of the audit log, in one row: it shows when the last entries are missing, and locking it keeps one chain.
CREATE TABLE audit_head (
  head_id INTEGER NOT NULL PRIMARY KEY CHECK (head_id = 1),
  entries INTEGER NOT NULL CHECK (entries >= 0),
  last_hash TEXT NOT NULL
) STRICT;

INSERT INTO audit_head (head_id, entries, last_hash) VALUES (1, 0, '');

-- People who operate the gateway.
CREATE TABLE operators (
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL CHECK (role = 'viewer' OR role = 'support' OR role = 'treasurer' OR role = 'admin'),
  password_digest TEXT NOT NULL,
  must_change_password INTEGER NOT NULL CHECK (must_change_password IN (0, 1)),
  totp_sealed TEXT NOT NULL,
  totp_key_version TEXT NOT NULL,
  last_totp_step INTEGER,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;

-- Signed-in browsers of operators. The local administrator of a loopback origin is not in `operators`.
CREATE TABLE operator_sessions (
  session_digest TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  is_local INTEGER NOT NULL CHECK (is_local IN (0, 1)),
  csrf_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX operator_sessions_by_name ON operator_sessions (name);

CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at);

-- Providers that an operator took out of service, on all instances.
CREATE TABLE provider_switches (
  provider TEXT NOT NULL PRIMARY KEY,
  is_out INTEGER NOT NULL CHECK (is_out IN (0, 1)),
  changed_by TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Reconciliations that were run, with their results.
CREATE TABLE reconcile_runs (
  run_id TEXT NOT NULL PRIMARY KEY,
  started_by TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  is_sound INTEGER CHECK (is_sound IN (0, 1)),
  report TEXT
) STRICT;
