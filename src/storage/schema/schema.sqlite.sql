-- The schema of a new SQLite store. schema.postgres.sql is its equivalent for PostgreSQL; a test compares the two.
-- Statements are separated by blank lines. Times are epoch milliseconds; digests are text. No column holds a phone number, an
-- email address, a code, a session, a token or a key in plain form. docs/data-model.md shows how the tables relate.

-- Small tables with frequent updates are WITHOUT ROWID, so that an update writes one page instead of two. CHECKs use OR, because
-- SQLite fills a temporary table for each IN list.

-- The secrets that digests and sealed values of this store were made with. The check value is derived from the secret, so a
-- gateway with another secret is found out before it registers anybody twice.
CREATE TABLE secret_versions (
  key_version TEXT NOT NULL PRIMARY KEY,
  check_value TEXT NOT NULL,
  first_used_at INTEGER NOT NULL
) STRICT;

-- Registered people. The recovery email is stored as a digest and a mask, and sealed, so that it can be written to. A suspended
-- account cannot sign in.
CREATE TABLE accounts (
  account_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  recovery_email_digest TEXT NOT NULL,
  recovery_email_masked TEXT NOT NULL,
  recovery_email_state TEXT NOT NULL CHECK (recovery_email_state = 'pending_verification' OR recovery_email_state = 'verified'),
  recovery_email_sealed TEXT,
  recovery_email_key_version TEXT,
  password_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  suspended_at INTEGER,
  suspension_reason TEXT
) STRICT;

-- Only verified addresses are unique; a pending one blocks nobody.
CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (recovery_email_digest)
  WHERE recovery_email_state = 'verified';

-- An operator searches by it; also pending ones.
CREATE INDEX accounts_by_email ON accounts (recovery_email_digest);

-- The verified phone of each account (digest, mask and sealed), and its permanent subject at the identity provider.
CREATE TABLE identities (
  identity_subject TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
  phone_digest TEXT NOT NULL UNIQUE,
  phone_masked TEXT NOT NULL,
  phone_sealed TEXT,
  phone_key_version TEXT,
  verified_at INTEGER NOT NULL
) STRICT;

-- One row per verification code sent, as a digest, and what it is good for. Codes of an account end with its password or its
-- contact; registration has no account yet.
CREATE TABLE challenges (
  challenge_digest TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL
    CHECK (purpose = 'registration' OR purpose = 'email_verification' OR purpose = 'recovery' OR purpose = 'operator_recovery'),
  account_id TEXT REFERENCES accounts (account_id),
  contact_digest TEXT NOT NULL,
  code_digest TEXT NOT NULL,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  wrong_attempts INTEGER NOT NULL DEFAULT 0 CHECK (wrong_attempts >= 0),
  invalidated_at INTEGER,
  consumed_at INTEGER
) STRICT;

CREATE INDEX challenges_by_contact ON challenges (contact_digest, purpose, issued_at);

CREATE INDEX challenges_by_account ON challenges (account_id) WHERE account_id IS NOT NULL;

CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- Addresses that an account has signed in from, as digests: a sign-in from another one sends a notice.
CREATE TABLE account_requesters (
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  requester_digest TEXT NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, requester_digest)
) STRICT, WITHOUT ROWID;

-- Messages to be sent: recipient and content are sealed. A row is deleted once it is delivered or has expired. Channel `none`
-- is the decoy of a recovery for an unknown identifier, so that it costs the same work as a real one.
CREATE TABLE messages (
  message_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT REFERENCES accounts (account_id),
  channel TEXT NOT NULL CHECK (channel = 'sms' OR channel = 'email' OR channel = 'none'),
  kind TEXT NOT NULL CHECK (kind = 'verification' OR kind = 'recovery' OR kind = 'notice'),
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at INTEGER NOT NULL,
  claimed_by TEXT
) STRICT;

CREATE INDEX messages_by_next_attempt ON messages (next_attempt_at);

CREATE INDEX messages_by_channel ON messages (channel, kind, next_attempt_at);

-- Each account has one project, which owns its credits, keys, orders and charges. `events_read_to` is the last event that the
-- payer has marked as read.
CREATE TABLE projects (
  project_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  events_read_to INTEGER NOT NULL DEFAULT 0
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
-- `suspended_at` repeats the account's, because the commit that reserves credits reads only the key. `allowed_addresses` are
-- addresses and CIDR ranges, separated by spaces; null allows every requester. `last_used_from` is masked: without the last byte
-- of an IPv4 address and the last 64 bits of an IPv6 address. `chain_id` is the first key of the rotation chain; null for that
-- key itself. `settings_version` rises with every change of the settings, so that a batch notices one. The digests of the
-- creating request are null if it had no Idempotency-Key. `expiry_warning_at` is when the payer is next told that the key
-- expires; null for never.
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
  last_used_at INTEGER,
  suspended_at INTEGER,
  name TEXT,
  allowed_addresses TEXT,
  last_used_from TEXT,
  chain_id TEXT,
  settings_version INTEGER NOT NULL DEFAULT 0,
  idempotency_digest TEXT,
  request_digest TEXT,
  expiry_warning_at INTEGER
) STRICT;

CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, key_id);

CREATE INDEX api_keys_by_display_prefix ON api_keys (display_prefix);

CREATE UNIQUE INDEX api_keys_by_idempotency ON api_keys (project_id, idempotency_digest);

CREATE INDEX api_keys_by_expiry_warning ON api_keys (expiry_warning_at) WHERE expiry_warning_at IS NOT NULL;

-- The budget of a rotation chain, named after its first key. `spent` counts what was reserved since `period_from` and not released.
-- `other_counts` is a JSON array of [period_from, spent, reached_at]: other periods, for clocks that differ.
-- A budget that was removed has no credits; its row stays, so that a new one never gets the same period.
CREATE TABLE key_budgets (
  budget_id TEXT NOT NULL PRIMARY KEY REFERENCES api_keys (key_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  credits INTEGER CHECK (credits > 0),
  per TEXT NOT NULL CHECK (per = 'day' OR per = 'month' OR per = 'total'),
  period_from INTEGER NOT NULL,
  spent INTEGER NOT NULL CHECK (spent >= 0),
  reached_at INTEGER,
  other_counts TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

CREATE INDEX key_budgets_by_project ON key_budgets (project_id);

-- The credits of each project. The CHECK is invariant I1; `entries` and `last_entry_id` are the end of the ledger.
-- `low_balance_credits` are the available credits below which an event is raised: null for the default, 0 for never. `empty_at`
-- is the first call since the last credit that was refused for lack of credits.
CREATE TABLE balances (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  available INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  settled INTEGER NOT NULL DEFAULT 0 CHECK (settled >= 0),
  credited INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0),
  entries INTEGER NOT NULL DEFAULT 0 CHECK (entries >= 0),
  last_entry_id INTEGER,
  low_balance_credits INTEGER CHECK (low_balance_credits >= 0),
  empty_at INTEGER,
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

-- The source of credits: one lot per credited order (invariant I5), or one per grant of an operator.
CREATE TABLE credit_lots (
  lot_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  order_id TEXT UNIQUE REFERENCES orders (order_id),
  kind TEXT NOT NULL CHECK (kind = 'simulated_prepaid' OR kind = 'operator_grant'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'operator_grant') = (order_id IS NULL))
) STRICT;

CREATE INDEX credit_lots_by_project ON credit_lots (project_id);

-- One row per admitted call, with the price at that time, the budget that it counts against and the period it was reserved in
-- (null for a key without a budget).
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
  budget_id TEXT,
  budget_period INTEGER,
  CHECK ((state = 'reserved') = (ended_at IS NULL))
) STRICT;

-- Invariant I3. An Idempotency-Key that was freed is null, and nulls are never equal.
CREATE UNIQUE INDEX charges_by_idempotency ON charges (project_id, idempotency_digest);

CREATE INDEX charges_reserved ON charges (charge_id) WHERE state = 'reserved';

CREATE INDEX charges_in_review ON charges (project_id, charge_id) WHERE state = 'manual_review';

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
  kind TEXT NOT NULL CHECK (kind = 'credit' OR kind = 'reserve' OR kind = 'settle' OR kind = 'release' OR kind = 'review'
    OR kind = 'grant' OR kind = 'withdraw'),
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

-- One row per media job, written in the same commit as its charge and ended in the same commit as its charge.
-- Who holds the claim polls the job; a claim ends by itself. `version` changes with every write of a poll, which compares it
-- first. `next_poll_at` is null once the job has ended. `misses` counts answers that do not know the job, `silences` looks
-- without an answer. `instance_id` is the instance that submits it: while that one lives, nobody else asks about the submission.
CREATE TABLE media_jobs (
  job_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  charge_id TEXT NOT NULL UNIQUE REFERENCES charges (charge_id),
  instance_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_id TEXT,
  prompt TEXT NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  size TEXT NOT NULL,
  test_only INTEGER NOT NULL CHECK (test_only IN (0, 1)),
  status TEXT NOT NULL CHECK (status = 'submitting' OR status = 'queued' OR status = 'in_progress' OR status = 'completed'
    OR status = 'failed' OR status = 'cancelled' OR status = 'unknown'),
  progress INTEGER CHECK (progress >= 0 AND progress <= 100),
  error_code TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  deadline_at INTEGER NOT NULL,
  cancel_requested_at INTEGER,
  next_poll_at INTEGER,
  polls INTEGER NOT NULL DEFAULT 0,
  misses INTEGER NOT NULL DEFAULT 0,
  silences INTEGER NOT NULL DEFAULT 0,
  content_tries INTEGER NOT NULL DEFAULT 0,
  content_type TEXT,
  content_bytes INTEGER,
  content_sha256 TEXT,
  content_expires_at INTEGER,
  claimed_by TEXT,
  claim_until INTEGER,
  version INTEGER NOT NULL DEFAULT 0,
  CHECK ((finished_at IS NULL) = (next_poll_at IS NOT NULL)),
  CHECK ((status = 'completed') = (content_bytes IS NOT NULL))
) STRICT;

CREATE INDEX media_jobs_by_project ON media_jobs (project_id, job_id);

CREATE INDEX media_jobs_due ON media_jobs (next_poll_at) WHERE next_poll_at IS NOT NULL;

-- Finds the projects whose turn it is to be polled, one step for each.
CREATE INDEX media_jobs_turns ON media_jobs (provider, project_id, next_poll_at) WHERE next_poll_at IS NOT NULL;

-- A provider that answers with the id of another job must not hand its clip to somebody else.
CREATE UNIQUE INDEX media_jobs_by_provider_id ON media_jobs (provider, provider_id) WHERE provider_id IS NOT NULL;

-- What happened to a project, written in the commit of what happened. `due_at` is when the event is passed to its subscribers,
-- null once it was; 0 is at once. `seq` is never used twice, because `projects.events_read_to` refers to it.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  type TEXT NOT NULL,
  happened_at INTEGER NOT NULL,
  data TEXT NOT NULL,
  due_at INTEGER DEFAULT 0
) STRICT;

CREATE INDEX events_by_project ON events (project_id, seq);

CREATE INDEX events_due ON events (due_at, seq) WHERE due_at IS NOT NULL;

-- Endpoints that events are sent to. `sealed` holds the secrets. `next_attempt_at` is when the webhook is due next, null if
-- nothing waits; while an instance sends to it, it is the end of that claim. So there is one delivery at a time per webhook.
-- `served_at`: the last claim.
CREATE TABLE webhooks (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'enabled' OR state = 'disabled'),
  disabled_reason TEXT,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  next_attempt_at INTEGER,
  claimed_by TEXT,
  served_at INTEGER
) STRICT;

CREATE INDEX webhooks_by_project ON webhooks (project_id, webhook_id);

CREATE INDEX webhooks_by_next_attempt ON webhooks (next_attempt_at) WHERE state = 'enabled';

-- An event on its way to one webhook. `is_holding`: later deliveries of the webhook wait for it.
CREATE TABLE webhook_deliveries (
  delivery_id TEXT NOT NULL PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id),
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'waiting' OR status = 'delivered' OR status = 'failed'),
  is_holding INTEGER NOT NULL CHECK (is_holding IN (0, 1)),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  created_at INTEGER NOT NULL,
  first_attempt_at INTEGER,
  last_attempt_at INTEGER,
  next_attempt_at INTEGER,
  answer_status INTEGER,
  answer_ms INTEGER,
  fault TEXT
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, delivery_id);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, is_holding, delivery_id) WHERE status = 'waiting';

-- Which events a payer is notified about by email and SMS, separated by spaces. A project without a row has the defaults.
CREATE TABLE alert_settings (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  email_types TEXT NOT NULL,
  sms_types TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Grants and withdrawals that wait for a second operator, and what was decided about them.
CREATE TABLE approvals (
  approval_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind = 'grant' OR kind = 'withdraw'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
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

CREATE INDEX approvals_by_reference_key ON approvals (kind, reference_key) WHERE state = 'pending';

-- What an operator granted or withdrew: the external reference of a ledger entry. `entry_id` has no foreign key, because SQLite
-- could then not rebuild the ledger again; reconcile checks it.
CREATE TABLE operator_movements (
  movement_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind = 'grant' OR kind = 'withdraw'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
  entry_id INTEGER NOT NULL UNIQUE,
  lot_id TEXT UNIQUE REFERENCES credit_lots (lot_id),
  approval_id TEXT UNIQUE REFERENCES approvals (approval_id),
  audit_id TEXT NOT NULL UNIQUE,
  moved_by TEXT NOT NULL,
  moved_at INTEGER NOT NULL,
  CHECK ((kind = 'grant') = (lot_id IS NOT NULL))
) STRICT;

-- The same bank transfer is never granted twice.
CREATE UNIQUE INDEX operator_movements_by_reference ON operator_movements (project_id, kind, reference);

-- The same one in another project or spelling.
CREATE INDEX operator_movements_by_reference_key ON operator_movements (kind, reference_key, moved_at);

-- What was moved in the last 24 hours without a second operator.
CREATE INDEX operator_movements_by_operator ON operator_movements (kind, moved_by, moved_at) WHERE approval_id IS NULL;

CREATE INDEX operator_movements_by_project ON operator_movements (kind, project_id, moved_at) WHERE approval_id IS NULL;

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
  totp_enrolled INTEGER NOT NULL CHECK (totp_enrolled IN (0, 1)),
  totp_failures INTEGER NOT NULL CHECK (totp_failures >= 0),
  credentials_by TEXT,
  credentials_at INTEGER NOT NULL,
  awaits_approval INTEGER NOT NULL CHECK (awaits_approval IN (0, 1)),
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;

-- Failed sign-ins of the current hour, summed up so that strangers cannot fill the audit log.
CREATE TABLE sign_in_failures (
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  attempts INTEGER NOT NULL CHECK (attempts > 0),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (name, reason)
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

-- Old ended charges and ledger entries are moved to archive files. What the files hold is summed up here and below, so that the
-- proof of the books goes on without them. One row is a project's ledger as it stood after the last entry that was archived; the
-- entries in the store follow that one. `charges` and `lots` count the archived charges and the archived entries of credit lots.
-- `archived_until` is the latest time of an archived entry.
CREATE TABLE closing_balances (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  last_entry_id INTEGER NOT NULL,
  entries INTEGER NOT NULL CHECK (entries > 0),
  available INTEGER NOT NULL CHECK (available >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  settled INTEGER NOT NULL CHECK (settled >= 0),
  credited INTEGER NOT NULL CHECK (credited >= 0),
  granted INTEGER NOT NULL CHECK (granted >= 0),
  withdrawn INTEGER NOT NULL CHECK (withdrawn >= 0),
  charges INTEGER NOT NULL CHECK (charges >= 0),
  lots INTEGER NOT NULL CHECK (lots >= 0),
  archived_until INTEGER NOT NULL,
  CHECK (available + reserved + settled = credited)
) STRICT, WITHOUT ROWID;

-- One row per archive file. Only its first `bytes` bytes count, and `sha256` is theirs: a longer file was left by a crash.
CREATE TABLE archive_files (
  file_name TEXT NOT NULL PRIMARY KEY,
  month TEXT NOT NULL,
  part INTEGER NOT NULL CHECK (part > 0),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  sha256 TEXT NOT NULL,
  entries INTEGER NOT NULL CHECK (entries > 0),
  charges INTEGER NOT NULL CHECK (charges >= 0),
  host TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX archive_files_by_month ON archive_files (month, part);

-- What archived charges took from a period that their budget remembered when they were archived.
CREATE TABLE archived_spending (
  budget_id TEXT NOT NULL REFERENCES key_budgets (budget_id),
  budget_period INTEGER NOT NULL,
  credits INTEGER NOT NULL CHECK (credits > 0),
  PRIMARY KEY (budget_id, budget_period)
) STRICT, WITHOUT ROWID;

-- Idempotency-Keys of archived charges. They are kept for `charges.resultDays` more, so that a call that is repeated late is not
-- charged again.
CREATE TABLE archived_idempotency_keys (
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  idempotency_digest TEXT NOT NULL,
  archived_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, idempotency_digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX archived_idempotency_keys_by_time ON archived_idempotency_keys (archived_at);

-- One row: who archives, because only one program does at a time. A claim ends by itself.
CREATE TABLE archive_claim (
  claim_id INTEGER NOT NULL PRIMARY KEY CHECK (claim_id = 1),
  claimed_by TEXT,
  claim_until INTEGER NOT NULL
) STRICT;

INSERT INTO archive_claim (claim_id, claimed_by, claim_until) VALUES (1, NULL, 0);

-- Leases of running gateways. Always empty on SQLite, which has a single instance. `known_version` is the newest
-- migration that the program knows, `needed_version` the newest that it needs; `process` is host name and process id.
CREATE TABLE instances (
  instance_id TEXT NOT NULL PRIMARY KEY,
  started_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  known_version INTEGER NOT NULL,
  needed_version INTEGER NOT NULL,
  process TEXT NOT NULL
) STRICT;

-- Charges under way. INDEXED BY, because the planner would otherwise read all charges of a project.
CREATE VIEW reserved_charges AS
SELECT project_id, charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM charges INDEXED BY charges_reserved WHERE state = 'reserved';

-- Charges in review.
CREATE VIEW reviewable_charges AS
SELECT project_id, charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM charges INDEXED BY charges_in_review WHERE state = 'manual_review';
