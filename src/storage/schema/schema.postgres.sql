-- The schema of a new PostgreSQL store. schema.sqlite.sql is its equivalent for SQLite; a test compares the two.
-- Statements are separated by blank lines. Times are epoch milliseconds; digests are text. No column holds a phone number, an
-- email address, a code, a session, a token or a key in plain form. docs/data-model.md shows how the tables relate.

-- Text sorts by bytes (COLLATE "C"), as in SQLite. A locale would order ids differently and may change with the C library.

-- The secrets that digests and sealed values of this store were made with. The check value is derived from the secret, so a
-- gateway with another secret is found out before it registers anybody twice.
CREATE TABLE secret_versions (
  key_version TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  check_value TEXT COLLATE "C" NOT NULL,
  first_used_at BIGINT NOT NULL
);

-- Registered people. The recovery email is stored as a digest and a mask, and sealed, so that it can be written to. A suspended
-- account cannot sign in.
CREATE TABLE accounts (
  account_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  recovery_email_digest TEXT COLLATE "C" NOT NULL,
  recovery_email_masked TEXT COLLATE "C" NOT NULL,
  recovery_email_state TEXT COLLATE "C" NOT NULL CHECK (recovery_email_state IN ('pending_verification', 'verified')),
  recovery_email_sealed TEXT COLLATE "C",
  recovery_email_key_version TEXT COLLATE "C",
  password_digest TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  suspended_at BIGINT,
  suspension_reason TEXT COLLATE "C"
);

-- Only verified addresses are unique; a pending one blocks nobody.
CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (recovery_email_digest)
  WHERE recovery_email_state = 'verified';

-- An operator searches by it; also pending ones.
CREATE INDEX accounts_by_email ON accounts (recovery_email_digest);

-- The verified phone of each account (digest, mask and sealed), and its permanent subject at the identity provider.
CREATE TABLE identities (
  identity_subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES accounts (account_id),
  phone_digest TEXT COLLATE "C" NOT NULL UNIQUE,
  phone_masked TEXT COLLATE "C" NOT NULL,
  phone_sealed TEXT COLLATE "C",
  phone_key_version TEXT COLLATE "C",
  verified_at BIGINT NOT NULL
);

-- One row per verification code sent, as a digest, and what it is good for. Codes of an account end with its password or its
-- contact; registration has no account yet.
CREATE TABLE challenges (
  challenge_digest TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  purpose TEXT COLLATE "C" NOT NULL CHECK (purpose IN ('registration', 'email_verification', 'recovery', 'operator_recovery')),
  account_id TEXT COLLATE "C" REFERENCES accounts (account_id),
  contact_digest TEXT COLLATE "C" NOT NULL,
  code_digest TEXT COLLATE "C" NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  wrong_attempts INTEGER NOT NULL DEFAULT 0 CHECK (wrong_attempts >= 0),
  invalidated_at BIGINT,
  consumed_at BIGINT
);

CREATE INDEX challenges_by_contact ON challenges (contact_digest, purpose, issued_at);

CREATE INDEX challenges_by_account ON challenges (account_id) WHERE account_id IS NOT NULL;

CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- Addresses that an account has signed in from, as digests: a sign-in from another one sends a notice.
CREATE TABLE account_requesters (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id),
  requester_digest TEXT COLLATE "C" NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, requester_digest)
);

-- Messages to be sent: recipient and content are sealed. A row is deleted once it is delivered or has expired. Channel `none`
-- is the decoy of a recovery for an unknown identifier, so that it costs the same work as a real one.
CREATE TABLE messages (
  message_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  account_id TEXT COLLATE "C" REFERENCES accounts (account_id),
  channel TEXT COLLATE "C" NOT NULL CHECK (channel = 'sms' OR channel = 'email' OR channel = 'none'),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind = 'verification' OR kind = 'recovery' OR kind = 'notice'),
  sealed TEXT COLLATE "C" NOT NULL,
  key_version TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at BIGINT NOT NULL,
  claimed_by TEXT COLLATE "C"
);

CREATE INDEX messages_by_next_attempt ON messages (next_attempt_at);

CREATE INDEX messages_by_channel ON messages (channel, kind, next_attempt_at);

-- Each account has one project, which owns its credits, keys, orders and charges. `events_read_to` is the last event that the
-- payer has marked as read.
CREATE TABLE projects (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES accounts (account_id),
  name TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  events_read_to BIGINT NOT NULL DEFAULT 0
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
-- `suspended_at` repeats the account's, because the commit that reserves credits reads only the key. `allowed_addresses` are
-- addresses and CIDR ranges, separated by spaces; null allows every requester. `last_used_from` is masked: without the last byte
-- of an IPv4 address and the last 64 bits of an IPv6 address. `chain_id` is the first key of the rotation chain; null for that
-- key itself. `settings_version` rises with every change of the settings, so that a batch notices one. The digests of the
-- creating request are null if it had no Idempotency-Key. `expiry_warning_at` is when the payer is next told that the key
-- expires; null for never.
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
  last_used_at BIGINT,
  suspended_at BIGINT,
  name TEXT COLLATE "C",
  allowed_addresses TEXT COLLATE "C",
  last_used_from TEXT COLLATE "C",
  chain_id TEXT COLLATE "C",
  settings_version INTEGER NOT NULL DEFAULT 0,
  idempotency_digest TEXT COLLATE "C",
  request_digest TEXT COLLATE "C",
  expiry_warning_at BIGINT
);

CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, key_id);

CREATE INDEX api_keys_by_display_prefix ON api_keys (display_prefix);

CREATE UNIQUE INDEX api_keys_by_idempotency ON api_keys (project_id, idempotency_digest);

CREATE INDEX api_keys_by_expiry_warning ON api_keys (expiry_warning_at) WHERE expiry_warning_at IS NOT NULL;

-- The budget of a rotation chain, named after its first key. `spent` counts what was reserved since `period_from` and not released.
-- `other_counts` is a JSON array of [period_from, spent, reached_at]: other periods, for clocks that differ.
-- A budget that was removed has no credits; its row stays, so that a new one never gets the same period.
CREATE TABLE key_budgets (
  budget_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES api_keys (key_id),
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  credits BIGINT CHECK (credits > 0),
  per TEXT COLLATE "C" NOT NULL CHECK (per IN ('day', 'month', 'total')),
  period_from BIGINT NOT NULL,
  spent BIGINT NOT NULL CHECK (spent >= 0),
  reached_at BIGINT,
  other_counts TEXT COLLATE "C" NOT NULL DEFAULT '[]'
);

CREATE INDEX key_budgets_by_project ON key_budgets (project_id);

-- The credits of each project. The CHECK is invariant I1; `entries` and `last_entry_id` are the end of the ledger.
-- `low_balance_credits` are the available credits below which an event is raised: null for the default, 0 for never. `empty_at`
-- is the first call since the last credit that was refused for lack of credits.
CREATE TABLE balances (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  available BIGINT NOT NULL DEFAULT 0 CHECK (available >= 0),
  reserved BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  settled BIGINT NOT NULL DEFAULT 0 CHECK (settled >= 0),
  credited BIGINT NOT NULL DEFAULT 0 CHECK (credited >= 0),
  entries BIGINT NOT NULL DEFAULT 0 CHECK (entries >= 0),
  last_entry_id BIGINT,
  low_balance_credits BIGINT CHECK (low_balance_credits >= 0),
  empty_at BIGINT,
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

-- The source of credits: one lot per credited order (invariant I5), or one per grant of an operator.
CREATE TABLE credit_lots (
  lot_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  order_id TEXT COLLATE "C" UNIQUE REFERENCES orders (order_id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('simulated_prepaid', 'operator_grant')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  created_at BIGINT NOT NULL,
  CHECK ((kind = 'operator_grant') = (order_id IS NULL))
);

CREATE INDEX credit_lots_by_project ON credit_lots (project_id);

-- One row per admitted call, with the price at that time, the budget that it counts against and the period it was reserved in
-- (null for a key without a budget). Half of each page stays free and no index includes the state, so that ending a charge is a
-- HOT update. That saves a ninth of what a call costs the server.
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
  budget_id TEXT COLLATE "C",
  budget_period BIGINT,
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
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('credit', 'reserve', 'settle', 'release', 'review', 'grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  available BIGINT NOT NULL CHECK (available >= 0),
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  charge_id TEXT COLLATE "C",
  lot_id TEXT COLLATE "C",
  entered_at BIGINT NOT NULL,
  CHECK ((seq = 1) = (previous_id IS NULL))
);

ALTER SEQUENCE ledger_entry_ids OWNED BY ledger_entries.entry_id;

CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id);

CREATE INDEX ledger_entries_by_number ON ledger_entries (project_id, seq) WHERE seq % 32 = 0;

CREATE INDEX ledger_entries_by_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;

CREATE INDEX ledger_entries_in_review ON ledger_entries (project_id, charge_id) WHERE kind = 'review';

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

-- One row per media job, written in the same commit as its charge and ended in the same commit as its charge.
-- Who holds the claim polls the job; a claim ends by itself. `version` changes with every write of a poll, which compares it
-- first. `next_poll_at` is null once the job has ended. `misses` counts answers that do not know the job, `silences` looks
-- without an answer. `instance_id` is the instance that submits it: while that one lives, nobody else asks about the submission.
CREATE TABLE media_jobs (
  job_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  charge_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES charges (charge_id),
  instance_id TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  provider_id TEXT COLLATE "C",
  prompt TEXT COLLATE "C" NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  size TEXT COLLATE "C" NOT NULL,
  test_only INTEGER NOT NULL CHECK (test_only IN (0, 1)),
  status TEXT COLLATE "C" NOT NULL CHECK (status = 'submitting' OR status = 'queued' OR status = 'in_progress' OR status = 'completed'
    OR status = 'failed' OR status = 'cancelled' OR status = 'unknown'),
  progress INTEGER CHECK (progress >= 0 AND progress <= 100),
  error_code TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  finished_at BIGINT,
  deadline_at BIGINT NOT NULL,
  cancel_requested_at BIGINT,
  next_poll_at BIGINT,
  polls INTEGER NOT NULL DEFAULT 0,
  misses INTEGER NOT NULL DEFAULT 0,
  silences INTEGER NOT NULL DEFAULT 0,
  content_tries INTEGER NOT NULL DEFAULT 0,
  content_type TEXT COLLATE "C",
  content_bytes BIGINT,
  content_sha256 TEXT COLLATE "C",
  content_expires_at BIGINT,
  claimed_by TEXT COLLATE "C",
  claim_until BIGINT,
  version INTEGER NOT NULL DEFAULT 0,
  CHECK ((finished_at IS NULL) = (next_poll_at IS NOT NULL)),
  CHECK ((status = 'completed') = (content_bytes IS NOT NULL))
);

CREATE INDEX media_jobs_by_project ON media_jobs (project_id, job_id);

CREATE INDEX media_jobs_due ON media_jobs (next_poll_at) WHERE next_poll_at IS NOT NULL;

-- Finds the projects whose turn it is to be polled, one step for each.
CREATE INDEX media_jobs_turns ON media_jobs (provider, project_id, next_poll_at) WHERE next_poll_at IS NOT NULL;

-- A provider that answers with the id of another job must not hand its clip to somebody else.
CREATE UNIQUE INDEX media_jobs_by_provider_id ON media_jobs (provider, provider_id) WHERE provider_id IS NOT NULL;

-- What happened to a project, written in the commit of what happened. `due_at` is when the event is passed to its subscribers,
-- null once it was; 0 is at once. `seq` is never used twice, because `projects.events_read_to` refers to it.
CREATE TABLE events (
  seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  event_id TEXT COLLATE "C" NOT NULL UNIQUE,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  type TEXT COLLATE "C" NOT NULL,
  happened_at BIGINT NOT NULL,
  data TEXT COLLATE "C" NOT NULL,
  due_at BIGINT DEFAULT 0
);

CREATE INDEX events_by_project ON events (project_id, seq);

CREATE INDEX events_due ON events (due_at, seq) WHERE due_at IS NOT NULL;

-- Endpoints that events are sent to. `sealed` holds the secrets. `next_attempt_at` is when the webhook is due next, null if
-- nothing waits; while an instance sends to it, it is the end of that claim. So there is one delivery at a time per webhook.
-- `served_at`: the last claim.
CREATE TABLE webhooks (
  webhook_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  url TEXT COLLATE "C" NOT NULL,
  types TEXT COLLATE "C" NOT NULL,
  sealed TEXT COLLATE "C" NOT NULL,
  key_version TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('enabled', 'disabled')),
  disabled_reason TEXT COLLATE "C",
  disabled_at BIGINT,
  created_at BIGINT NOT NULL,
  next_attempt_at BIGINT,
  claimed_by TEXT COLLATE "C",
  served_at BIGINT
);

CREATE INDEX webhooks_by_project ON webhooks (project_id, webhook_id);

CREATE INDEX webhooks_by_next_attempt ON webhooks (next_attempt_at) WHERE state = 'enabled';

-- An event on its way to one webhook. `is_holding`: later deliveries of the webhook wait for it.
CREATE TABLE webhook_deliveries (
  delivery_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks (webhook_id),
  event_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  is_holding INTEGER NOT NULL CHECK (is_holding IN (0, 1)),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  created_at BIGINT NOT NULL,
  first_attempt_at BIGINT,
  last_attempt_at BIGINT,
  next_attempt_at BIGINT,
  answer_status INTEGER,
  answer_ms INTEGER,
  fault TEXT COLLATE "C"
);

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, delivery_id);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, is_holding, delivery_id) WHERE status = 'waiting';

-- Which events a payer is notified about by email and SMS, separated by spaces. A project without a row has the defaults.
CREATE TABLE alert_settings (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  email_types TEXT COLLATE "C" NOT NULL,
  sms_types TEXT COLLATE "C" NOT NULL
);

-- Grants and withdrawals that wait for a second operator, and what was decided about them.
CREATE TABLE approvals (
  approval_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT COLLATE "C" NOT NULL,
  reference_key TEXT COLLATE "C" NOT NULL,
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

CREATE INDEX approvals_by_reference_key ON approvals (kind, reference_key) WHERE state = 'pending';

-- What an operator granted or withdrew: the external reference of a ledger entry. `entry_id` has no foreign key, like
-- the ledger itself; reconcile checks it.
CREATE TABLE operator_movements (
  movement_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT COLLATE "C" NOT NULL,
  reference_key TEXT COLLATE "C" NOT NULL,
  entry_id BIGINT NOT NULL UNIQUE,
  lot_id TEXT COLLATE "C" UNIQUE REFERENCES credit_lots (lot_id),
  approval_id TEXT COLLATE "C" UNIQUE REFERENCES approvals (approval_id),
  audit_id TEXT COLLATE "C" NOT NULL UNIQUE,
  moved_by TEXT COLLATE "C" NOT NULL,
  moved_at BIGINT NOT NULL,
  CHECK ((kind = 'grant') = (lot_id IS NOT NULL))
);

-- The same bank transfer is never granted twice.
CREATE UNIQUE INDEX operator_movements_by_reference ON operator_movements (project_id, kind, reference);

-- The same one in another project or spelling.
CREATE INDEX operator_movements_by_reference_key ON operator_movements (kind, reference_key, moved_at);

-- What was moved in the last 24 hours without a second operator.
CREATE INDEX operator_movements_by_operator ON operator_movements (kind, moved_by, moved_at) WHERE approval_id IS NULL;

CREATE INDEX operator_movements_by_project ON operator_movements (kind, project_id, moved_at) WHERE approval_id IS NULL;

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
  totp_enrolled INTEGER NOT NULL CHECK (totp_enrolled IN (0, 1)),
  totp_failures INTEGER NOT NULL CHECK (totp_failures >= 0),
  credentials_by TEXT COLLATE "C",
  credentials_at BIGINT NOT NULL,
  awaits_approval INTEGER NOT NULL CHECK (awaits_approval IN (0, 1)),
  created_at BIGINT NOT NULL,
  disabled_at BIGINT
);

-- Failed sign-ins of the current hour, summed up so that strangers cannot fill the audit log.
CREATE TABLE sign_in_failures (
  name TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL CHECK (attempts > 0),
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (name, reason)
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

-- Old ended charges and ledger entries are moved to archive files. What the files hold is summed up here and below, so that the
-- proof of the books goes on without them. One row is a project's ledger as it stood after the last entry that was archived; the
-- entries in the store follow that one. `charges` and `lots` count the archived charges and the archived entries of credit lots.
-- `archived_until` is the latest time of an archived entry.
CREATE TABLE closing_balances (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  last_entry_id BIGINT NOT NULL,
  entries BIGINT NOT NULL CHECK (entries > 0),
  available BIGINT NOT NULL CHECK (available >= 0),
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  settled BIGINT NOT NULL CHECK (settled >= 0),
  credited BIGINT NOT NULL CHECK (credited >= 0),
  granted BIGINT NOT NULL CHECK (granted >= 0),
  withdrawn BIGINT NOT NULL CHECK (withdrawn >= 0),
  charges BIGINT NOT NULL CHECK (charges >= 0),
  lots BIGINT NOT NULL CHECK (lots >= 0),
  archived_until BIGINT NOT NULL,
  CHECK (available + reserved + settled = credited)
);

-- One row per archive file. Only its first `bytes` bytes count, and `sha256` is theirs: a longer file was left by a crash.
CREATE TABLE archive_files (
  file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  month TEXT COLLATE "C" NOT NULL,
  part INTEGER NOT NULL CHECK (part > 0),
  bytes BIGINT NOT NULL CHECK (bytes > 0),
  sha256 TEXT COLLATE "C" NOT NULL,
  entries BIGINT NOT NULL CHECK (entries > 0),
  charges BIGINT NOT NULL CHECK (charges >= 0),
  host TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX archive_files_by_month ON archive_files (month, part);

-- What archived charges took from a period that their budget remembered when they were archived.
CREATE TABLE archived_spending (
  budget_id TEXT COLLATE "C" NOT NULL REFERENCES key_budgets (budget_id),
  budget_period BIGINT NOT NULL,
  credits BIGINT NOT NULL CHECK (credits > 0),
  PRIMARY KEY (budget_id, budget_period)
);

-- Idempotency-Keys of archived charges. They are kept for `charges.resultDays` more, so that a call that is repeated late is not
-- charged again.
CREATE TABLE archived_idempotency_keys (
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  idempotency_digest TEXT COLLATE "C" NOT NULL,
  archived_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, idempotency_digest)
);

CREATE INDEX archived_idempotency_keys_by_time ON archived_idempotency_keys (archived_at);

-- One row: who archives, because only one program does at a time. A claim ends by itself.
CREATE TABLE archive_claim (
  claim_id INTEGER NOT NULL PRIMARY KEY CHECK (claim_id = 1),
  claimed_by TEXT COLLATE "C",
  claim_until BIGINT NOT NULL
);

INSERT INTO archive_claim (claim_id, claimed_by, claim_until) VALUES (1, NULL, 0);

-- Leases of running gateways. When one expires, another gateway recovers that instance's charges. `known_version` is the newest
-- migration that the program knows, `needed_version` the newest that it needs; `process` is host name and process id.
CREATE TABLE instances (
  instance_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  known_version INTEGER NOT NULL,
  needed_version INTEGER NOT NULL,
  process TEXT COLLATE "C" NOT NULL
);

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

-- Rejects an optimistic batch whose expected rows have changed (src/storage/postgres/batch-statements.ts).
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

-- An archived charge may be deleted, but only after everything that refers to it.
CREATE FUNCTION refuse_loss_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_entries e WHERE e.charge_id = OLD.charge_id)
    OR EXISTS (SELECT FROM charge_responses r WHERE r.charge_id = OLD.charge_id) THEN
    RAISE foreign_key_violation USING TABLE = 'charges',
      MESSAGE = 'foreign keys refer to this row of charges: it cannot be deleted';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER refuse_delete BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF project_id ON projects FOR EACH ROW
  WHEN (NEW.project_id IS DISTINCT FROM OLD.project_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF key_id ON api_keys FOR EACH ROW
  WHEN (NEW.key_id IS DISTINCT FROM OLD.key_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON charges FOR EACH ROW EXECUTE FUNCTION refuse_loss_of_charge();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF charge_id ON charges FOR EACH ROW
  WHEN (NEW.charge_id IS DISTINCT FROM OLD.charge_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON charges FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON credit_lots FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF lot_id ON credit_lots FOR EACH ROW
  WHEN (NEW.lot_id IS DISTINCT FROM OLD.lot_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON credit_lots FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

-- A batch sends its rows as arrays of these types (src/storage/batch/writes.ts declares the columns).
CREATE TYPE balance_change_row AS (
  project_id text, available bigint, reserved bigint, settled bigint, credited bigint, entries bigint,
  last_entry_id bigint, expected_entries bigint, expected_last_entry_id bigint, expected_low_balance_credits bigint
);

CREATE TYPE key_change_row AS (
  key_id text, window_ends_at bigint, window_used int, calls bigint, last_used_at bigint, last_used_from text,
  expected_window_ends_at bigint, expected_window_used int, expected_calls bigint, expected_blocked_at bigint,
  expected_expires_at bigint, expected_settings_version int
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
  text, request_id text, reserved_at bigint, budget_id text, budget_period bigint
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

CREATE TYPE operator_movement_row AS (
  movement_id text, project_id text, kind text, amount bigint, reference text, reference_key text, entry_id bigint, lot_id text,
  approval_id text, audit_id text, moved_by text, moved_at bigint
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

CREATE TYPE media_job_row AS (
  job_id text, project_id text, charge_id text, instance_id text, provider text, prompt text, seconds int, size text,
  test_only int, status text, created_at bigint, updated_at bigint, deadline_at bigint, next_poll_at bigint
);

CREATE TYPE media_job_change_row AS (
  job_id text, status text, provider_id text, progress int, updated_at bigint, next_poll_at bigint, version int
);

CREATE TYPE media_job_end_row AS (
  job_id text, status text, progress int, error_code text, updated_at bigint, finished_at bigint, next_poll_at bigint,
  content_type text, content_bytes bigint, content_sha256 text, content_expires_at bigint, claimed_by text,
  claim_until bigint, version int
);

CREATE TYPE budget_change_row AS (
  budget_id text, period_from bigint, spent bigint, reached_at bigint, other_counts text, expected_period_from bigint,
  expected_spent bigint, expected_reached_at bigint, expected_other_counts text
);

CREATE TYPE empty_change_row AS (
  project_id text, empty_at bigint
);

CREATE TYPE event_row AS (
  event_id text, project_id text, type text, happened_at bigint, data text
);
